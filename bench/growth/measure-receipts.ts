/** Appending, indexing and showing receipts in a ledger that grows. */
import { join } from 'node:path';
import { openLedger } from 'plimsoll/server';
import { findCalls } from '../../src/console/data/find-calls.ts';
import type { Receipt } from '../../src/ledger/receipt.ts';
import { appendReceipts } from '../../src/ledger/receipts/append-receipts.ts';
import { indexReceipts } from '../../src/ledger/receipts/index-receipts.ts';
import { newId } from '../../src/lib/new-id.ts';
import { spreadOf } from '../gate/statistics.ts';
import { cpuOf, medianOf, print } from './cost.ts';

const AT_ONCE = 200;
const ROUNDS = 15;

/** From a thousand up to `most`, ten times as many each time. */
export async function measureReceipts(folder: string, most: number): Promise<void> {
  const file = join(folder, 'receipts.sqlite');
  // Nothing is signed while it is measured.
  const quiet = { checkpointEvery: most * 2, checkpointSeconds: 86_400 };
  await using ledger = await openLedger(`sqlite:${file}`, quiet);
  const { store, keys } = ledger;
  const made = { receipts: 0 };
  const append = (): Promise<void> => {
    const entries = Array.from({ length: AT_ONCE }, () => ({
      receipt: receiptOf((made.receipts += 1)),
      args: { invoice_id: `INV-${made.receipts}` },
    }));
    return store.transaction((tx) => appendReceipts(tx, entries, 'digest', keys));
  };
  print('receipts', 'append µs', 'index µs', 'page µs', 'rare µs');
  for (let size = 1000; size <= most; size *= 10) {
    while (made.receipts < size - AT_ONCE * ROUNDS) await append();
    await indexReceipts(store);
    const appends: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) appends.push((await cpuOf(append)) / AT_ONCE);
    const index = (await cpuOf(() => indexReceipts(store))) / (AT_ONCE * ROUNDS);
    const page = await medianOf(() => findCalls(store, {}, { limit: 50 }));
    const rare = await medianOf(() => findCalls(store, { operation: 'rare' }, { limit: 50 }));
    print(String(size), spreadOf(appends).median, index, page, rare);
  }
}

function receiptOf(index: number): Receipt {
  const now = 1_790_000_000_000 + index * 37;
  return {
    kind: 'receipt',
    id: newId(now),
    at: new Date(now).toISOString(),
    operation: index % 9973 === 0 ? 'rare' : `tool_${index % 61}`,
    act: 'read',
    tier: 'read',
    reach: 'own-store',
    openWorld: index % 11 === 0,
    via: 'mcp-stdio',
    principal: `user-${index % 1000}`,
    decision: 'ran',
    outcome: 'success',
    milliseconds: index % 50,
    server: `server-${index % 6}`,
    rule: 'looking-runs',
    permit: 'policy',
  };
}
