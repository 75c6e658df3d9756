/** The vocabulary of key records: states, effect classes, and time limits. */
import type { EffectClass } from '../../effect/partner.ts';
import type { KeyRecordRow } from '../tables.ts';

export type { EffectClass };

/**
 * - `CLAIMED`: a worker holds the lease; nothing has been attempted.
 * - `DISPATCHED`: the intent is durable; the effect may have happened.
 * - `SUCCEEDED`, `FAILED_FINAL`: settled for good, with the answer.
 * - `UNKNOWN`: it may have happened, and it is not retried automatically.
 * - `TOMBSTONE`: settled long ago; the answer was deleted, the key stays used.
 */
export type KeyState =
  | 'CLAIMED'
  | 'DISPATCHED'
  | 'SUCCEEDED'
  | 'FAILED_FINAL'
  | 'UNKNOWN'
  | 'TOMBSTONE';

export interface KeyRecord extends Omit<KeyRecordRow, 'state' | 'effect_class'> {
  readonly state: KeyState;
  readonly effect_class: EffectClass;
}

export interface KeyRules {
  readonly leaseMs: number;
  /** How long an answer is stored for replay. */
  readonly replayMs: number;
  /** How long a `dedup` partner is guaranteed to remember our key; after that nothing is resent. */
  readonly partnerMs: number;
  /** After this long, what a partner has not done will not happen. */
  readonly settleMs: number;
}

const HOUR = 3_600_000;

/** The lease and one sweep take less than 20 seconds: nothing that crashed stays open for longer. */
export const KEY_RULES: KeyRules = Object.freeze({
  leaseMs: 12_000,
  replayMs: 30 * 24 * HOUR,
  partnerMs: 23 * HOUR,
  settleMs: 15 * 60_000,
});

/** What the holder of a key record needs to continue with it. */
export interface HeldKey {
  readonly id: string;
  readonly fence: number;
  readonly owner: string;
  readonly effectClass: EffectClass;
  readonly partnerKey: string;
  /** An earlier attempt may have reached the partner already. */
  readonly isResend: boolean;
}

/** The class and state columns are checked by the table itself. */
export function toKeyRecord(row: KeyRecordRow): KeyRecord {
  return row as KeyRecordRow & KeyRecord;
}

/** One whose address is not known counts for every server of its name: what it guards must not run twice. */
export function isElsewhere(keyRecord: KeyRecord, address: string): boolean {
  return keyRecord.address !== '' && address !== '' && keyRecord.address !== address;
}

/** Whether it is certain that the caller got the answer. */
export function wasDelivered({ evidence }: KeyRecord): boolean {
  const known = JSON.parse(evidence) as readonly { readonly kind?: string }[]; // a JSON list of ours
  return known.some(({ kind }) => kind === 'delivered');
}

export function toHeld(keyRecord: KeyRecord, isResend: boolean): HeldKey {
  return Object.freeze({
    id: keyRecord.id,
    fence: keyRecord.fence,
    owner: keyRecord.owner,
    effectClass: keyRecord.effect_class,
    partnerKey: keyRecord.partner_key,
    isResend,
  });
}

/** What can be done to a key record, as data: arrivals, writes, states and verdicts. */
export type Write =
  | { readonly kind: 'insert'; readonly row: KeyRecord }
  | {
      readonly kind: 'change';
      readonly expect: Partial<KeyRecord>;
      readonly set: Partial<KeyRecord>;
    }
  | { readonly kind: 'remove'; readonly expect: Partial<KeyRecord> };

/** The answer to a caller whose call does not run. */
export type Standing =
  | { readonly kind: 'replay'; readonly outcome: string }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'in-flight'; readonly retryAfterMs: number }
  | { readonly kind: 'outcome-unknown' }
  | { readonly kind: 'key-expired' };

export type Arrival =
  /** Nothing was attempted yet: take it, then dispatch. */
  | { readonly kind: 'keyRecord'; readonly write: Write; readonly held: HeldKey }
  /** It may have been attempted, and the partner dedups: send again under the same key. */
  | { readonly kind: 'resend'; readonly write: Write; readonly held: HeldKey }
  /** It may have been attempted, and the outcome is unknown: settle it as UNKNOWN. */
  | { readonly kind: 'give-up'; readonly write: Write }
  | { readonly kind: 'standing'; readonly standing: Standing };

/** A call that requests its key record. */
export interface Asking {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly operation: string;
  readonly keyHint: string;
  readonly fingerprint: string;
  /** At a gate: tells servers of one name apart. */
  readonly address?: string;
  readonly effectClass: EffectClass;
}

/** What a call requests, independent of its key. */
export type Intent = Pick<Asking, 'tenant' | 'principal' | 'operation' | 'fingerprint'>;

export interface Arriving extends Asking {
  readonly partnerKey: string;
  /** Unique to this arrival, so that an old owner is never taken for a new one. */
  readonly owner: string;
  readonly now: number;
}

export interface KeyRecordMachine {
  readonly arrive: (
    keyRecord: KeyRecord | undefined,
    arriving: Arriving,
    rules: KeyRules,
  ) => Arrival;
  /** The intent, made durable before the first byte is sent. */
  readonly dispatch: (held: HeldKey, now: number, rules: KeyRules) => Write;
  readonly extend: (held: HeldKey, now: number, rules: KeyRules) => Write;
  readonly settle: (
    held: HeldKey,
    state: 'SUCCEEDED' | 'FAILED_FINAL',
    outcome: string,
    now: number,
    rules: KeyRules,
  ) => Write;
  /** It is certain that this attempt sent nothing. */
  readonly release: (held: HeldKey, now: number) => Write;
  /** This attempt may or may not have had its effect. */
  readonly doubt: (held: HeldKey, now: number) => Write;
  /** The caller got the answer; recorded after sending it, which a crash may prevent. */
  readonly deliver: (held: HeldKey) => Write;
  /** The answer of an abandoned attempt. */
  readonly late: (
    keyRecord: KeyRecord,
    held: HeldKey,
    outcome: string,
    now: number,
    rules: KeyRules,
  ) => Write | undefined;
  /** Transitions by time; the lease of an owner that is certainly dead has expired. */
  readonly sweep: (
    keyRecord: KeyRecord,
    now: number,
    rules: KeyRules,
    ownerIsDead: boolean,
  ) => Write | undefined;
  readonly reconcile: (
    keyRecord: KeyRecord,
    verdict: Verdict,
    now: number,
    rules: KeyRules,
  ) => Write | undefined;
}

/** What became known later about an UNKNOWN key record. */
export type Verdict =
  | { readonly kind: 'executed'; readonly outcome: string }
  | {
      readonly kind: 'not-executed';
      readonly outcome: string;
      /** `cancelled`: the partner promised never to do it. `not-found`: it was only looked for. */
      readonly proof: 'cancelled' | 'not-found';
      /**
       * The sender had been dead for the whole settle window when the partner was queried, so nothing
       * from it can still have been in flight.
       */
      readonly senderIsDead: boolean;
    }
  | { readonly kind: 'cannot-tell' };
