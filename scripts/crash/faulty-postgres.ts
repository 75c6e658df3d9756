/** A PostgreSQL of its own, whose connections break, whose disk fills up and which is restarted without warning. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { openCluster } from '../../test/support/postgres.ts';
import type { Chance } from '../fuzz/chance.ts';
import { openCommitProxy } from './commit-proxy.ts';
import type { FaultName, FaultyLedger, LedgerFault } from './fault.ts';
import { openSmallDisk } from './small-disk.ts';

const DISK_MB = 400;
const COMMIT_WITHIN_MS = 5000;
const DATABASE = 'ledger';

export async function openFaultyPostgres(
  folder: string,
  faults: readonly FaultName[],
): Promise<FaultyLedger> {
  await using opened = new AsyncDisposableStack();
  // The server runs as another user, who must be able to pass through.
  chmodSync(folder, 0o711);
  const disk = faults.includes('disk')
    ? opened.use(openSmallDisk(join(folder, 'postgres'), DISK_MB))
    : undefined;
  const cluster = opened.use(await openCluster(disk?.folder));
  await query(`${cluster.address}/postgres`, `CREATE DATABASE ${DATABASE}`);
  const port = Number(new URL(cluster.address).port);
  const proxy = opened.use(await openCommitProxy(port));
  const rest = opened.move();
  return {
    address: `postgres://plimsoll@127.0.0.1:${proxy.port}/${DATABASE}`,
    env: {},
    inject: async (fault: LedgerFault, chance: Chance) => {
      switch (fault) {
        case 'commit':
          await proxy.lose(chance.pick(['before', 'after']), COMMIT_WITHIN_MS);
          return;
        case 'backend':
          return terminate(cluster.address, 1 + chance.below(3));
        case 'restart':
          return cluster.restart(chance.below(1500));
        case 'disk':
          disk?.fill();
          await wait(300 + chance.below(2000));
          disk?.free();
          // Without space for its log it stops itself, and nobody else would start it again.
          return cluster.ensureRunning();
      }
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

/** Those that do something go first. */
async function terminate(address: string, count: number): Promise<void> {
  await query(
    `${address}/postgres`,
    `SELECT pg_terminate_backend(pid) FROM (
       SELECT pid FROM pg_stat_activity WHERE datname = '${DATABASE}'
       ORDER BY (state = 'active') DESC, random() LIMIT ${count}) AS victims`,
  );
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // said by the query as well
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}
