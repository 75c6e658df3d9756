import { describe, expect, it } from 'vitest';
import { creates, deletes, reads, spends } from '../../effect/acts.ts';
import type { Failure, Delivery } from '../protocol/channel.ts';
import { toFrame } from '../protocol/frame.ts';
import { Breaker, RetryBudget } from './breaker.ts';
import { RETRY_POLICY } from './decide-retry.ts';
import type { Run, RunContext } from './run-with-retries.ts';
import { runWithRetries } from './run-with-retries.ts';

const ANSWER: Delivery = { kind: 'answer', frame: toFrame({ jsonrpc: '2.0', id: 1, result: {} }) };

function failing(kind: Failure['kind'], more: Partial<Failure> = {}): Delivery {
  return { kind: 'failure', failure: { kind, detail: kind, ...more } };
}

const LOST = failing('lost');
const NOT_SENT = failing('not-sent');
const DEDUP = { effect: spends('credits'), hasKey: true, effectClass: 'dedup' } as const;

interface Played extends Run {
  readonly waits: readonly number[];
  readonly sent: readonly number[];
}

function toContext(given: Partial<RunContext>): RunContext {
  return {
    effect: reads('note'),
    effectClass: undefined,
    hasKey: false,
    trusted: false,
    policy: RETRY_POLICY,
    budget: new RetryBudget(),
    breaker: new Breaker({ now: () => 0 }),
    random: () => 1,
    signal: new AbortController().signal,
    sleep: async () => {},
    ...given,
  };
}

/** Plays the deliveries one after another, the last one for ever. */
async function play(
  deliveries: readonly [Delivery, ...Delivery[]],
  given: Partial<RunContext> = {},
): Promise<Played> {
  const waits: number[] = [];
  const sent: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
  };
  const run = await runWithRetries(
    async (attempt) => {
      sent.push(attempt);
      return deliveries[attempt - 1] ?? deliveries.at(-1) ?? deliveries[0];
    },
    toContext({ sleep, ...given }),
  );
  return { ...run, waits, sent };
}

describe('running with retries', () => {
  it('gives an answer at once, whatever it says', async () => {
    const error = toFrame({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no' } });
    const run = await play([{ kind: 'answer', frame: error }]);
    expect(run).toMatchObject({ attempts: 1, end: 'answered', waits: [] });
  });

  it('sends a read again until it is answered, waiting longer each time', async () => {
    const run = await play([LOST, NOT_SENT, ANSWER]);
    expect(run).toMatchObject({ attempts: 3, end: 'answered', waits: [100, 200], sent: [1, 2, 3] });
    expect(run.delivery).toBe(ANSWER);
  });

  it('waits for as long as the server asked', async () => {
    const run = await play([failing('refused', { retryAfterSeconds: 3 }), ANSWER]);
    expect(run.waits).toEqual([3000]);
  });

  it('ends after three sendings of a read with a failure that leaves no doubt', async () => {
    expect(await play([LOST])).toMatchObject({ attempts: 3, end: 'failed' });
    expect(await play([NOT_SENT])).toMatchObject({ attempts: 3, end: 'not-sent' });
  });

  it('R140 R144: sends a delete and a create once when the answer is lost, and says so', async () => {
    for (const effect of [deletes('note'), creates('note')]) {
      const run = await play([LOST, ANSWER], { effect, trusted: true, idempotentHint: true });
      expect(run).toMatchObject({ sent: [1], end: 'unknown', delivery: LOST });
      const unsent = await play([NOT_SENT, ANSWER], { effect });
      expect(unsent).toMatchObject({ sent: [1, 2], end: 'answered' });
    }
  });

  it('R139: sends a lost spend again only under the key that its server does once', async () => {
    expect(await play([LOST, ANSWER], DEDUP)).toMatchObject({ sent: [1, 2], end: 'answered' });
    const opaque = await play([LOST, ANSWER], { ...DEDUP, effectClass: 'opaque' });
    expect(opaque).toMatchObject({ sent: [1], end: 'unknown' });
  });

  it('stays in doubt when a spend was lost and then could not be sent', async () => {
    expect(await play([LOST, NOT_SENT], DEDUP)).toMatchObject({ attempts: 3, end: 'unknown' });
    expect(await play([NOT_SENT], DEDUP)).toMatchObject({ attempts: 3, end: 'not-sent' });
  });
});

describe('what stops a retry', () => {
  it('an empty budget', async () => {
    const run = await play([LOST, ANSWER], { budget: new RetryBudget(5) });
    expect(run).toMatchObject({ sent: [1], end: 'failed', waits: [] });
    const spend = await play([LOST, ANSWER], { ...DEDUP, budget: new RetryBudget(5) });
    expect(spend).toMatchObject({ sent: [1], end: 'unknown' });
  });

  it('a caller who left before the first sending, or while it waited', async () => {
    const early = await play([ANSWER], { signal: AbortSignal.abort() });
    expect(early).toMatchObject({ sent: [], attempts: 0, end: 'not-sent' });
    const caller = new AbortController();
    const sleep = async (): Promise<void> => {
      caller.abort();
      throw new Error('woken up');
    };
    const late = await play([LOST, ANSWER], { ...DEDUP, signal: caller.signal, sleep });
    expect(late).toMatchObject({ sent: [1], attempts: 1, end: 'unknown', delivery: LOST });
  });

  it('the breaker, before the first sending and before the next', async () => {
    const breaker = new Breaker({ now: () => 0, consecutive: 2 });
    const run = await play([NOT_SENT], { breaker });
    expect(run).toMatchObject({ sent: [1, 2], attempts: 2, end: 'not-sent', delivery: NOT_SENT });
    const next = await play([ANSWER], { breaker });
    expect(next).toMatchObject({ sent: [], attempts: 0, end: 'not-sent' });
    expect(next.delivery).toMatchObject({ failure: { kind: 'not-sent', retryAfterSeconds: 10 } });
  });

  it('the breaker does not count those who refuse', async () => {
    const breaker = new Breaker({ now: () => 0, consecutive: 2 });
    await play([failing('refused')], { breaker });
    expect(breaker.admit().kind).toBe('pass');
  });

  it('an outage of a thousand calls sees a breaker and a budget, not three thousand sendings', async () => {
    let now = 0;
    const breaker = new Breaker({ now: () => now });
    const budget = new RetryBudget();
    let sent = 0;
    for (let call = 0; call < 1000; call += 1) {
      now += 1000;
      sent += (await play([LOST], { breaker, budget })).attempts;
    }
    expect(sent).toBeLessThan(150);
  });

  it('an error of the sender goes up, and is no failure of the server', async () => {
    const breaker = new Breaker({ now: () => 0, consecutive: 1 });
    const context = toContext({ breaker });
    const send = async (): Promise<Delivery> => {
      throw new TypeError('a fault of ours');
    };
    await expect(runWithRetries(send, context)).rejects.toThrow('a fault of ours');
    expect(breaker.admit().kind).toBe('pass');
  });
});
