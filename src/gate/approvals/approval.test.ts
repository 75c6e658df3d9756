import { describe, expect, it } from 'vitest';
import { toTestQuestion } from '../../../test/gate/approval-fixture.ts';
import type { Approval } from './approval.ts';
import {
  CHANNEL_WORDS,
  describeState,
  toApproval,
  toRow,
  toShortId,
  WITHDRAWALS,
} from './approval.ts';

const NOW = 1000;

function describeWith(changes: Partial<Approval>): string {
  return describeState({ ...toApproval(toRow(toTestQuestion(), NOW)), ...changes });
}

const BY_MIA = { approver: 'mia', channel: 'console' } as const;

describe('a question in words', () => {
  it.each<[Partial<Approval>, string]>([
    [{ state: 'PENDING' }, 'not answered yet'],
    [{ state: 'APPROVED', ...BY_MIA }, 'approved by mia in the console'],
    [{ state: 'USED', ...BY_MIA }, 'approved by mia in the console, and the call was sent'],
    [{ state: 'DECLINED', ...BY_MIA }, 'declined by mia in the console'],
    [
      { state: 'DECLINED', ...BY_MIA, reason: 'too dear\u200B' },
      'declined by mia in the console: too dear⟨U+200B⟩',
    ],
    [{ state: 'EXPIRED' }, 'not answered in time'],
    [
      { state: 'EXPIRED', ...BY_MIA },
      'approved by mia in the console, but the call was not sent again in time',
    ],
    [{ state: 'WITHDRAWN', reason: 'toString' }, 'withdrawn: toString'],
  ])('%j: %s', (changes, text) => {
    expect(describeWith(changes)).toBe(text);
  });

  it('says why it was withdrawn, in words of its own for each reason', () => {
    const texts = Object.entries(WITHDRAWALS).map(([reason, { text }]) => {
      expect(text).toMatch(/^the \w+ /);
      expect(describeWith({ state: 'WITHDRAWN', reason })).toBe(`withdrawn: ${text}`);
      return text;
    });
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('has words of its own for each way to answer', () => {
    const words = Object.entries(CHANNEL_WORDS).map(([channel, text]) => {
      expect(text === '').toBe(channel === '');
      return text;
    });
    expect(new Set(words).size).toBe(words.length);
  });
});

describe('the row of a new question', () => {
  it('says nothing that has not happened', () => {
    expect(toRow(toTestQuestion(), NOW)).toMatchObject({
      state: 'PENDING',
      approver: '',
      channel: '',
      reason: '',
      continuation: '',
      key_record: '',
      created_at: NOW,
      decided_at: 0,
      used_at: 0,
      caller_gone_at: 0,
      form_dismissed_at: 0,
    });
  });

  it('is open for as long as was asked, and at most 15 minutes', () => {
    expect(toRow(toTestQuestion(), NOW).expires_at).toBe(NOW + 600_000);
    const long = { ...toTestQuestion(), expirySeconds: 1e9 };
    expect(toRow(long, NOW).expires_at).toBe(NOW + 900_000);
  });

  it('is read back as what was asked, with its card for as long as it has one', () => {
    const question = toTestQuestion();
    const row = toRow(question, NOW);
    const approval = toApproval(row);
    expect(approval.binding).toEqual(question.binding);
    expect(approval.card).toEqual(question.card);
    expect(toApproval({ ...row, card: '' })).not.toHaveProperty('card');
    expect(toShortId(row.id)).toBe(row.id.slice(0, 8));
  });
});
