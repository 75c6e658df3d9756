/** Buying credits from a real processor, through everything that can go wrong on the way. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChargeOutcome, ProcessorClient } from '../payment-processor/processor-client.ts';
import { processorClient } from '../payment-processor/processor-client.ts';
import type { ProcessorChild } from '../payment-processor/processor-child.ts';
import { openProcessorChild } from '../payment-processor/processor-child.ts';
import type { Store } from './store.ts';
import { openStore } from './store.ts';
import { nowhere } from '../payment-processor/nowhere.ts';
import { decideNext, settlePending, topUp } from './topup.ts';

const acting = { organisation: 'org_reef', user: 'mara', at: new Date('2026-07-01T00:00:00Z') };
let child: ProcessorChild;
let processor: ProcessorClient;
let store: Store;

beforeAll(async () => {
  child = await openProcessorChild();
  processor = processorClient(child.url);
});

beforeEach(() => {
  store = openStore(':memory:');
  return () => store.close();
});

afterAll(() => child[Symbol.asyncDispose]());

const available = () => store.credits.balance('org_reef').available;
const buy = (key: string, card: string, through = processor) =>
  topUp(store, through, acting, { key, credits: 1000, card });

async function count(): Promise<number> {
  const response = await fetch(`${child.url}/charges/count`);
  return ((await response.json()) as { count: number }).count;
}

describe('topUp', () => {
  it('one key is one charge and one booking, and gives the same answer again', async () => {
    const [charges, before] = [await count(), available()];
    const first = await buy('k', 'card_ok');
    expect(first).toMatchObject({ kind: 'paid', topup: { credits: 1000, status: 'paid' } });
    expect(await buy('k', 'card_ok')).toEqual(first);
    expect(available()).toBe(before + 1000);
    expect(await count()).toBe(charges + 1);
  });

  it('another key is another charge', async () => {
    const charges = await count();
    await buy('k-1', 'card_ok');
    await buy('k-2', 'card_ok');
    expect(await count()).toBe(charges + 2);
    expect(available()).toBe(52_000);
  });

  it('many at once under one key charge once', async () => {
    const charges = await count();
    const all = await Promise.all(Array.from({ length: 25 }, () => buy('k', 'card_ok')));
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await count()).toBe(charges + 1);
    expect(available()).toBe(51_000);
  });

  it('a declined card moves nothing, and stays declined', async () => {
    const declined = { kind: 'declined', reason: 'card_declined' };
    expect(await buy('k', 'card_declined')).toEqual(declined);
    expect(await buy('k', 'card_declined')).toEqual(declined);
    expect(available()).toBe(50_000);
  });

  it.each(['card_reset_after', 'card_500_after'])(
    '%s was charged, so it is found out and booked once',
    async (card) => {
      const charges = await count();
      expect(await buy('k', card)).toMatchObject({ kind: 'paid' });
      expect(await buy('k', card)).toMatchObject({ kind: 'paid' });
      expect(await count()).toBe(charges + 1);
      expect(available()).toBe(51_000);
    },
  );

  it('card_500_before stays in doubt and books nothing', async () => {
    expect(await buy('k', 'card_500_before')).toMatchObject({ kind: 'in-doubt' });
    expect(available()).toBe(50_000);
  });

  it('nobody there means that nothing was charged, and the key is good for another try', async () => {
    const gone = processorClient(await nowhere());
    expect(await buy('k', 'card_ok', gone)).toEqual({ kind: 'not-charged' });
    expect(await buy('k', 'card_ok')).toMatchObject({ kind: 'paid' });
  });

  it('charged but not booked: the next call under the key books it and charges nothing', async () => {
    const charges = await count();
    const { topup } = store.topups.begin(acting, 'k', 1000, 'card_ok');
    await processor.charge({ key: topup.id, card: 'card_ok', amountCents: 1000 });
    expect(await buy('k', 'card_ok')).toMatchObject({ kind: 'paid' });
    expect(await count()).toBe(charges + 1);
    expect(available()).toBe(51_000);
  });
});

describe('settlePending', () => {
  const later = new Date(acting.at.getTime() + 60_000);

  it('books a charge that nobody heard of, once, and charges nothing', async () => {
    const { topup } = store.topups.begin(acting, 'k', 1000, 'card_ok');
    await processor.charge({ key: topup.id, card: 'card_ok', amountCents: 1000 });
    const charges = await count();
    expect(await settlePending(store, processor, acting.at)).toBe(0);
    expect(await settlePending(store, processor, later)).toBe(1);
    expect(await settlePending(store, processor, later)).toBe(0);
    expect(available()).toBe(51_000);
    expect(await count()).toBe(charges);
    expect(await buy('k', 'card_ok')).toMatchObject({ kind: 'paid' });
    expect(available()).toBe(51_000);
  });

  it('leaves alone what the processor does not know', async () => {
    store.topups.begin(acting, 'k', 1000, 'card_ok');
    const charges = await count();
    expect(await settlePending(store, processor, later)).toBe(0);
    expect([available(), await count()]).toEqual([50_000, charges]);
  });
});

describe('decideNext', () => {
  const notSent: ChargeOutcome = { kind: 'not-sent' };
  const doubt: ChargeOutcome = { kind: 'in-doubt', because: 'x' };

  it('asks once more, then believes only proof', () => {
    expect(decideNext([notSent], false).kind).toBe('ask-again');
    expect(decideNext([doubt], false).kind).toBe('ask-again');
    expect(decideNext([notSent, notSent], false)).toMatchObject({
      outcome: { kind: 'not-charged' },
    });
  });

  it('an earlier doubt is not taken away by an attempt that was not sent', () => {
    expect(decideNext([doubt, notSent], false).kind).toBe('look-up');
    expect(decideNext([notSent, notSent], true).kind).toBe('look-up');
  });
});
