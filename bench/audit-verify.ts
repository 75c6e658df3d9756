/**
 * How long it takes to fill, sign and audit a long log, on a SQLite file. Only prints; asserts nothing.
 * The number of receipts can be given: `node --conditions=plimsoll-source bench/audit-verify.ts
 * 100000`.
 */
import { createPublicKey, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openLedger } from 'plimsoll/server';
import type { Receipt } from '../src/ledger/receipt.ts';
import { appendReceipts } from '../src/ledger/receipts/append-receipts.ts';
import { verifyLedger } from '../src/ledger/receipts/verify-ledger.ts';

const RECEIPTS = Number(process.argv[2] ?? 1_000_000);
const AT_ONCE = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-audit-'));
const file = join(folder, 'ledger.sqlite');
const checkpointFile = join(folder, 'checkpoints.txt');

function receiptOf(index: number): Receipt {
  return {
    kind: 'receipt',
    id: randomUUID(),
    at: new Date(1_790_000_000_000 + index * 37).toISOString(),
    operation: `operation_${index % 40}`,
    act: 'read',
    tier: 'read',
    reach: 'own-store',
    openWorld: index % 7 === 0,
    via: 'mcp-http',
    principal: `user-${index % 1000}`,
    tenant: `tenant-${index % 20}`,
    decision: 'ran',
    outcome: 'success',
    milliseconds: index % 50,
  };
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const wall = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const used = (user + system) / 1_000_000;
  process.stdout.write(`${what}: ${wall.toFixed(2)} s, ${used.toFixed(2)} CPU-s\n`);
  return value;
}

try {
  await using ledger = await openLedger(`sqlite:${file}`, { checkpointFile });
  const { store, keys } = ledger;
  await timed(`filled ${RECEIPTS} receipts`, async () => {
    for (let from = 0; from < RECEIPTS; from += AT_ONCE) {
      await store.transaction(async (tx) => {
        for (let index = from; index < Math.min(from + AT_ONCE, RECEIPTS); index += 1) {
          await appendReceipts(
            tx,
            [{ receipt: receiptOf(index), args: { index } }],
            'digest',
            keys,
          );
        }
      });
      // A few per hundred thousand, as on a server, are enough to see their cost.
      if (from % 100_000 === 0) await ledger.checkpoint();
    }
  });
  await timed('signed the rest', () => ledger.checkpoint());
  const publicKey = createPublicKey(keys.signingKey);
  for (let round = 0; round < 3; round += 1) {
    const audit = await timed('verified', () => verifyLedger(store, { publicKey, checkpointFile }));
    const { receipts, signed, checkpoints, findings } = audit;
    process.stdout.write(
      `  ${receipts} receipts, ${signed} signed, ${checkpoints} checkpoints, ${findings.length} findings\n`,
    );
  }
  const rss = process.memoryUsage().rss / 2 ** 20;
  process.stdout.write(
    `file ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB, RSS ${rss.toFixed(0)} MiB\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
