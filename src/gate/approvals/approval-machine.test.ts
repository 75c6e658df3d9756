/** Each move of the approval machine, as a table that any language can replay. */
import { describe, expect, it } from 'vitest';
import {
  toTestAnswer,
  toTestBinding,
  toTestCardInit,
} from '../../../test/gate/approval-fixture.ts';
import type { GrantScope } from '../policy/verdict.ts';
import type { Answer, ApprovalMachine } from './approval-machine.ts';
import { approvalMachine } from './approval-machine.ts';
import cases from './approval-machine.cases.json' with { type: 'json' };
import type { Approval } from './approval.ts';
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
  readonly voided?: boolean;
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
      return approvalMachine.expire(approval, NOW, each.voided) ?? null;
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
    expect(seen.size).toBe(3 * 5);
  });

  it('has a use for every field of a binding', () => {
    const fields = table.flatMap(({ used }) => Object.keys(used ?? {}));
    expect(new Set(fields)).toEqual(new Set(Object.keys(toTestBinding())));
  });
});
