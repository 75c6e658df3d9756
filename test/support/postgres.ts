/** Databases of a real PostgreSQL for tests and scripts. */
import type { ChildProcess } from 'node:child_process';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresBinaries } from './postgres-binaries.ts';
import { sharedService } from './shared-service.ts';

export interface Postgres extends AsyncDisposable {
  readonly url: string;
}

export interface Cluster extends AsyncDisposable {
  /** Without a database. */
  readonly address: string;
  /** Ends all connections at once and starts again, after a while, as `pg_ctl restart -m immediate` does. */
  readonly restart: (afterMs?: number) => Promise<void>;
  /** Starts it again if it has stopped itself; resolves when it takes connections. */
  readonly ensureRunning: () => Promise<void>;
}

/** Processes are killed here, the machine is not: nothing needs to reach the disk. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'fsync=off',
  'full_page_writes=off',
];
/** Stops the server, by its fast shutdown, when our end of the pipe closes: even when we are killed. */
const UNTIL_INPUT_ENDS =
  'exec 3<&0; "$0" "$@" & server=$!; { read -r _ <&3; kill -INT $server; } & wait $server';
const POLL_MS = 50;
const PATIENCE_MS = 30_000;

/** A fresh database: in the cluster that the tests of this run share, or in a cluster of its own. */
export async function openPostgres(): Promise<Postgres> {
  const shared = await sharedService('postgres');
  if (shared !== undefined) return createDatabase(shared);
  const cluster = await openCluster();
  const { url } = await createDatabase(cluster.address);
  return { url, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

/** A server on a free port, in a folder that is removed with it. */
export async function openCluster(parent: string = tmpdir()): Promise<Cluster> {
  const folder = mkdtempSync(join(parent, 'plimsoll-pg-'));
  const data = join(folder, 'data');
  const { initdb, postgres } = postgresBinaries();
  const who = unprivileged();
  if (who !== undefined) chownSync(folder, who.uid, who.gid);
  const options = { cwd: folder, ...who };
  const init = [
    '--auth=trust',
    '--username=plimsoll',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  await promisify(execFile)(initdb, [`--pgdata=${data}`, ...init], options);
  const port = await freePort();
  const flags = SETTINGS.flatMap((setting) => ['-c', setting]);
  const args = ['-c', UNTIL_INPUT_ENDS, postgres, '-D', data, '-p', String(port), ...flags];
  const start = () => spawn('sh', args, { ...options, stdio: ['pipe', 'ignore', 'ignore'] });
  let server = start();
  const address = `postgres://plimsoll@127.0.0.1:${port}`;
  await untilReady(`${address}/postgres`, server);

  async function ensureRunning(): Promise<void> {
    if (hasEnded(server)) {
      server.stdin.end();
      server = start();
    }
    await untilReady(`${address}/postgres`, server);
  }

  async function restart(afterMs: number = 0): Promise<void> {
    const ended = once(server, 'exit');
    // The first line of the file is the number of the server that is running.
    const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGQUIT');
    await ended;
    await sleep(afterMs);
    await ensureRunning();
  }

  return {
    address,
    restart,
    ensureRunning,
    [Symbol.asyncDispose]: async () => {
      if (!hasEnded(server)) {
        const ended = once(server, 'exit');
        server.stdin.end();
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createDatabase(cluster: string): Promise<Postgres> {
  const name = `ledger_${randomUUID().replaceAll('-', '')}`;
  await execute(`${cluster}/postgres`, `CREATE DATABASE ${name}`);
  return {
    url: `${cluster}/${name}`,
    [Symbol.asyncDispose]: () =>
      execute(`${cluster}/postgres`, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The server refuses to run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const started = Date.now();
  for (;;) {
    try {
      await execute(url, 'SELECT 1');
      return;
    } catch (cause) {
      const isLate = Date.now() - started > PATIENCE_MS;
      if (hasEnded(server) || isLate) throw new Error('PostgreSQL did not start', { cause });
      await sleep(POLL_MS);
    }
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
