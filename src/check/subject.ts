/** What rules check: a server's tools as listed, each with its stamp and inferred effect. */
import type { InferredEffect } from '../effect/infer/infer-effect.ts';
import { inferEffect } from '../effect/infer/infer-effect.ts';
import type { StampReading } from '../effect/read-stamp.ts';
import { readStamp } from '../effect/read-stamp.ts';
import type { PinEntry } from '../gate/tools/lock.ts';

export interface ToolSubject {
  /** `/tools/3` */
  readonly pointer: string;
  /** Empty when the tool has none. */
  readonly name: string;
  /** As parsed from JSON; its shape is not guaranteed. */
  readonly raw: unknown;
  /** Everything that the server lists. */
  readonly list: readonly unknown[];
  readonly stamp: StampReading;
  /** Inferred as for an untrusted server. */
  readonly inferred: InferredEffect;
}

export interface ServerSubject {
  readonly name: string;
  readonly tools: readonly ToolSubject[];
  /** The other servers of the same host configuration, with the names of their tools. */
  readonly neighbours: readonly { readonly name: string; readonly tools: readonly string[] }[];
  /** The pins of this server. */
  readonly pins?: ReadonlyMap<string, PinEntry>;
}

export function toSubject(
  name: string,
  tools: readonly unknown[],
  more: Partial<Pick<ServerSubject, 'neighbours' | 'pins'>> = {},
): ServerSubject {
  return {
    name,
    neighbours: more.neighbours ?? [],
    ...(more.pins !== undefined && { pins: more.pins }),
    tools: tools.map((raw, index) => {
      const stamp = readStamp(raw);
      const { name: toolName = '' } = stamp;
      const inferred = inferEffect(raw, {}, tools);
      return { pointer: `/tools/${index}`, name: toolName, raw, list: tools, stamp, inferred };
    }),
  };
}
