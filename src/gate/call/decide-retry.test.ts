/** The retry table, as cases that any language can replay, and what the conventions ask of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EffectClass } from '../../effect/partner.ts';
import type { Effect } from '../../effect/effect.ts';
import {
  appends,
  creates,
  deletes,
  reads,
  shares,
  sets,
  spends,
  updates,
} from '../../effect/acts.ts';
import { combineEffects } from '../../effect/combine-effects.ts';
import { epd } from '../../effect/conventions/epd.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { RepeatSpelling } from '../../effect/repeat.ts';
import { repeat } from '../../effect/repeat.ts';
import type { Tier } from '../../effect/tier.ts';
import { TIER_NAMES, TIERS } from '../../effect/tier.ts';
import type { Failure } from '../protocol/channel.ts';
import cases from './decide-retry.cases.json' with { type: 'json' };
import type { RetryDecision, RetryFacts, RetryTerms } from './decide-retry.ts';
import { decideRetry, RETRY_POLICY } from './decide-retry.ts';

interface Case {
  readonly note: string;
  readonly call: {
    readonly tier: Tier;
    readonly repeat: RepeatSpelling;
    readonly trusted: boolean;
    /** `null` stands for nothing known. */
    readonly effectClass: EffectClass | null;
    readonly hasKey: boolean;
    readonly idempotentHint?: boolean;
  };
  readonly failure: RetryFacts['failure'];
  readonly attempt: number;
  readonly inDoubt?: boolean;
  readonly random?: number;
  readonly gives: RetryDecision;
}

const table = cases as readonly Case[];

const LOST: Failure = { kind: 'lost', detail: 'the connection broke' };
const NOT_SENT: Failure = { kind: 'not-sent', detail: 'nobody listens' };
const REFUSED: Failure = { kind: 'refused', detail: 'busy', status: 503, retryAfterSeconds: 1 };
const BROKEN = { kind: 'answered', status: 502 } as const;
const DOUBTS = [LOST, BROKEN];

function effectOf(tier: Tier, spelling: RepeatSpelling): Effect {
  return { ...reads('thing'), tier, repeat: repeat(spelling) };
}

function decide(
  effect: Effect,
  failure: RetryFacts['failure'],
  terms: Partial<RetryTerms> = {},
): RetryDecision {
  const known = { effectClass: undefined, hasKey: false, trusted: true, ...terms };
  return decideRetry({ effect, ...known, failure, attempt: 1, policy: RETRY_POLICY, random: 0.5 });
}

describe('the retry table', () => {
  it.each(table.map((each) => [each.note, each] as const))('%s', (_, each) => {
    const { call, failure, attempt, inDoubt = false, random = 0.5 } = each;
    const { tier, repeat: spelling, effectClass, ...rest } = call;
    const decision = decideRetry({
      ...rest,
      effect: effectOf(tier, spelling),
      effectClass: effectClass ?? undefined,
      failure,
      attempt,
      inDoubt,
      policy: RETRY_POLICY,
      random,
    });
    expect(decision).toEqual(each.gives);
  });

  it('names each case once, and has enough of them', () => {
    expect(new Set(table.map(({ note }) => note)).size).toBe(table.length);
    expect(table.length).toBeGreaterThan(60);
  });
});

