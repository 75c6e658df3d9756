/** Each move of the approval machine, as a table that any language can replay. */
import { describe, expect, it } from 'vitest';
import {
  toTestAnswer,
  toTestBinding,
  toTestCardInit,
} from '../../../test/gate/approval-fixture.ts';
import type { GrantScope } from '../policy/verdict.ts';
import type { Answer, ApprovalMachine, Mark } from './approval-machine.ts';
import { approvalMachine, isSameQuestion } from './approval-machine.ts';
import cases from './approval-machine.cases.json' with { type: 'json' };
import type { Approval, ApprovalState, WithdrawalReason } from './approval.ts';
import { WITHDRAWALS } from './approval.ts';
import type { Card, CardInit } from './card.ts';
import { digestCard, toCard } from './card.ts';
import type { Binding } from './binding.ts';

/**
 * What a case leaves out is as in the fixture. `<display>` stands for the card's digest, and
 * `<binding>` for all fields of the binding. Of a refusal, its sentence is left out.
 */
interface Case {
  readonly note: string;
  readonly move: keyof ApprovalMachine;
  readonly approval?: Partial<Approval>;
  readonly binding?: Partial<Binding>;
  readonly scopes?: readonly GrantScope[];
  /** A card with another reason than the one that was digested. */
  readonly cardWhy?: string;
  readonly answer?: Partial<Answer>;
  readonly refuseSelf?: boolean;
  /** How the call that uses the yes differs from the one that was approved. */
  readonly used?: Partial<Binding>;
  readonly reason?: WithdrawalReason;
  readonly as?: Mark;
  readonly holdSeconds?: number;
  readonly gives: unknown;
}

const NOW = 10_000;

function toTestApproval({ approval, binding, scopes, cardWhy }: Case): Approval {
  const init = toTestCardInit(scopes === undefined ? {} : { scopes });
  return {
    id: 'a1',
    state: 'PENDING',
    binding: toTestBinding(binding),
    display: digestCard(toCard(init)),
    card: toCard(cardWhy === undefined ? init : { ...init, why: cardWhy }),
    approver: '',
    channel: '',
    reason: '',
    keyRecord: '',
    createdAt: 9000,
    expiresAt: 20_000,
    decidedAt: 0,
    usedAt: 0,
    callerGoneAt: 0,
    formDismissedAt: 0,
    heldUntil: 0,
    ...approval,
  };
}

function give(each: Case): unknown {
  const approval = toTestApproval(each);
  switch (each.move) {
    case 'answer': {
      const answer = toTestAnswer(approval.display, each.answer);
      return approvalMachine.answer(approval, answer, NOW, {
        refuseSelf: each.refuseSelf ?? false,
      });
    }
    case 'use': {
      const binding = { ...approval.binding, ...each.used };
      return approvalMachine.use(approval, binding, 'claim1', NOW);
    }
    case 'expire':
      return approvalMachine.expire(approval, NOW) ?? null;
    case 'withdraw':
      return approvalMachine.withdraw(approval, each.reason ?? 'cancelled', NOW) ?? null;
    case 'mark':
      return approvalMachine.mark(approval, each.as ?? 'caller-gone', NOW) ?? null;
    case 'welcome':
      return approvalMachine.welcome(approval, 'g2', each.holdSeconds ?? 0, NOW) ?? null;
  }
}

function toWanted({ gives, ...each }: Case): unknown {
  const { display, binding } = toTestApproval({ ...each, gives });
  const text = JSON.stringify(gives)
    .replaceAll('"<display>"', JSON.stringify(display))
    .replaceAll('"<binding>":true', JSON.stringify(binding).slice(1, -1));
  return JSON.parse(text) as unknown;
}

const table = cases as readonly Case[];

describe.each(Object.keys(approvalMachine) as (keyof ApprovalMachine)[])('%s', (move) => {
  const named = table
    .filter((each) => each.move === move)
    .map((each) => [each.note, each] as const);

  it.each(named)('%s', (_, each) => {
    const { detail, ...given } = { detail: '-', ...(give(each) as object | null) };
    const wanted = toWanted(each);
    expect(give(each) === null ? null : given).toEqual(wanted);
    expect(detail).not.toBe('');
  });
});

describe('the table', () => {
  it('names each case once', () => {
    expect(new Set(table.map(({ note }) => note)).size).toBe(table.length);
  });

  it('has a case of every move for every state', () => {
    const seen = new Set(
      table.map(({ move, approval }) => `${move} ${approval?.state ?? 'PENDING'}`),
    );
    expect(seen.size).toBe(6 * 6);
  });

  it('has a case of every reason to withdraw, for an open question and for one with its yes', () => {
    const seen = table
      .filter(({ move }) => move === 'withdraw')
      .map(({ approval, reason }) => `${approval?.state ?? 'PENDING'} ${reason ?? 'cancelled'}`);
    for (const reason of Object.keys(WITHDRAWALS)) {
      expect(seen).toContain(`PENDING ${reason}`);
      expect(seen).toContain(`APPROVED ${reason}`);
    }
  });

  it('has a use for every field of a binding', () => {
    const fields = table.flatMap(({ used }) => Object.keys(used ?? {}));
    expect(new Set(fields)).toEqual(new Set(Object.keys(toTestBinding())));
  });
});

describe('a question without its card', () => {
  const { card: _, ...approval } = toTestApproval({ note: '', move: 'use', gives: null });

  it('cannot be answered', () => {
    const answer = toTestAnswer(approval.display);
    const end = approvalMachine.answer(approval, answer, NOW, { refuseSelf: false });
    expect(end).toMatchObject({ kind: 'refused', code: 'expired' });
  });

  it('does not serve a call that has a price', () => {
    expect(isSameQuestion(approval, toCard(toTestCardInit()))).toBe(false);
  });
});

describe('whether a question serves the call that is made now', () => {
  const price = (amount: string | undefined, unit: string = 'EUR'): Partial<CardInit> =>
    amount === undefined ? {} : { price: { amount, unit, from: 'estimate_order' } };
  const cardAt = (init: Partial<CardInit>): Card => {
    const { price: _, ...rest } = toTestCardInit();
    return toCard({ ...rest, ...init });
  };

  it.each<[string, ApprovalState, Partial<CardInit>, Partial<CardInit>, boolean]>([
    ['the same price', 'APPROVED', price('5'), price('5'), true],
    ['the same amount in another spelling', 'APPROVED', price('5'), price('5.00'), true],
    ['another amount', 'APPROVED', price('5'), price('6'), false],
    ['another amount, while open', 'PENDING', price('5'), price('6'), false],
    ['another unit', 'APPROVED', price('5'), price('5', 'USD'), false],
    ['no price this time', 'APPROVED', price('5'), price(undefined), true],
    ['no price this time, while open', 'PENDING', price('5'), price(undefined), true],
    ['never a price', 'APPROVED', price(undefined), price(undefined), true],
    ['a price after a yes without one', 'APPROVED', price(undefined), price('5'), true],
    ['a price after an open question without one', 'PENDING', price(undefined), price('5'), false],
    ['amounts that are no numbers', 'APPROVED', price('much'), price('more'), false],
    ['the same amount, which is no number', 'APPROVED', price('much'), price('much'), true],
    ['a blank amount, which is not zero', 'APPROVED', price(' '), price('0'), false],
  ])('%s (%s)', (_, state, known, now, same) => {
    const approval = toTestApproval({ note: '', move: 'use', gives: null });
    expect(isSameQuestion({ ...approval, state, card: cardAt(known) }, cardAt(now))).toBe(same);
  });
});
