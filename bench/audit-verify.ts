/**
 * `npm run bench:audit`: how long it takes to fill, sign, index and audit a long log, on a SQLite file. Exits
 * with 1 when the audit of a million takes more than ten seconds of CPU. Another number of receipts can be
 * given: `npm run bench:audit -- 100000`.
 */
import { createPublicKey } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openLedger } from 'plimsoll/server';
import type { Receipt } from '../src/ledger/receipt.ts';
import { appendReceipts } from '../src/ledger/receipts/append-receipts.ts';
import { indexReceipts } from '../src/ledger/receipts/index-receipts.ts';
import { verifyLedger } from '../src/ledger/receipts/verify-ledger.ts';
import { newId } from '../src/lib/new-id.ts';
import { readInput } from '../scripts/read-input.ts';
import { showHelp } from '../scripts/show-help.ts';
import { readReceipts } from './read-receipts.ts';
import { openBenchFolder } from './open-bench-folder.ts';

showHelp(`usage: npm run bench:audit -- [receipts]
Fills, signs, indexes and audits a log. Exits with 1 when an audit takes more than 10 µs of CPU a receipt.
  receipts  how many the log has (1000000)
`);
const RECEIPTS = readInput(() => readReceipts(1, 'give a number of receipts, from 1 on'));
const AT_ONCE = 10_000;
const GOAL_US = 10;
const opened = openBenchFolder('audit');
const folder = opened.path;
const file = join(folder, 'ledger.sqlite');
const checkpointFile = join(folder, 'checkpoints.txt');

function receiptOf(index: number): Receipt {
  const now = 1_790_000_000_000 + index * 37;
  return {
    kind: 'receipt',
    id: newId(now),
    at: new Date(now).toISOString(),
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

/** Prints both times, and returns the CPU seconds. */
async function timed(what: string, work: () => Promise<unknown>): Promise<number> {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const wall = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const used = (user + system) / 1_000_000;
  process.stdout.write(`${what}: ${wall.toFixed(2)} s, ${used.toFixed(2)} CPU-s\n`);
  return used;
}

try {
  await using ledger = await openLedger(`sqlite:${file}`, { checkpointFile });
  const { store, keys } = ledger;
  await timed(`filled ${RECEIPTS} receipts`, async () => {
    for (let from = 0; from < RECEIPTS; from += AT_ONCE) {
      const entries = Array.from({ length: Math.min(AT_ONCE, RECEIPTS - from) }, (_, index) => ({
        receipt: receiptOf(from + index),
        args: { index: from + index },
      }));
      await store.transaction((tx) => appendReceipts(tx, entries, 'digest', keys));
      // A few per hundred thousand, as on a server, are enough to see their cost.
      if (from % 100_000 === 0) await ledger.checkpoint();
    }
  });
  await timed('signed the rest', () => ledger.checkpoint());
  const publicKey = createPublicKey(keys.signingKey);
  const verify = async (): Promise<void> => {
    const audit = await verifyLedger(store, { publicKey, checkpointFile });
    const { receipts, signed, checkpoints, findings } = audit;
    process.stdout.write(
      `  ${receipts} receipts, ${signed} signed, ${checkpoints} checkpoints, ${findings.length} findings\n`,
    );
    if (receipts !== RECEIPTS || findings.length > 0) throw new Error('the log is not as it was');
  };
  await timed('verified without the index', verify);
  await timed('indexed', () => indexReceipts(store));
  const costs: number[] = [];
  for (let round = 0; round < 3; round += 1) costs.push(await timed('verified', verify));
  const least = (Math.min(...costs) / RECEIPTS) * 1_000_000;
  const isMet = least <= GOAL_US;
  process.stdout.write(
    `a receipt: ${least.toFixed(1)} µs of CPU, ${isMet ? 'within' : 'above'} the goal of ${GOAL_US} µs\n`,
  );
  if (!isMet) process.exitCode = 1;
  const rss = process.memoryUsage().rss / 2 ** 20;
  process.stdout.write(
    `file ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB, RSS ${rss.toFixed(0)} MiB\n`,
  );
} finally {
  opened[Symbol.dispose]();
}
