import { describe, expect, it } from 'vitest';
import { RetryBudget } from './retry-budget.ts';

/** Calls that each may be sent three times; tells how many retries there were. */
function simulate(
  calls: number,
  fails: (call: number) => boolean,
  kind: 'not-sent' | 'lost',
): number {
  const budget = new RetryBudget();
  let retries = 0;
  for (let call = 0; call < calls; call += 1) {
    if (!fails(call)) {
      budget.succeed();
      continue;
    }
    for (let again = 0; again < 2 && budget.take(kind); again += 1) retries += 1;
  }
  return retries;
}

describe('the retry budget', () => {
  it('adds at most a tenth to a thousand calls of an outage, half that when they time out', () => {
    const always = (): boolean => true;
    expect(simulate(1000, always, 'not-sent')).toBe(100);
    expect(simulate(1000, always, 'lost')).toBe(50);
    expect(simulate(100_000, always, 'not-sent')).toBe(100);
  });

  it('lets a server that seldom fails be retried each time', () => {
    expect(simulate(10_000, (call) => call % 20 === 0, 'not-sent')).toBe(1000);
  });

  it('gives back as much as successes earn, and no more than it holds', () => {
    const budget = new RetryBudget(10);
    expect(budget.take('lost')).toBe(true);
    expect(budget.take('not-sent')).toBe(false);
    for (let call = 0; call < 4; call += 1) budget.succeed();
    expect(budget.take('not-sent')).toBe(false);
    budget.succeed();
    expect(budget.take('refused')).toBe(true);
    for (let call = 0; call < 1000; call += 1) budget.succeed();
    expect([budget.take('lost'), budget.take('not-sent')]).toEqual([true, false]);
  });
});
