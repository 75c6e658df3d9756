/** Finds the idempotency key that a caller brought: in the server's own slot, in `_meta`, or in a header. */
import { isKey } from '../../effect/idempotency-key.ts';
import { CALL_META_KEYS } from '../../effect/meta-keys.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { KeySlot } from '../tools/key-slot.ts';

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
