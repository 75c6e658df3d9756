/**
 * Sends one attempt of a call and says what became of it: an answer, or a failure with the decision
 * whether it may be sent again. The only place where anything of a call goes upstream.
 */
import type { GateContext } from '../gate-services.ts';
import type { Delivery, Failure } from '../protocol/channel.ts';
import { editFrame, readdress } from '../protocol/edit-frame.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import type { Place } from '../protocol/json-text.ts';
import { locate } from '../protocol/json-text.ts';
import { isObject, readServerFrame } from '../protocol/read-frame.ts';
import type { Requests } from '../protocol/requests.ts';
import type { KeySlot } from '../tools/key-slot.ts';
import type { End } from './decide-retry.ts';
import { decideRetry, toEnd } from './decide-retry.ts';
import type { GateCall } from './read-call.ts';
import type { Held, Permit } from './running-call.ts';
import type { Intent } from './weigh.ts';

interface Outgoing {
  readonly call: GateCall;
  readonly permit: Permit;
  readonly intent: Intent;
  readonly held: Held;
}

export type Attempted =
  | { readonly kind: 'answer'; readonly frame: Frame }
  | {
      readonly kind: 'failure';
      readonly failure: Failure;
      /** What is known of the call if it is not sent again. */
      readonly outcome: End;
      /** Absent: it must not be sent again. */
      readonly retryAfterMs?: number;
    };

interface Attempt {
  /** Counts from one. */
  readonly number: number;
  /** An earlier attempt may have arrived. */
  readonly inDoubt: boolean;
  /** Whether the caller gave up meanwhile, which says nothing about the server. */
  readonly isUnheard: () => boolean;
}

/** Gives the id that it went upstream under, where it did. `done` is called later, once. */
export function sendAttempt(
  outgoing: Outgoing,
  attempt: Attempt,
  requests: Requests,
  context: GateContext,
  done: (attempted: Attempted) => void,
): RpcId | undefined {
  const { server } = context;
  const admission = server.breaker.admit();
  if (admission.kind === 'open') {
    const { retryAfterSeconds } = admission;
    const detail = 'The server has not been answering';
    const failure: Failure = { kind: 'not-sent', detail, retryAfterSeconds };
    const { outcome } = decide(outgoing, attempt, failure, context);
    queueMicrotask(() => done({ kind: 'failure', failure, outcome }));
    return undefined;
  }
  const { id } = outgoing.call;
  // A late answer to an earlier attempt must not pass for the answer to this one.
  const own = attempt.number === 1 && !requests.isWaiting(id) ? id : requests.newId();
  requests.follow(own, toUpstream(outgoing, own), (delivery) => {
    admission.report(healthOf(delivery, attempt.isUnheard()));
    if (delivery.kind === 'answer') {
      server.retryBudget.succeed();
      const { frame } = delivery;
      done({ kind: 'answer', frame: own === id ? frame : readdress(frame, id, id) });
    } else done(decide(outgoing, attempt, delivery.failure, context));
  });
  return own;
}

function healthOf(delivery: Delivery, isUnheard: boolean): 'up' | 'down' | 'untold' {
  if (delivery.kind === 'answer') return 'up';
  // To refuse a request, a server must be there.
  if (delivery.failure.kind === 'refused') return 'up';
  return isUnheard ? 'untold' : 'down';
}

function decide(
  { call, held }: Outgoing,
  { number, inDoubt }: Attempt,
  failure: Failure,
  { server, services }: GateContext,
): Attempted & { readonly kind: 'failure' } {
  const decision = decideRetry({
    effect: call.effect,
    effectClass: held.key?.held.effectClass,
    hasKey: held.key !== undefined && call.tool.slot !== undefined,
    trusted: server.trusted,
    byHint: server.retries === 'by-hint',
    idempotentHint: toHint(call.tool.definition['annotations']),
    failure,
    attempt: number,
    inDoubt,
    policy: services.policy.retries,
    random: services.random(),
  });
  const outcome = toEnd(call.effect, failure.kind, inDoubt);
  const mayRetry = decision.kind === 'retry' && server.retryBudget.take(failure.kind);
  if (!mayRetry) return { kind: 'failure', failure, outcome };
  return { kind: 'failure', failure, outcome, retryAfterMs: decision.afterMs };
}

function toHint(annotations: unknown): boolean | undefined {
  const hint = isObject(annotations) ? annotations['idempotentHint'] : undefined;
  return typeof hint === 'boolean' ? hint : undefined;
}

/** The bytes that were decided on, plus the gate's key where the server takes one and the caller brought none. */
function toUpstream({ call, permit, intent, held }: Outgoing, id: RpcId): Frame {
  const { frame, tool } = call;
  const { bytes: given = frame.bytes } = permit;
  const key =
    held.key === undefined ? undefined : toKey(intent, held.key.held.partnerKey, tool.slot);
  const bytes =
    key === undefined || tool.slot === undefined ? given : insertKey(given, tool.slot, key);
  const header = key !== undefined && tool.slot?.kind === 'header' ? { [tool.slot.name]: key } : {};
  if (bytes === frame.bytes && id === call.id && tool.slot?.kind !== 'header') return frame;
  const message = bytes === frame.bytes ? frame.message : readServerFrame(bytes)?.message;
  const caller = { ...call.caller, headers: { ...call.caller.headers, ...header } };
  const sent: Frame = { bytes, message: message ?? frame.message, caller };
  return id === call.id ? sent : editFrame(sent, [{ kind: 'set', path: ['id'], value: id }]);
}

function toKey({ key }: Intent, own: string, slot: GateCall['tool']['slot']): string | undefined {
  if (slot === undefined) return undefined;
  // What the caller wrote into the arguments stays as it is.
  return key.kind === 'key' && slot.kind !== 'argument' ? key.key : own;
}

const EMPTY: ReadonlySet<string> = new Set(['null', '""']);

/** A header is not part of the message: with such a slot, the bytes come back as they are. */
export function insertKey(bytes: Uint8Array, slot: KeySlot, key: string): Uint8Array {
  if (slot.kind === 'header') return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const holder = slot.kind === 'argument' ? 'arguments' : '_meta';
  return put(bytes, text, [], ['params', holder, slot.name], JSON.stringify(key));
}

/** Goes down the path as far as it is there, and writes what is missing of it. */
function put(
  bytes: Uint8Array,
  text: string,
  there: readonly string[],
  missing: readonly string[],
  value: string,
): Uint8Array {
  const place = locate(text, there);
  if (place === undefined) return bytes;
  const [next, ...rest] = missing;
  const found = text.slice(place.start, place.end);
  // Null and the empty string say as little as nothing, so they are replaced.
  if (EMPTY.has(found)) return splice(bytes, text, place, nest(missing, value));
  if (next === undefined || text[place.start] !== '{') return bytes;
  if (locate(text, [...there, next]) !== undefined) {
    return put(bytes, text, [...there, next], rest, value);
  }
  const comma = found.slice(1, -1).trim() === '' ? '' : ',';
  const member = `${JSON.stringify(next)}:${nest(rest, value)}${comma}`;
  const start = place.start + 1;
  return splice(bytes, text, { start, end: start }, member);
}

function nest(path: readonly string[], value: string): string {
  return path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, value);
}

function splice(bytes: Uint8Array, text: string, place: Place, written: string): Uint8Array {
  const from = Buffer.byteLength(text.slice(0, place.start));
  const to = from + Buffer.byteLength(text.slice(place.start, place.end));
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(written), bytes.subarray(to)]);
}
