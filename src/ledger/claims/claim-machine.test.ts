/** Each move of the claim machine, as a table that any language can replay. */
import { describe, expect, it } from 'vitest';
import type { Claim, ClaimRules, HeldClaim } from './claim.ts';
import { claimMachine } from './claim-machine.ts';
import cases from './claim-machine.cases.json' with { type: 'json' };
import type { Arriving, ClaimMachine, Verdict } from './moves.ts';

/** `null` stands for nothing. */
interface Case {
  readonly note: string;
  readonly move: keyof ClaimMachine;
  readonly claim?: Partial<Claim> | null;
  readonly arriving?: Partial<Arriving>;
  readonly held?: Partial<HeldClaim>;
  readonly state?: 'SUCCEEDED' | 'FAILED_FINAL';
  readonly outcome?: string;
  readonly verdict?: Verdict;
  readonly gives: unknown;
}

const NOW = 10_000;
const RULES: ClaimRules = { leaseMs: 30, replayMs: 1000, downstreamMs: 500, settleMs: 100 };

const CLAIM: Claim = {
  id: 'k',
  tenant: 't',
  principal: 'p',
  operation: 'op',
  key_hint: 'hint',
  fingerprint: 'f',
  state: 'CLAIMED',
  fence: 3,
  owner: 'w1',
  lease_until: 10_030,
  effect_class: 'opaque',
  attempt: '',
  downstream_key: 'd',
  dispatched_at: 0,
  outcome: '',
  evidence: '[]',
  created_at: 9000,
  updated_at: 9000,
  expires_at: 20_000,
};

const ARRIVING: Arriving = {
  id: 'k',
  tenant: 't',
  principal: 'p',
  operation: 'op',
  keyHint: 'hint',
  fingerprint: 'f',
  effectClass: 'opaque',
  downstreamKey: 'd2',
  owner: 'w2',
  now: NOW,
};

const HELD: HeldClaim = {
  id: 'k',
  fence: 3,
  owner: 'w1',
  effectClass: 'opaque',
  downstreamKey: 'd',
  isResend: false,
};

function answer({ move, claim: changes, ...given }: Case): unknown {
  const claim = { ...CLAIM, ...changes };
  const held = { ...HELD, ...given.held };
  const { state = 'SUCCEEDED', outcome = '', verdict = { kind: 'cannot-tell' } } = given;
  switch (move) {
    case 'arrive': {
      const found = changes === null ? undefined : claim;
      return claimMachine.arrive(found, { ...ARRIVING, ...given.arriving }, RULES);
    }
    case 'dispatch':
    case 'extend':
      return claimMachine[move](held, NOW, RULES);
    case 'settle':
      return claimMachine.settle(held, state, outcome, NOW, RULES);
    case 'release':
    case 'doubt':
      return claimMachine[move](held, NOW);
    case 'late':
      return claimMachine.late(claim, held, outcome, NOW, RULES);
    case 'sweep':
      return claimMachine.sweep(claim, NOW, RULES);
    case 'reconcile':
      return claimMachine.reconcile(claim, verdict, NOW, RULES);
  }
}

const table = cases as readonly Case[];

describe.each(Object.keys(claimMachine) as (keyof ClaimMachine)[])('%s', (move) => {
  const named = table
    .filter((each) => each.move === move)
    .map((each) => [each.note, each] as const);

  it.each(named)('%s', (_, each) => {
    expect(answer(each) ?? null).toEqual(each.gives);
  });
});

describe('the table', () => {
  it('names each case once', () => {
    expect(new Set(table.map(({ note }) => note)).size).toBe(table.length);
  });

  it('has a case for every move', () => {
    expect(new Set(table.map(({ move }) => move))).toEqual(new Set(Object.keys(claimMachine)));
  });
});
