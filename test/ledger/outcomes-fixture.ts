/** Keyed operations that do what a test puts into them, and what the ledger has of them afterwards. */
import { randomUUID } from 'node:crypto';
import type { OpenLedger, Operation, Partner, Recorded } from 'plimsoll/server';
import { createServer, defineOperation, spends } from 'plimsoll/server';
import * as z from 'zod';
import { callInProcess } from '../support/call-in-process.ts';

type Work = (call: {
  readonly execute: (sql: string) => Promise<unknown>;
  readonly mint: () => Promise<string>;
}) => unknown;

interface Opened {
  readonly operation: Operation;
  /** Always under the same key. */
  readonly call: () => Promise<Recorded>;
  /** Without a key. */
  readonly derived: () => Promise<Recorded>;
}

export function openOperation(
  ledger: OpenLedger,
  partner: Partner,
  work: Work,
  changes: object = {},
): Opened {
  const operation = defineOperation({
    name: `pay_${randomUUID().slice(0, 8)}`,
    title: 'Pay',
    description: 'Pays.',
    input: z.object({ text: z.string().describe('What for') }),
    effect: spends('EUR cents'),
    partner,
    run: async (_: unknown, { transaction, secrets }) =>
      work({
        execute: async (sql) => transaction?.execute(sql),
        mint: async () => {
          const init = { prefix: 'share', subject: 'x', ttlSeconds: 60 };
          return (await secrets?.mint(init))?.secret.reveal() ?? '';
        },
      }) as never,
    ...changes,
  });
  const operations = [operation];
  const init = { name: 's', version: '1', operations, ledger, report: () => {} };
  const server = createServer(init);
  const key = randomUUID();
  const call = (): Promise<Recorded> => callInProcess(server, operation, { text: 'milk' }, { key });
  const derived = (): Promise<Recorded> => callInProcess(server, operation, { text: 'milk' });
  return { operation, call, derived };
}

/** The states of its key records. */
export async function stateOf(
  ledger: OpenLedger,
  { name: operation }: Operation,
): Promise<string | undefined> {
  const rows = await ledger.store.transaction((tx) =>
    tx.execute('SELECT state FROM key_records WHERE operation = ?', [operation]),
  );
  return rows.map((row) => String(row['state'])).join();
}

export async function receiptsOf(
  ledger: OpenLedger,
  { name: operation }: Operation,
): Promise<readonly string[]> {
  await ledger.flush();
  const rows = await ledger.store.transaction((tx) =>
    tx.execute('SELECT decision, outcome FROM receipts WHERE operation = ? ORDER BY seq', [
      operation,
    ]),
  );
  return rows.map((row) => [row['decision'], row['outcome']].join(' '));
}

/** All that is stored of calls. */
export async function everythingIn(ledger: OpenLedger): Promise<string> {
  const rows = await ledger.store.transaction(async (tx) => [
    ...(await tx.execute('SELECT * FROM key_records')),
    ...(await tx.execute('SELECT * FROM receipts')),
  ]);
  return JSON.stringify(rows);
}
