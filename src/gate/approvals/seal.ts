/**
 * State that travels through a client and comes back: signed, not hidden, with an end. That it is used
 * once is for the ledger to see to.
 */
import type { KeyObject } from 'node:crypto';
import { createHmac } from 'node:crypto';
import { isSameInConstantTime } from '../../lib/secret.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';

interface SealedState {
  /** The id of the approval that the call waits for or runs under. */
  readonly approval: string;
  /** Digest of the call that it was given to; no other call may carry it. */
  readonly call: string;
  readonly continuation?: string;
  /** What the server behind the gate gave as its own state. */
  readonly upstream?: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

type OpenedState =
  | { readonly kind: 'state'; readonly state: SealedState }
  | { readonly kind: 'refused'; readonly code: 'malformed' | 'bad-seal' | 'expired' };

const PREFIX = 'pls1';

export function sealState(key: KeyObject, state: SealedState): string {
  const { approval, call, continuation, upstream, expires } = state;
  const body = Buffer.from(JSON.stringify({ approval, call, continuation, upstream, expires }));
  const text = `${PREFIX}.${body.toString('base64url')}`;
  return `${text}.${sign(key, text)}`;
}

/** Nothing of the text is looked at before its seal is. */
export function openState(key: KeyObject, text: string, now: number): OpenedState {
  const end = text.lastIndexOf('.');
  if (end === -1) return { kind: 'refused', code: 'malformed' };
  const signed = text.slice(0, end);
  if (!isSameInConstantTime(text.slice(end + 1), sign(key, signed))) {
    return { kind: 'refused', code: 'bad-seal' };
  }
  if (!signed.startsWith(`${PREFIX}.`)) return { kind: 'refused', code: 'malformed' };
  const body = Buffer.from(signed.slice(PREFIX.length + 1), 'base64url').toString();
  const parsed = parseStrictJson(body);
  const state = parsed.kind === 'json' ? toState(parsed.value) : undefined;
  if (state === undefined) return { kind: 'refused', code: 'malformed' };
  return state.expires <= now ? { kind: 'refused', code: 'expired' } : { kind: 'state', state };
}

/** The purpose is signed along, so that nothing else under the same key passes for a state. */
function sign(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update('plimsoll state\n').update(text).digest('base64url');
}

function toState(value: JsonValue): SealedState | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  // No array, so an object; read-only arrays escape the guard of `isArray`.
  const object = value as Readonly<Record<string, JsonValue>>;
  const { approval, call, continuation, upstream, expires } = object;
  if (typeof approval !== 'string' || typeof call !== 'string') return undefined;
  if (typeof expires !== 'number') return undefined;
  if (!isTextOrAbsent(continuation) || !isTextOrAbsent(upstream)) return undefined;
  return Object.freeze({
    approval,
    call,
    ...(continuation !== undefined && { continuation }),
    ...(upstream !== undefined && { upstream }),
    expires,
  });
}

function isTextOrAbsent(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
