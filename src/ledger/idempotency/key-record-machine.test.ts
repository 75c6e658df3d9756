/** Each move of the key record machine, as a table that any language can replay. */
import { describe, expect, it } from 'vitest';
import type {
  KeyRecord,
  KeyRules,
  HeldKey,
  Arriving,
  KeyRecordMachine,
  Verdict,
} from './key-record.ts';
import { keyRecordMachine } from './key-record-machine.ts';
import cases from './key-record-machine.cases.json' with { type: 'json' };

/** `null` stands for nothing. */
interface Case {
  readonly note: string;
  readonly move: keyof KeyRecordMachine;
  readonly keyRecord?: Partial<KeyRecord> | null;
  readonly arriving?: Partial<Arriving>;
  readonly held?: Partial<HeldKey>;
  readonly state?: 'SUCCEEDED' | 'FAILED_FINAL';
  readonly outcome?: string;
  readonly verdict?: Verdict;
  readonly ownerIsDead?: boolean;
  readonly gives: unknown;
}

const NOW = 10_000;
const RULES: KeyRules = { leaseMs: 30, replayMs: 1000, partnerMs: 500, settleMs: 100 };

const CLAIM: KeyRecord = {
  id: 'k',
  tenant: 't',
  principal: 'p',
  operation: 'op',
  key_hint: 'hint',
  fingerprint: 'f',
  address: '',
  state: 'CLAIMED',
  fence: 3,
  owner: 'w1',
  lease_until: 10_030,
  effect_class: 'opaque',
  attempt: '',
  partner_key: 'd',
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
  partnerKey: 'd2',
  owner: 'w2',
  now: NOW,
};

const HELD: HeldKey = {
  id: 'k',
  fence: 3,
  owner: 'w1',
  effectClass: 'opaque',
  partnerKey: 'd',
  isResend: false,
};

function answer({ move, keyRecord: changes, ...given }: Case): unknown {
  const keyRecord = { ...CLAIM, ...changes };
  const held = { ...HELD, ...given.held };
  const { state = 'SUCCEEDED', outcome = '', verdict = { kind: 'cannot-tell' } } = given;
  switch (move) {
    case 'arrive': {
      const found = changes === null ? undefined : keyRecord;
      return keyRecordMachine.arrive(found, { ...ARRIVING, ...given.arriving }, RULES);
    }
    case 'dispatch':
    case 'extend':
      return keyRecordMachine[move](held, NOW, RULES);
    case 'settle':
      return keyRecordMachine.settle(held, state, outcome, NOW, RULES);
    case 'release':
    case 'doubt':
      return keyRecordMachine[move](held, NOW);
    case 'deliver':
      return keyRecordMachine.deliver(held);
    case 'late':
      return keyRecordMachine.late(keyRecord, held, outcome, NOW, RULES);
    case 'sweep':
      return keyRecordMachine.sweep(keyRecord, NOW, RULES, given.ownerIsDead ?? false);
    case 'reconcile':
      return keyRecordMachine.reconcile(keyRecord, verdict, NOW, RULES);
  }
}

const table = cases as readonly Case[];

describe.each(Object.keys(keyRecordMachine) as (keyof KeyRecordMachine)[])('%s', (move) => {
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
    expect(new Set(table.map(({ move }) => move))).toEqual(new Set(Object.keys(keyRecordMachine)));
  });
});
