/** A line to a PostgreSQL server on loopback that can be cut, or go silent, at the commit or at once. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export type LineFault =
  | 'none'
  /** The commit does not reach the server. */
  | 'cut-before-commit'
  /** The commit is done, and its answer does not arrive. */
  | 'cut-after-commit'
  /** The commit is done, and nothing arrives from then on. */
  | 'silent-after-commit'
  | 'silent';

export interface FaultyLine extends AsyncDisposable {
  /** The address of the same database through this line. */
  readonly url: string;
  fault: LineFault;
}

/** As a statement of its own in a simple query; an isolation level has the same letters. */
const COMMIT = Buffer.from('COMMIT\0');

export async function openFaultyLine(url: string): Promise<FaultyLine> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const line = { fault: 'none' as LineFault };
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    let isSilent = false;
    const cut = (): void => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut);
    }
    client.on('data', (data) => {
      const isCommit = data.includes(COMMIT);
      if (isCommit && line.fault === 'cut-before-commit') return cut();
      if (isCommit && line.fault === 'cut-after-commit') {
        database.removeAllListeners('data').once('data', cut);
      }
      if (isCommit && line.fault === 'silent-after-commit') isSilent = true;
      if (line.fault !== 'silent') database.write(data);
      return undefined;
    });
    database.on('data', (data) => {
      if (!isSilent && line.fault !== 'silent') client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port); // listens on TCP
  return Object.assign(line, {
    url: through.href,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}
