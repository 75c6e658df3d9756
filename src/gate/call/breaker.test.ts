import { beforeEach, describe, expect, it } from 'vitest';
import type { Health } from './breaker.ts';
import { Breaker, RetryBudget } from './breaker.ts';

let now = 0;
beforeEach(() => {
  now = 1000;
});

function openBreaker(): Breaker {
  return new Breaker({ now: () => now });
}

/** Lets one call through, or fails. */
function pass(breaker: Breaker): (health: Health) => void {
  const admission = breaker.admit();
  if (admission.kind !== 'pass') throw new Error('the breaker is open');
  return admission.report;
}

function run(breaker: Breaker, ...healths: readonly Health[]): void {
  for (const health of healths) pass(breaker)(health);
}

const DOWN_FIVE_TIMES: readonly Health[] = ['down', 'down', 'down', 'down', 'down'];

describe('the breaker', () => {
  it('opens after five failures in a row, and says for how long', () => {
    const breaker = openBreaker();
    run(breaker, 'down', 'down', 'down', 'down', 'up', ...DOWN_FIVE_TIMES);
    expect(breaker.admit()).toEqual({ kind: 'open', retryAfterSeconds: 10 });
    now += 8500;
    expect(breaker.admit()).toEqual({ kind: 'open', retryAfterSeconds: 2 });
  });

  it('opens when half of the last twenty failed, not before there were twenty', () => {
    const breaker = openBreaker();
    for (let call = 0; call < 9; call += 1) run(breaker, 'down', 'up');
    run(breaker, 'up');
    expect(breaker.admit().kind).toBe('pass');
    run(breaker, 'down');
    expect(breaker.admit().kind).toBe('open');
  });

  it('stays shut while fewer than half fail', () => {
    const breaker = openBreaker();
    for (let call = 0; call < 200; call += 1) run(breaker, 'down', 'up', 'up');
    expect(breaker.admit().kind).toBe('pass');
  });

  it('lets one probe through after ten seconds, and all others when it is answered', () => {
    const breaker = openBreaker();
    run(breaker, ...DOWN_FIVE_TIMES);
    now += 10_000;
    const probe = pass(breaker);
    expect(breaker.admit().kind).toBe('open');
    probe('up');
    expect(breaker.admit().kind).toBe('pass');
    run(breaker, 'down', 'down', 'down', 'down');
    expect(breaker.admit().kind).toBe('pass');
  });

  it('rests again when the probe fails, and probes at once when it was not sent after all', () => {
    const breaker = openBreaker();
    run(breaker, ...DOWN_FIVE_TIMES);
    now += 10_000;
    run(breaker, 'down');
    now += 9999;
    expect(breaker.admit().kind).toBe('open');
    now += 1;
    run(breaker, 'untold');
    expect(breaker.admit().kind).toBe('pass');
  });

  it('closes by a probe that took longer than the rest, while another is under way', () => {
    const breaker = openBreaker();
    run(breaker, ...DOWN_FIVE_TIMES);
    now += 10_000;
    const slow = pass(breaker);
    now += 10_000;
    const other = pass(breaker);
    slow('up');
    expect(breaker.admit().kind).toBe('pass');
    other('down');
    expect(breaker.admit().kind).toBe('pass');
  });

  it('takes no notice of calls that began before it opened', () => {
    const breaker = openBreaker();
    const early = pass(breaker);
    run(breaker, ...DOWN_FIVE_TIMES);
    early('up');
    expect(breaker.admit().kind).toBe('open');
    now += 10_000;
    pass(breaker);
    early('up');
    expect(breaker.admit().kind).toBe('open');
  });
});

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
