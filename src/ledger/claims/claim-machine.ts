/**
 * The state machine of one idempotency key. Pure: each function looks at a claim and gives the one
 * conditional write that moves it, or the answer. Whoever applies a write must not act unless the
 * row still looked as expected; that, and the order durable intent → send, is what keeps a spend
 * from happening twice.
 */
import type { Claim, ClaimRules, ClaimState, HeldClaim } from './claim.ts';
import { toHeld } from './claim.ts';
import type { Arrival, Arriving, ClaimMachine, Standing, Verdict, Write } from './moves.ts';

function arrive(claim: Claim | undefined, arriving: Arriving, rules: ClaimRules): Arrival {
  if (claim === undefined) return firstClaim(arriving, rules);
  if (claim.fingerprint !== arriving.fingerprint) return stand({ kind: 'key-reused' });
  switch (claim.state) {
    case 'SUCCEEDED':
    case 'FAILED_FINAL':
      return stand({ kind: 'replay', outcome: claim.outcome });
    case 'UNKNOWN':
      return stand({ kind: 'outcome-unknown' });
    case 'TOMBSTONE':
      return stand({ kind: 'key-expired' });
    case 'CLAIMED':
    case 'DISPATCHED':
      return claim.lease_until > arriving.now
        ? stand({ kind: 'in-flight', retryAfterMs: claim.lease_until - arriving.now })
        : takeOver(claim, arriving, rules);
  }
}

function firstClaim(arriving: Arriving, rules: ClaimRules): Arrival {
  const { now, owner } = arriving;
  const row: Claim = {
    id: arriving.id,
    tenant: arriving.tenant,
    principal: arriving.principal,
    operation: arriving.operation,
    key_hint: arriving.keyHint,
    fingerprint: arriving.fingerprint,
    state: 'CLAIMED',
    fence: 1,
    owner,
    lease_until: now + rules.leaseMs,
    effect_class: arriving.effectClass,
    attempt: '',
    downstream_key: arriving.downstreamKey,
    dispatched_at: 0,
    outcome: '',
    evidence: '[]',
    created_at: now,
    updated_at: now,
    expires_at: now + rules.replayMs,
  };
  return { kind: 'claim', write: { kind: 'insert', row }, held: toHeld(row, false) };
}

/** The lease ran out. Before the dispatch that is harmless; after it, only a dedup partner saves us. */
function takeOver(claim: Claim, { owner, now }: Arriving, rules: ClaimRules): Arrival {
  const next = { owner, fence: claim.fence + 1, lease_until: now + rules.leaseMs, updated_at: now };
  const write = { kind: 'change', expect: seen(claim), set: next } as const;
  const held = toHeld({ ...claim, ...next }, claim.state === 'DISPATCHED');
  if (claim.state === 'CLAIMED') return { kind: 'claim', write, held };
  if (mayResend(claim, now, rules)) {
    return { kind: 'resend', write: { ...write, set: { ...next, attempt: owner } }, held };
  }
  return { kind: 'give-up', write: toUnknown(claim, now) };
}

function dispatch(held: HeldClaim, now: number, rules: ClaimRules): Write {
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

function extend(held: HeldClaim, now: number, rules: ClaimRules): Write {
  return {
    kind: 'change',
    expect: mine(held, 'DISPATCHED'),
    set: { lease_until: now + rules.leaseMs, updated_at: now },
  };
}

function settle(
  held: HeldClaim,
  state: 'SUCCEEDED' | 'FAILED_FINAL',
  outcome: string,
  now: number,
  rules: ClaimRules,
): Write {
  // What is done in the ledger's own transaction was never dispatched.
  const from = held.effectClass === 'local' ? 'CLAIMED' : 'DISPATCHED';
  return {
    kind: 'change',
    expect: mine(held, from),
    set: { state, outcome, updated_at: now, expires_at: now + rules.replayMs },
  };
}

/**
 * An earlier attempt may still have been sent, and then the claim stays. A local effect may have
 * been settled by a commit that did not say so, and then the claim stays as well.
 */
function release(held: HeldClaim, now: number): Write {
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

function doubt(held: HeldClaim, now: number): Write {
  const expect = mine(held, 'DISPATCHED');
  return held.effectClass === 'dedup'
    ? { kind: 'change', expect, set: { lease_until: now, updated_at: now } }
    : { kind: 'change', expect, set: { state: 'UNKNOWN', updated_at: now } };
}

/** Never over a settled claim, and only for the attempt that was last under way. */
function late(
  claim: Claim,
  held: HeldClaim,
  outcome: string,
  now: number,
  rules: ClaimRules,
): Write | undefined {
  if (claim.state !== 'UNKNOWN' || claim.attempt !== held.owner) return undefined;
  return resolved(claim, 'SUCCEEDED', outcome, now, rules);
}

function sweep(claim: Claim, now: number, rules: ClaimRules): Write | undefined {
  if (claim.state === 'DISPATCHED' && claim.lease_until <= now && !mayResend(claim, now, rules)) {
    return toUnknown(claim, now);
  }
  const isSettled = claim.state === 'SUCCEEDED' || claim.state === 'FAILED_FINAL';
  if (isSettled && claim.expires_at <= now) {
    return {
      kind: 'change',
      expect: seen(claim),
      set: { state: 'TOMBSTONE', outcome: '', updated_at: now },
    };
  }
  return undefined;
}

function reconcile(
  claim: Claim,
  verdict: Verdict,
  now: number,
  rules: ClaimRules,
): Write | undefined {
  if (claim.state !== 'UNKNOWN' || verdict.kind === 'cannot-tell') return undefined;
  if (verdict.kind === 'executed') return resolved(claim, 'SUCCEEDED', verdict.outcome, now, rules);
  const isSettled = now - claim.dispatched_at >= rules.settleMs;
  // Under `dedup` several may have sent it, and the claim names only the last of them.
  const isLone = claim.effect_class !== 'dedup';
  const isProven = verdict.proof === 'cancelled' || (verdict.senderIsDead && isSettled && isLone);
  return isProven ? resolved(claim, 'FAILED_FINAL', verdict.outcome, now, rules) : undefined;
}

export const claimMachine: ClaimMachine = Object.freeze({
  arrive,
  dispatch,
  extend,
  settle,
  release,
  doubt,
  late,
  sweep,
  reconcile,
});

function mayResend(claim: Claim, now: number, rules: ClaimRules): boolean {
  return claim.effect_class === 'dedup' && now - claim.dispatched_at < rules.downstreamMs;
}

/** The fence grows, so that the old owner's own writes come too late. */
function toUnknown(claim: Claim, now: number): Write {
  return {
    kind: 'change',
    expect: seen(claim),
    set: { state: 'UNKNOWN', fence: claim.fence + 1, updated_at: now },
  };
}

function resolved(
  claim: Claim,
  state: ClaimState,
  outcome: string,
  now: number,
  rules: ClaimRules,
): Write {
  return {
    kind: 'change',
    expect: seen(claim),
    set: { state, outcome, updated_at: now, expires_at: now + rules.replayMs },
  };
}

function seen({ id, state, fence, owner, lease_until }: Claim): Partial<Claim> {
  return { id, state, fence, owner, lease_until };
}

function mine({ id, fence, owner }: HeldClaim, state: ClaimState): Partial<Claim> {
  return { id, state, fence, owner };
}

function stand(standing: Standing): Arrival {
  return { kind: 'standing', standing };
}
