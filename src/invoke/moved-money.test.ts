/** Money that an operation says it has moved is on the receipt of its call. */
import { expect, it } from 'vitest';
import * as z from 'zod';
import { spends } from '../effect/acts.ts';
import { defineOperation } from '../effect/define-operation.ts';
import type { Call } from '../effect/operation.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import type { Receipt } from '../ledger/receipt.ts';
import { Recorder } from '../ledger/receipts/recorder.ts';
import { ANONYMOUS } from './identity.ts';
import { invoke } from './pipeline.ts';

async function runWith(run: (call: Call) => void, keys: readonly string[]) {
  await using ledger = await openLedger('sqlite::memory:');
  const reports: string[] = [];
  const receipts: Receipt[] = [];
  const operation = defineOperation({
    name: 'buy',
    title: 'Buy',
    description: 'Buys.',
    input: z.object({}),
    output: z.object({}),
    effect: spends('EUR cents'),
    partner: { class: 'dedup', keyLifetimeSeconds: 86_400 },
    run: (_, call) => {
      run(call);
      return {};
    },
  });
  let ids = 0;
  for (const key of keys) {
    await invoke(
      {
        operation,
        args: {},
        identity: ANONYMOUS,
        via: 'in-process',
        signal: new AbortController().signal,
        progress: async () => {},
        keys: [key],
      },
      {
        now: () => new Date('2026-11-15T12:00:00Z'),
        newId: () => `id-${(ids += 1)}`,
        ledger: {
          ...ledger,
          record: (entry, tx) => {
            receipts.push(entry.receipt);
            return ledger.record(entry, tx);
          },
        },
        recorder: new Recorder(() => {}),
        report: (message) => void reports.push(message),
      },
    );
  }
  return {
    receipts: receipts.map(({ decision, amount, unit }) => ({ decision, amount, unit })),
    reports,
  };
}

const KEY = 'a-key-of-16-letters';

it('is recorded once, in the unit of the effect, and not for a repeat', async () => {
  const { receipts, reports } = await runWith((call) => call.moved(1999), [KEY, KEY]);
  expect(receipts).toEqual([
    { decision: 'ran', amount: 1999, unit: 'EUR cents' },
    { decision: 'replayed', amount: undefined, unit: undefined },
  ]);
  expect(reports).toEqual([]);
});

it('adds up, and stays when the operation fails afterwards', async () => {
  const { receipts } = await runWith(
    (call) => {
      call.moved(100, 'USD cents');
      call.moved(23, 'USD cents');
      throw new Error('the line is dead');
    },
    [KEY],
  );
  expect(receipts).toEqual([{ decision: 'ran', amount: 123, unit: 'USD cents' }]);
});

it('is left out and reported when it is no amount or of another unit', async () => {
  const { receipts, reports } = await runWith(
    (call) => {
      call.moved(5);
      for (const wrong of [Number.NaN, -1, Infinity]) call.moved(wrong);
      call.moved(1, 'USD cents');
    },
    [KEY],
  );
  expect(receipts).toEqual([{ decision: 'ran', amount: 5, unit: 'EUR cents' }]);
  expect(reports).toHaveLength(4);
});
