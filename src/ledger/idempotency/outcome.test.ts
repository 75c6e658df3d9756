import { describe, expect, it } from 'vitest';
import { toProblem } from '../../lib/problem.ts';
import type { StoredOutcome } from './outcome.ts';
import { decodeOutcome, encodeOutcome } from './outcome.ts';

const OUTCOMES: readonly StoredOutcome[] = [
  { kind: 'success' },
  { kind: 'success', value: { order: 'o-1' } },
  { kind: 'success', value: null },
  { kind: 'success', content: [{ type: 'text', text: 'done' }] },
  { kind: 'failure', problem: toProblem('payment-required', 'No funds.') },
];

describe('a stored outcome', () => {
  it.each(OUTCOMES)('is read back as it was: %j', (outcome) => {
    expect(decodeOutcome(encodeOutcome(outcome))).toEqual(outcome);
  });

  it('keeps the result of a server to the letter, numbers beyond 2^53 included', () => {
    const text = '{"content":[],"structuredContent":{"id":9007199254740993, "x":1e+21}}';
    const stored = encodeOutcome({ kind: 'result', result: JSON.parse(text), text });
    expect(decodeOutcome(stored)).toMatchObject({ kind: 'result', text });
  });

  it('keeps every digit of a value', () => {
    const stored = '{"kind":"success","value":{"id":9007199254740993}}';
    const outcome = decodeOutcome(stored);
    expect(outcome.kind === 'success' && encodeOutcome(outcome)).toBe(stored);
  });

  it('gives the text of a result that came without one', () => {
    const result = { content: [], isError: true };
    const outcome = decodeOutcome(encodeOutcome({ kind: 'result', result }));
    expect(outcome).toEqual({ kind: 'result', result, text: JSON.stringify(result) });
  });

  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"kind":"other"}',
    '{"kind":"success","content":"text"}',
    '{"kind":"failure"}',
    '{"kind":"failure","problem":{"code":1}}',
    '{"kind":"result"}',
    '{"kind":"result","text":"{"}',
    '{"result":{}}',
  ])('that makes no sense is told apart: %s', (text) => {
    expect(decodeOutcome(text)).toEqual({ kind: 'unreadable' });
  });
});
