/** A real PostgreSQL server for one test file, on a free port, in a folder that goes away with it. */
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresBinaries } from './postgres-binaries.ts';

export interface Postgres extends AsyncDisposable {
  readonly url: string;
}

const LOOK_MS = 100;
const PATIENCE_MS = 30_000;

export async function openPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-pg-'));
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
  execFileSync(initdb, [`--pgdata=${data}`, ...init], { ...options, stdio: 'pipe' });
  const port = await freePort();
  const flags = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const server = spawn(postgres, ['-D', data, '-p', String(port), ...flags], {
    ...options,
    stdio: 'ignore',
  });
  const kill = (): void => void server.kill('SIGKILL');
  process.once('exit', kill);
  const url = `postgres://plimsoll@127.0.0.1:${port}`;
  await createDatabase(`${url}/postgres`, server);
  return {
    url: `${url}/ledger`,
    [Symbol.asyncDispose]: async () => {
      process.off('exit', kill);
      if (!hasEnded(server)) {
        const ended = once(server, 'exit');
        server.kill('SIGINT'); // its word for a quick end that loses nothing
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server refuses to run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Waits until the server takes connections. */
async function createDatabase(url: string, server: ChildProcess): Promise<void> {
  const started = Date.now();
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    try {
      await client.connect();
      await client.query('CREATE DATABASE ledger');
      return;
    } catch (cause) {
      const isLate = Date.now() - started > PATIENCE_MS;
      if (hasEnded(server) || isLate) throw new Error('PostgreSQL did not start', { cause });
      await sleep(LOOK_MS);
    } finally {
      await client.end().catch(() => {});
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
  if (address === null || typeof address === 'string') throw new Error('no port to be had');
  return address.port;
}
