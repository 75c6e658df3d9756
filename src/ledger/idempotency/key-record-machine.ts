/**
 * The state machine of one idempotency key. Pure: each function takes a key record and returns the one
 * conditional write that moves it, or the answer. The caller must act on a write only if the row was
 * still as expected; that, and the order durable intent → send, is what keeps a spend from happening
 * twice.
 */
import type {
  KeyRecord,
  KeyRules,
  KeyState,
  HeldKey,
  Arrival,
  Arriving,
  KeyRecordMachine,
  Standing,
  Verdict,
  Write,
} from './key-record.ts';
import { isElsewhere, toHeld } from './key-record.ts';

function arrive(keyRecord: KeyRecord | undefined, arriving: Arriving, rules: KeyRules): Arrival {
  if (keyRecord === undefined) return firstClaim(arriving, rules);
  const isSame = keyRecord.fingerprint === arriving.fingerprint;
  if (!isSame || isElsewhere(keyRecord, arriving.address ?? '')) {
    return stand({ kind: 'key-reused' });
  }
  switch (keyRecord.state) {
    case 'SUCCEEDED':
    case 'FAILED_FINAL':
      return stand({ kind: 'replay', outcome: keyRecord.outcome });
    case 'UNKNOWN':
      return stand({ kind: 'outcome-unknown' });
    case 'TOMBSTONE':
      return stand({ kind: 'key-expired' });
    case 'CLAIMED':
    case 'DISPATCHED':
      return keyRecord.lease_until > arriving.now
        ? stand({ kind: 'in-flight', retryAfterMs: keyRecord.lease_until - arriving.now })
        : takeOver(keyRecord, arriving, rules);
  }
}

function firstClaim(arriving: Arriving, rules: KeyRules): Arrival {
  const { now, owner } = arriving;
  const row: KeyRecord = {
    id: arriving.id,
    tenant: arriving.tenant,
    principal: arriving.principal,
    operation: arriving.operation,
    key_hint: arriving.keyHint,
    fingerprint: arriving.fingerprint,
    address: arriving.address ?? '',
    state: 'CLAIMED',
    fence: 1,
    owner,
    lease_until: now + rules.leaseMs,
    effect_class: arriving.effectClass,
    attempt: '',
    partner_key: arriving.partnerKey,
    dispatched_at: 0,
    outcome: '',
    evidence: '[]',
    created_at: now,
    updated_at: now,
    expires_at: now + rules.replayMs,
  };
  return { kind: 'keyRecord', write: { kind: 'insert', row }, held: toHeld(row, false) };
}

/**
 * The lease has expired. Before the dispatch that is harmless; after it, only a dedup partner allows a
 * resend.
 */
function takeOver(keyRecord: KeyRecord, { owner, now }: Arriving, rules: KeyRules): Arrival {
  const next = {
    owner,
    fence: keyRecord.fence + 1,
    lease_until: now + rules.leaseMs,
    updated_at: now,
  };
  const write = { kind: 'change', expect: seen(keyRecord), set: next } as const;
  const held = toHeld({ ...keyRecord, ...next }, keyRecord.state === 'DISPATCHED');
  if (keyRecord.state === 'CLAIMED') return { kind: 'keyRecord', write, held };
  if (mayResend(keyRecord, now, rules)) {
    return { kind: 'resend', write: { ...write, set: { ...next, attempt: owner } }, held };
  }
  return { kind: 'give-up', write: toUnknown(keyRecord, now) };
}

function dispatch(held: HeldKey, now: number, rules: KeyRules): Write {
  return {
    kind: 'change',
    expect: mine(held, 'CLAIMED'),
    set: {
      state: 'DISPATCHED',
      attempt: held.owner,
      dispatched_at: now,
      lease_until: now + rules.leaseMs,
      updated_at: now,
    },
  };
}

function extend(held: HeldKey, now: number, rules: KeyRules): Write {
  return {
    kind: 'change',
    expect: mine(held, 'DISPATCHED'),
    set: { lease_until: now + rules.leaseMs, updated_at: now },
  };
}

function settle(
  held: HeldKey,
  state: 'SUCCEEDED' | 'FAILED_FINAL',
  outcome: string,
  now: number,
  rules: KeyRules,
): Write {
  // A local effect is never dispatched.
  const from = held.effectClass === 'local' ? 'CLAIMED' : 'DISPATCHED';
  return {
    kind: 'change',
    expect: mine(held, from),
    set: { state, outcome, updated_at: now, expires_at: now + rules.replayMs },
  };
}

/**
 * If an earlier attempt may have been sent, the key record stays. It also stays if a local effect may
 * have been settled by a commit with an unknown result.
 */
