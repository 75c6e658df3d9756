import { afterEach, describe, expect, it } from 'vitest';
import type { TestConsole } from '../../../test/console/calls-fixture.ts';
import {
  callReceipt,
  keepCalls,
  NOON,
  openTestConsole,
  textOf,
} from '../../../test/console/calls-fixture.ts';
import { keyRecordRow } from '../../../test/contract/store.contract.ts';
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import { toPolicy } from '../../gate/policy/to-policy.ts';
import { registerSpend } from './spend.ts';

const HOUR = 3_600_000;
const SPEND = { tier: 'external_spend', act: 'spend' } as const;
let pages: TestConsole;

afterEach(async () => {
  await pages.services.ledger[Symbol.asyncDispose]();
});

function wordsOf(text: string): string {
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('spend and budgets', () => {
  it('tells a newcomer what will stand where', async () => {
    pages = await openTestConsole([registerSpend]);
    const words = wordsOf(await textOf(pages.app, '/spend'));
    expect(words).toContain('No calls ran in this time');
    expect(words).toContain('Nothing was spent');
    expect(words).toContain('The policy sets no budget');
    expect(words).toContain('no answer arrived');
  });

  it('draws calls that ran by tier, and counts the others beside them', async () => {
    pages = await openTestConsole([registerSpend]);
    const early = new Date(NOON - 2 * HOUR).toISOString();
    await keepCalls(pages.services.ledger, [
      callReceipt(),
      callReceipt(),
      callReceipt({ ...SPEND, at: early }),
      callReceipt({ ...SPEND, decision: 'refused', outcome: 'forbidden' }),
      callReceipt({ at: new Date(NOON - 48 * HOUR).toISOString() }),
    ]);
    const text = await textOf(pages.app, '/spend');
    expect(text).toContain('<title>12:00: 2 reads</title>');
    expect(text).toContain('<title>10:00: 1 spends</title>');
    expect(wordsOf(text)).toContain('1 refused');
    const month = await textOf(pages.app, '/spend?span=month');
    expect(month).toContain('<title>11-01: 1 reads</title>');
    expect(month).toContain('<title>11-03: 2 reads</title>');
  });

  it('gives every chart a name and its figures as a table, and no inline style', async () => {
    pages = await openTestConsole([registerSpend]);
    await keepCalls(pages.services.ledger, [callReceipt(SPEND)]);
    const text = await textOf(pages.app, '/spend');
    expect(text).toMatch(/<svg[^>]*aria-labelledby="calls-by-tier-title"/);
    expect(wordsOf(text)).toMatch(/12:00 0 0 0 1 0 all 0 0 0 1 0/);
    expect(text).not.toMatch(/style=|<style|onclick/);
  });

  it('counts spends by server, the most first, and adds up money by server and unit', async () => {
    pages = await openTestConsole([registerSpend]);
    const bank = { ...SPEND, server: '<bank>\u202E' };
    await keepCalls(pages.services.ledger, [
      callReceipt(SPEND),
      callReceipt({ ...bank, amount: 12.5, unit: 'EUR' }),
      callReceipt({ ...bank, amount: 0.7, unit: 'EUR' }),
      callReceipt({ ...SPEND, server: 'shop2', amount: 40, unit: 'credits' }),
      callReceipt({
        ...SPEND,
        server: 'none',
        decision: 'refused',
        outcome: 'forbidden',
        amount: 9,
      }),
      callReceipt({ server: 'reads-only' }),
    ]);
    const text = await textOf(pages.app, '/spend');
    expect(wordsOf(text)).toMatch(/Server Calls &lt;bank&gt;⟨U\+202E⟩ 2 shop 1 shop2 1 See/);
    expect(wordsOf(text)).toMatch(
      /Server Amount Calls shop2 40 credits 1 &lt;bank&gt;⟨U\+202E⟩ 13.2 EUR 2 1 more without/,
    );
  });

  it('says how many of the newest calls may not be in it, and has them once they are counted', async () => {
    pages = await openTestConsole([registerSpend]);
    const { ledger } = pages.services;
    await keepCalls(
      ledger,
      Array.from({ length: 21_001 }, () => callReceipt()),
    );
    const early = await textOf(pages.app, '/spend');
    expect(wordsOf(early)).toContain('Up to 1,001 of the newest calls are not counted here yet.');
    expect(early).toContain('<title>12:00: 20000 reads</title>');
    await indexReceipts(ledger.store);
    const late = await textOf(pages.app, '/spend');
    expect(wordsOf(late)).not.toContain('not counted');
    expect(late).toContain('<title>12:00: 21001 reads</title>');
  }, 30_000);

  it('tells what is left of each budget, shared or of one caller', async () => {
    const policy = toPolicy({
      budgets: [
        { name: 'all calls', counts: 'calls', limit: 10, per: 'day', shared: true },
        { name: 'own calls', counts: 'calls', limit: 5, per: 'month' },
        { name: 'money', counts: 'money', limit: 100, per: 'month' },
        { name: 'euros', counts: 'money', unit: 'EUR', limit: 50, per: 'hour', shared: true },
      ],
    });
    pages = await openTestConsole([registerSpend], { policy });
    const { ledger, budgets } = pages.services;
    const [all, own] = policy.budgets;
    if (all === undefined || own === undefined) throw new Error('the policy has budgets');
    await ledger.store.transaction(async (tx) => {
      for (const id of ['mia', 'mia', 'noa']) {
        await budgets.reserve(tx, [all, own], { id, tenant: 'acme', scopes: [] }, { calls: 1 });
      }
    });
    const text = await textOf(pages.app, '/spend');
    const words = wordsOf(text);
    expect(words).toMatch(/all calls shared by all 3 of 10 used 3 of 10 calls per day 7 /);
    expect(words).toMatch(/own calls mia of acme 2 of 5 used 2 of 5 calls per month 3 /);
    expect(words).toMatch(/own calls noa of acme 1 of 5 used 1 of 5 calls per month 4 /);
    expect(words).toContain('money: 100 units of money per month for each caller. Not used yet');
    expect(words).toMatch(/euros shared by all 0 of 50 used 0 of 50 EUR per hour 50 /);
  });

  it('lists what is in doubt, with the commands that settle it', async () => {
    pages = await openTestConsole([registerSpend]);
    await pages.services.ledger.store.transaction(async (tx) => {
      await tx.insert(
        'key_records',
        keyRecordRow({ id: 'record-u', state: 'UNKNOWN', operation: '<pay>' }),
      );
      await tx.insert('key_records', keyRecordRow({ id: 'record-s', state: 'SUCCEEDED' }));
    });
    const text = await textOf(pages.app, '/spend');
    expect(text).toContain('plimsoll ledger resolve record-u --as executed --reason "…"\n');
    expect(text).toContain('plimsoll ledger resolve record-u --as not-executed --reason "…"</pre>');
    expect(text).toContain('&lt;pay&gt;');
    expect(text).not.toContain('record-s');
  });

  it('names the ledger in these commands where it is not the one that they take anyway', async () => {
    pages = await openTestConsole([registerSpend], { ledgerHint: "'sqlite:/tmp/a b.sqlite'" });
    await pages.services.ledger.store.transaction(async (tx) => {
      for (let at = 0; at <= 50; at += 1)
        await tx.insert('key_records', keyRecordRow({ id: `record-${at}`, state: 'UNKNOWN' }));
    });
    const text = await textOf(pages.app, '/spend');
    const flag = '--ledger &#39;sqlite:/tmp/a b.sqlite&#39;';
    expect(text.split(flag)).toHaveLength(2 * 50 + 2);
    expect(text).toContain(`plimsoll ledger unknown ${flag}`);
  });
});
