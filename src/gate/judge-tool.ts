/** Judges a tool by what is known of it besides its own words: the operator's trust, pins, key slots. */
import type { Pins } from './pins/open-pins.ts';
import { hashDefinition } from './pins/definition-hash.ts';
import type { ConfiguredSlot } from './run/key-slot.ts';
import { findKeySlot } from './run/key-slot.ts';
import type { JudgeTool } from './tool-book.ts';
import type { JsonObject } from './wire/frame.ts';

export interface JudgeOptions {
  readonly server: string;
  readonly trusted: boolean;
  readonly pins?: Pins;
  readonly idempotency?: ConfiguredSlot;
}

export function openJudge({ server, trusted, pins, idempotency }: JudgeOptions): JudgeTool {
  return (name, definition, list) => {
    const slot = findKeySlot(definition, idempotency);
    return {
      hash: hashDefinition(definition),
      trust: { trusted, ...pins?.trustOf(server, name) },
      isQuarantined: pins !== undefined && isHeldBack(pins, server, name, definition, list),
      slot,
      // That a server takes a key proves nothing; somebody must vouch for what it does with it.
      dedups: slot !== undefined && (trusted || idempotency !== undefined),
    };
  };
}

function isHeldBack(
  pins: Pins,
  server: string,
  name: string,
  definition: JsonObject,
  list: () => readonly JsonObject[],
): boolean {
  const isPinned = pins.pinOf(server, name) !== undefined;
  // Under a new name a tool has no pin of its own; only the whole list tells that it is an old one.
  const check = isPinned
    ? pins.checkTool(server, name, definition)
    : pins.check(server, list()).get(name);
  return check?.quarantined ?? false;
}