function release(held: HeldKey, now: number): Write {
  if (held.isResend) {
    return {
      kind: 'change',
      expect: mine(held, 'DISPATCHED'),
      set: { lease_until: now, updated_at: now },
    };
  }
  const { id, fence, owner, effectClass } = held;
  const expect = effectClass === 'local' ? mine(held, 'CLAIMED') : { id, fence, owner };
  return { kind: 'remove', expect };
}

function doubt(held: HeldKey, now: number): Write {
  const expect = mine(held, 'DISPATCHED');
  return held.effectClass === 'dedup'
    ? { kind: 'change', expect, set: { lease_until: now, updated_at: now } }
    : { kind: 'change', expect, set: { state: 'UNKNOWN', updated_at: now } };
}

const DELIVERED = JSON.stringify([{ kind: 'delivered' }]);

/** Only evidence: a replay is the same, whether or not the answer was delivered before. */
function deliver({ id, owner }: HeldKey): Write {
  const expect = { id, owner, state: 'SUCCEEDED', evidence: '[]' } as const;
  return { kind: 'change', expect, set: { evidence: DELIVERED } };
}

/** Never overwrites a settled key record, and only for the latest attempt. */
function late(
  keyRecord: KeyRecord,
  held: HeldKey,
  outcome: string,
  now: number,
  rules: KeyRules,
): Write | undefined {
  if (keyRecord.state !== 'UNKNOWN' || keyRecord.attempt !== held.owner) return undefined;
  return resolved(keyRecord, 'SUCCEEDED', outcome, now, rules);
}

function sweep(
  keyRecord: KeyRecord,
  now: number,
  rules: KeyRules,
  ownerIsDead: boolean,
): Write | undefined {
  const isOpen = keyRecord.state === 'CLAIMED' || keyRecord.state === 'DISPATCHED';
  const isOver = keyRecord.lease_until <= now;
  if (keyRecord.state === 'DISPATCHED' && !mayResend(keyRecord, now, rules)) {
    return isOver || ownerIsDead ? toUnknown(keyRecord, now) : undefined;
  }
  if (isOpen && ownerIsDead && !isOver) {
    const set = { lease_until: now, updated_at: now };
    return { kind: 'change', expect: seen(keyRecord), set };
  }
  const isSettled = keyRecord.state === 'SUCCEEDED' || keyRecord.state === 'FAILED_FINAL';
  if (isSettled && keyRecord.expires_at <= now) {
    return {
      kind: 'change',
      expect: seen(keyRecord),
      set: { state: 'TOMBSTONE', outcome: '', updated_at: now },
    };
  }
  return undefined;
}

function reconcile(
  keyRecord: KeyRecord,
  verdict: Verdict,
  now: number,
  rules: KeyRules,
): Write | undefined {
  if (keyRecord.state !== 'UNKNOWN' || verdict.kind === 'cannot-tell') return undefined;
  if (verdict.kind === 'executed')
    return resolved(keyRecord, 'SUCCEEDED', verdict.outcome, now, rules);
  const isSettled = now - keyRecord.dispatched_at >= rules.settleMs;
  // Under `dedup` several attempts may have been sent, and the key record names only the last.
  const isLone = keyRecord.effect_class !== 'dedup';
  const isProven = verdict.proof === 'cancelled' || (verdict.senderIsDead && isSettled && isLone);
  return isProven ? resolved(keyRecord, 'FAILED_FINAL', verdict.outcome, now, rules) : undefined;
}

export const keyRecordMachine: KeyRecordMachine = Object.freeze({
  arrive,
  dispatch,
  extend,
  settle,
  release,
  doubt,
  deliver,
  late,
  sweep,
  reconcile,
});

function mayResend(keyRecord: KeyRecord, now: number, rules: KeyRules): boolean {
  return keyRecord.effect_class === 'dedup' && now - keyRecord.dispatched_at < rules.partnerMs;
}

/** The fence is incremented, so that the old owner's writes fail. */
function toUnknown(keyRecord: KeyRecord, now: number): Write {
  return {
    kind: 'change',
    expect: seen(keyRecord),
    set: { state: 'UNKNOWN', fence: keyRecord.fence + 1, updated_at: now },
  };
}

function resolved(
  keyRecord: KeyRecord,
  state: KeyState,
  outcome: string,
  now: number,
  rules: KeyRules,
): Write {
  return {
    kind: 'change',
    expect: seen(keyRecord),
    set: { state, outcome, updated_at: now, expires_at: now + rules.replayMs },
  };
}

function seen({ id, state, fence, owner, lease_until }: KeyRecord): Partial<KeyRecord> {
  return { id, state, fence, owner, lease_until };
}

function mine({ id, fence, owner }: HeldKey, state: KeyState): Partial<KeyRecord> {
  return { id, state, fence, owner };
}

function stand(standing: Standing): Arrival {
  return { kind: 'standing', standing };
}
