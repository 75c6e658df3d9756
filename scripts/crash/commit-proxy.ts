/** In front of PostgreSQL: passes everything on, and breaks the connection of one COMMIT when asked to. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface CommitProxy extends AsyncDisposable {
  readonly port: number;
  /** Loses the next COMMIT, before or after the server got it; false when there was none in time. */
  readonly lose: (when: 'before' | 'after', withinMs: number) => Promise<boolean>;
}

/** A simple query, as the protocol writes it: its type, its length, its text and a zero. */
const COMMIT = Buffer.from('Q\0\0\0\u000BCOMMIT\0', 'latin1');

interface Loss {
  readonly when: 'before' | 'after';
  readonly done: () => void;
}

export async function openCommitProxy(port: number): Promise<CommitProxy> {
  let wanted: Loss | undefined;
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // The other side learns of it by `close`.
      socket.setNoDelay(true).on('error', () => {});
    }
    const cut = (): void => {
      for (const socket of [client, upstream]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    client.once('close', cut);
    upstream.once('close', cut);
    let isLosing = false;
    client.on('data', (bytes) => {
      const loss = bytes.includes(COMMIT) ? wanted : undefined;
      if (loss === undefined) return void upstream.write(bytes);
      wanted = undefined;
      loss.done();
      if (loss.when === 'before') return cut();
      isLosing = true;
      return void upstream.write(bytes);
    });
    // The first byte of the answer shows that the commit has taken effect.
    upstream.on('data', (bytes) => (isLosing ? cut() : void client.write(bytes)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // listens on TCP
    lose: async (when, withinMs) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const loss = { when, done: () => resolve(true) };
      wanted = loss;
      const timer = setTimeout(() => resolve(false), withinMs);
      const isLost = await promise;
      clearTimeout(timer);
      if (wanted === loss) wanted = undefined;
      return isLost;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
