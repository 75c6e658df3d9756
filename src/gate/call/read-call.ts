/** A call at the gate: what is asked for, by whom, of which tool, and what it would do. Read from a frame. Pure. */
import { isKey } from '../../effect/idempotency-key.ts';
import type { InferredCall } from '../../effect/infer/infer-call.ts';
import { inferCall } from '../../effect/infer/infer-call.ts';
import { CALL_META_KEYS } from '../../effect/meta-keys.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { CallFacts } from '../policy/verdict.ts';
import type { Caller, Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { isId } from '../protocol/frame.ts';
import { locate } from '../protocol/json-text.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { KeySlot } from '../tools/key-slot.ts';
import type { KnownTool } from '../tools/tool-book.ts';

/** Its effect is that of these arguments. */
export interface GateCall extends InferredCall {
  readonly id: RpcId;
  readonly frame: Frame;
  readonly caller: Caller;
  readonly tool: KnownTool;
  readonly args: JsonObject;
  /** The tool, and each one that it calls by these arguments, is declared. */
  readonly isDeclared: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

const NO_ARGUMENTS: JsonObject = Object.freeze({});

/** The name of the tool, where the request has the shape of a call at all. */
export function readToolName({ message }: Frame): string | Problem {
  const { params } = message;
  if (message.result !== undefined || message.error !== undefined) {
    return toProblem('invalid-request', 'The message is a request and a response at once.', {
      remedy: 'Send `method` and `params`, without `result` and `error`.',
    });
  }
  const name = params?.['name'];
  if (typeof name !== 'string') {
    return toProblem('invalid-request', 'The call does not name its tool.', {
      remedy: 'Name the tool in `params.name`.',
    });
  }
  const args = params?.['arguments'];
  if (args !== undefined && !isObject(args)) {
    return toProblem('invalid-request', 'The arguments are not an object.', {
      remedy: 'Send the arguments as one JSON object.',
    });
  }
  return name;
}

/** For a frame that `readToolName` accepted. */
export function toCall(
  frame: Frame,
  tool: KnownTool,
  startedAt: number,
  find?: (name: string) => KnownTool | undefined,
): GateCall | undefined {
  const { id, params } = frame.message;
  const { caller } = frame;
  if (!isId(id) || caller === undefined) return undefined;
  const given = params?.['arguments'];
  const args = isObject(given) ? given : NO_ARGUMENTS;
  let { isDeclared } = tool;
  const inferred = inferCall(tool.definition, tool.inferred, args, (name) => {
    const inner = find?.(name);
    if (inner?.isDeclared === false) isDeclared = false;
    return inner;
  });
  return {
    id,
    frame,
    caller,
    tool,
    effect: inferred.effect,
    confidence: inferred.confidence,
    reasons: inferred.reasons,
    args,
    isDeclared,
    startedAt,
  };
}

/** The very text of the arguments; empty when there are none. */
export function argumentsTextOf({ frame }: Pick<GateCall, 'frame'>): string {
  const hasArguments = frame.message.params?.['arguments'] !== undefined;
  return hasArguments ? textAt(frame, ['params', 'arguments']) : '';
}

/** What a verdict is made from. */
export function toFacts(
  { tool, effect, confidence, reasons, caller, args, isDeclared }: GateCall,
  server: Pick<CallFacts, 'trusted' | 'mode'> & { readonly name: string },
  repeated: boolean,
): CallFacts {
  return {
    server: server.name,
    trusted: server.trusted,
    tool: tool.name,
    effect,
    confidence,
    reasons,
    principal: caller.principal,
    mode: server.mode,
    arguments: args,
    quarantined: tool.isQuarantined,
    declared: isDeclared,
    repeated,
  };
}

/** The text of one value of a message, as it stands in its bytes. */
export function textAt(frame: Frame, path: readonly string[]): string {
  const { buffer, byteOffset, byteLength } = frame.bytes;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  const place = locate(text, path);
  return place === undefined ? '' : text.slice(place.start, place.end);
}

/** Of a call that may not be one. */
export function nameOf({ message: { params = {} } }: Frame): string {
  return typeof params['name'] === 'string' ? params['name'] : '';
}

export interface CallParts {
  readonly arguments?: unknown;
  readonly _meta?: unknown;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type CallerKey =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'refused'; readonly problem: Problem };

const HEADER = 'idempotency-key';
const LONGEST = 1024;

/** Finds the idempotency key that a caller brought: in the server's own slot, in `_meta`, or in a header. */
export function readCallerKey(call: CallParts, slot: KeySlot | undefined): CallerKey {
  const ours = [
    valueAt(call._meta, CALL_META_KEYS.idempotencyKey.key),
    unquote(valueAt(call.headers, HEADER)),
  ].filter(isGiven);
  const theirs = [valueInSlot(call, slot)].filter(isGiven);
  if (!ours.every(isKey) || !theirs.every(isForeignKey)) {
    return { kind: 'refused', problem: toProblem('key-invalid', 'The key has the wrong form.') };
  }
  const [key, ...others] = [...theirs, ...ours];
  if (key === undefined) return { kind: 'none' };
  if (others.every((other) => other === key)) return { kind: 'key', key };
  const detail = 'The call carries two keys that differ.';
  return { kind: 'refused', problem: toProblem('key-mismatch', detail) };
}

function valueInSlot(call: CallParts, slot: KeySlot | undefined): unknown {
  if (slot?.kind === 'argument') return valueAt(call.arguments, slot.name);
  if (slot?.kind === 'header') return unquote(valueAt(call.headers, slot.name));
  return undefined;
}

function valueAt(part: unknown, name: string): unknown {
  return isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** What a key of the server's own looks like is for the server to say. */
function isForeignKey(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST;
}

/** As a header the key may stand in quotes, as a structured field's string does. */
function unquote(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^"(.*)"$/, '$1') : value;
}
