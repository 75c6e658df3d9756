import { describe, expect, it } from 'vitest';
import { reads } from '../../effect/acts.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { toCondition } from './condition.ts';
import type { CallFacts } from './verdict.ts';

function tell(text: string, args: Readonly<Record<string, JsonValue>>): boolean | 'failed' {
  const facts: CallFacts = {
    server: 's',
    trusted: false,
    tool: 't',
    effect: reads('note'),
    confidence: 1,
    reasons: [],
    principal: { id: 'p', scopes: [] },
    mode: 'live',
    arguments: args,
    quarantined: false,
    declared: true,
    repeated: false,
  };
  return toCondition(text)(facts);
}

describe('a condition on arguments', () => {
  const small = '!has(args.amount) || args.amount <= 20.0';

  it('is told from keys that are spelled as it spells them', () => {
    expect(tell(small, { amount: 5.5, Other: 1, lines: [{ Text: 'x' }] })).toBe(true);
    expect(tell(small, { amount: 50.5 })).toBe(false);
    expect(tell(small, {})).toBe(true);
  });

  it.each([
    { amount: 1, Amount: 5000 },
    { AMOUNT: 5000 },
    { amount: 1, '\uFF41mount': 5000 },
    { amount: 1, line: { a: 1, A: 2 } },
    { amount: 1, lines: [[{ aMount: 2 }]] },
    { lıne: 1, LINE: 2 },
  ])('fails where a reader without case would see other arguments: %j', (args) => {
    expect(tell(small, args)).toBe('failed');
  });

  it('takes names in strings into account, escaped or not', () => {
    expect(tell('!("amount" in args)', { Amount: 1 })).toBe('failed');
    expect(tell('!("\\u0061mount" in args)', { Amount: 1 })).toBe('failed');
  });

  it('is not concerned with arguments that it does not read', () => {
    expect(tell('tool == "t"', { a: 1, A: 2 })).toBe(true);
  });
});
