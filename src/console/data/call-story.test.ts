import { describe, expect, it } from 'vitest';
import { callReceipt, keepCalls } from '../../../test/console/calls-fixture.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import { readCallStory } from './call-story.ts';
import { findResult } from './find-result.ts';

const RECEIPTS = [
  callReceipt({ approval: 'a', decision: 'waiting' }),
  callReceipt({ approval: 'b', keyRecord: 'key' }),
  callReceipt({ operation: 'approvals.answer', approval: 'a' }),
  callReceipt({ approval: 'a', keyRecord: 'key' }),
  callReceipt({ approval: 'a', decision: 'replayed', keyRecord: 'key' }),
  callReceipt({ principal: '"approval":"a"' }),
];

describe.each([0, 1, 2, 3, 4, 5, 6])('with %i receipts indexed', (indexed) => {
  async function open() {
    const ledger = await openLedger('sqlite::memory:', { checkpointSeconds: 3600 });
    await keepCalls(ledger, RECEIPTS.slice(0, indexed));
    await indexReceipts(ledger.store);
    await keepCalls(ledger, RECEIPTS.slice(indexed));
    return ledger;
  }

  it('a call has all the receipts that share its question or its key', async () => {
    await using ledger = await open();
    for (const name of ['3', RECEIPTS[3]?.id ?? '']) {
      const story = await readCallStory(ledger, name);
      expect(story?.row).toMatchObject({ seq: 3, approval: 'a', key_record: 'key' });
      expect(story?.integrity.findings).toEqual([]);
      expect(story?.related.map(({ seq }) => seq)).toEqual([0, 1, 2, 4]);
    }
    expect(await readCallStory(ledger, '6')).toBeUndefined();
  });

  it('what became of a question is its last call', async () => {
    await using ledger = await open();
    expect(await findResult(ledger.store, 'a')).toMatchObject({ seq: 4, decision: 'replayed' });
    expect(await findResult(ledger.store, 'b')).toMatchObject({ seq: 1 });
    expect(await findResult(ledger.store, 'c')).toBeUndefined();
  });
});

describe('with more receipts that are not indexed than a page reads', () => {
  it('a call says how many were not searched for what belongs to it', async () => {
    await using ledger = await openLedger('sqlite::memory:', { checkpointSeconds: 3600 });
    await keepCalls(ledger, RECEIPTS);
    const story = await readCallStory(ledger, '3', 4);
    expect(story?.related.map(({ seq }) => seq)).toEqual([2, 4]);
    expect(story?.unsearched).toBe(2);
    expect((await readCallStory(ledger, '5', 4))?.unsearched).toBe(0);
    expect((await readCallStory(ledger, '3', 6))?.unsearched).toBe(0);
  });

  it('what became of a question is not known until they are indexed', async () => {
    await using ledger = await openLedger('sqlite::memory:', { checkpointSeconds: 3600 });
    await keepCalls(ledger, RECEIPTS);
    expect(await findResult(ledger.store, 'b', 4)).toBeUndefined();
    expect(await findResult(ledger.store, 'b', 5)).toMatchObject({ seq: 1 });
    await indexReceipts(ledger.store);
    expect(await findResult(ledger.store, 'b', 4)).toMatchObject({ seq: 1 });
  });
});