describe('what the conventions ask', () => {
  it('R139: a spend in doubt is sent again under the same key, or not at all', () => {
    const spend = spends('credits');
    for (const failure of DOUBTS) {
      const keyed = decide(spend, failure, { hasKey: true, effectClass: 'dedup' });
      expect(keyed).toMatchObject({ kind: 'retry', sameKey: true });
      for (const effectClass of ['lookup', 'opaque', undefined] as const) {
        const decision = decide(spend, failure, { hasKey: true, effectClass });
        expect(decision).toMatchObject({ kind: 'stop', end: 'unknown' });
      }
      const bare = decide(spend, failure, { hasKey: false, effectClass: 'dedup' });
      expect(bare).toMatchObject({ kind: 'stop', end: 'unknown' });
    }
  });

  it('a spend that also shares or deletes is not sent again, even under the same key', () => {
    const terms = { hasKey: true, effectClass: 'dedup' } as const;
    for (const other of [shares('link'), deletes('note')]) {
      const effect = combineEffects([spends('credits'), other]);
      for (const failure of DOUBTS) expect(decide(effect, failure, terms).kind).toBe('stop');
    }
  });

  it('R140: a destructive call in doubt is never sent again, whatever is claimed or keyed', () => {
    const removals = [deletes('note'), deletes('note', { repeat: 'key-optional' })];
    for (const effect of removals) {
      for (const failure of [...DOUBTS, REFUSED]) {
        for (const effectClass of ['dedup', 'lookup', 'opaque', 'local', undefined] as const) {
          for (const hasKey of [true, false]) {
            const terms = { effectClass, hasKey, trusted: true, idempotentHint: true };
            expect(decide(effect, failure, terms).kind).toBe('stop');
          }
        }
      }
    }
  });

  it('R141: idempotentHint true from a stranger does not make a call repeatable', () => {
    const names = ['update_note', 'set_status', 'create_invoice', 'delete_note', 'charge_card'];
    for (const name of names) {
      const tool = { name, annotations: { readOnlyHint: false, idempotentHint: true } };
      const { effect } = inferEffect(tool, { trusted: false });
      for (const failure of DOUBTS) {
        const decision = decide(effect, failure, { trusted: false, idempotentHint: true });
        expect(decision).toMatchObject({ kind: 'stop', end: 'unknown' });
      }
    }
    const create = inferEffect({ name: 'create_note', annotations: { idempotentHint: true } });
    expect(decide(create.effect, LOST, { idempotentHint: true }).kind).toBe('stop');
  });

  it('a trusted declaration tells whether a transport error may be retried', () => {
    const repeatable = [reads('note'), sets('note'), updates('note')];
    for (const effect of repeatable) {
      for (const failure of [LOST, NOT_SENT, REFUSED]) {
        expect(decide(effect, failure).kind).toBe('retry');
      }
    }
    expect(decide(updates('note'), LOST, { idempotentHint: false }).kind).toBe('stop');
    expect(decide(creates('note'), LOST).kind).toBe('stop');
  });

  it('R144: creates, appends and updates under a version are only sent again if they never left', () => {
    const etag = updates('note', { repeat: 'version-required' });
    for (const effect of [creates('note'), appends('note'), etag]) {
      expect(decide(effect, NOT_SENT).kind).toBe('retry');
      for (const failure of [...DOUBTS, REFUSED]) expect(decide(effect, failure).kind).toBe('stop');
    }
  });

  it('what EPD hints to be idempotent and asks nobody about is retried after a 5xx', () => {
    const account = { reach: 'own-account' } as const;
    const keyed = creates('customer', { ...account, repeat: 'key-optional' });
    const plain = [reads('customer', account), updates('customer', account), sets('tax', account)];
    for (const effect of [...plain, keyed]) {
      expect(epd.hints(effect).idempotentHint).toBe(true);
      const hasKey = effect === keyed;
      const effectClass = hasKey ? 'dedup' : undefined;
      const decision = decide(effect, BROKEN, { hasKey, effectClass, idempotentHint: true });
      expect(decision).toMatchObject({ kind: 'retry', sameKey: hasKey });
    }
  });

  it('by hint, what a trusted server calls repeatable is sent again, of whatever tier', () => {
    const removal = deletes('note', { repeat: ['end-state', 'key-optional'] });
    const terms = { byHint: true, trusted: true, idempotentHint: true };
    for (const failure of DOUBTS) {
      expect(decide(removal, failure, terms).kind).toBe('retry');
      for (const change of [{ byHint: false }, { trusted: false }, { idempotentHint: false }]) {
        expect(decide(removal, failure, { ...terms, ...change }).kind).toBe('stop');
      }
      // Repeatable only under a key: without one it is not.
      const spend = spends('credits');
      expect(decide(spend, failure, { ...terms, hasKey: true }).kind).toBe('retry');
      expect(decide(spend, failure, { ...terms, hasKey: false }).kind).toBe('stop');
    }
  });

  it('a share in doubt is never sent again', () => {
    for (const failure of [...DOUBTS, REFUSED])
      expect(decide(shares('note'), failure).kind).toBe('stop');
  });
});

describe('always', () => {
  const facts = fc.record({
    tier: fc.constantFrom(...TIER_NAMES),
    spelling: fc.constantFrom<RepeatSpelling>('same', 'end-state', 'key-required', 'fresh'),
    trusted: fc.boolean(),
    hasKey: fc.boolean(),
    effectClass: fc.constantFrom<EffectClass | undefined>('dedup', 'lookup', 'opaque', undefined),
    kind: fc.constantFrom<Failure['kind']>('not-sent', 'refused', 'lost'),
    retryAfterSeconds: fc.double(),
    attempt: fc.integer({ min: 1, max: 60 }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  });

  it('a wait is a number from nothing to the cap, whatever the server hints', () => {
    let waits = 0;
    fc.assert(
      fc.property(facts, ({ tier, spelling, kind, retryAfterSeconds, ...rest }) => {
        const policy = { attempts: 100, baseMs: 100, capMs: 5000 };
        const failure = { kind, detail: '', retryAfterSeconds };
        const decision = decideRetry({
          ...rest,
          effect: effectOf(tier, spelling),
          failure,
          policy,
        });
        if (decision.kind === 'stop') return;
        waits += 1;
        expect(decision.afterMs).toBeGreaterThanOrEqual(0);
        expect(decision.afterMs).toBeLessThanOrEqual(5000);
        // An asking call is only ever repeated when it never left, or is a spend under its key.
        const isKeyedSpend = TIERS[tier].retries === 'same-key' && decision.sameKey;
        expect(!TIERS[tier].asks || kind === 'not-sent' || isKeyedSpend).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(waits).toBeGreaterThan(100);
  });
});
