import { describe, expect, it } from 'vitest';
import { KEYS, receiptOf } from '../../../test/ledger/audit-support.ts';
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts';
import { appendReceipts } from './receipts.ts';
import { checkReceipt } from './check-receipt.ts';
import { fillColumns } from './fill-columns.ts';

const RECEIPTS = 2500;

describe('columns that came later', () => {
  it('are filled from the bodies, in more than one page, and pass the audit', async () => {
    await using store = await openSqliteStore(':memory:');
    const entries = Array.from({ length: RECEIPTS }, (_, index) => ({
      receipt: receiptOf(index, {
        decision: index % 5 === 0 ? 'refused' : 'ran',
        ...(index % 2 === 0 && { server: `server-${index % 3}` }),
        ...(index % 7 === 0 && { approval: `approval-${index}` }),
      }),
      args: {},
    }));
    await store.transaction(async (tx) => {
      await appendReceipts(tx, entries, 'digest', KEYS);
      await tx.execute("UPDATE receipts SET server = '', decision = '', approval = ''");
      await fillColumns(tx);
    });
    const rows = await store.transaction((tx) =>
      tx.list('receipts', { orderBy: 'seq', limit: RECEIPTS }),
    );
    expect(rows).toHaveLength(RECEIPTS);
    expect(rows.flatMap((row) => checkReceipt(row).findings)).toEqual([]);
    expect(rows[14]).toMatchObject({ server: 'server-2', approval: 'approval-14' });
  });

  it('stay empty where a body is no receipt, and the ledger still opens', async () => {
    await using store = await openSqliteStore(':memory:');
    const row = await store.transaction(async (tx) => {
      await appendReceipts(tx, [{ receipt: receiptOf(1), args: {} }], 'digest', KEYS);
      await tx.execute("UPDATE receipts SET decision = '', body = '{'");
      await fillColumns(tx);
      return tx.find('receipts', { seq: 0 });
    });
    expect(row).toMatchObject({ server: '', decision: '', approval: '' });
  });
});
