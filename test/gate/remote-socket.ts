/** The thread of `remote-server.ts`: a server that writes what it is told to, in the parts that it is told. */
import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import type { RemoteNews, RemoteOrder, RemoteSetup } from './remote-server.ts';

const { secure, greeting, hangsUp, done } = workerData as RemoteSetup;
const sockets: Socket[] = [];

const server: Server = secure
  ? createSecureServer({ ...secure, ALPNProtocols: ['http/1.1'] }, accept)
  : createServer(accept);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  tell({ kind: 'listening', port: address.port });
});

parentPort?.on('message', ({ connection, parts, isLast }: RemoteOrder) => {
  const socket = sockets[connection];
  if (socket === undefined) throw new Error(`there is no connection ${connection}`);
  let left = parts.length;
  for (const part of parts) socket.write(part, 'latin1', () => (left -= 1) === 0 && signal());
  if (isLast) socket.end(signal);
});

function accept(socket: Socket): void {
  const connection = sockets.push(socket) - 1;
  // Or the system keeps what it has taken.
  socket.setNoDelay(true).on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    if (chunk.at(-1) !== 0x21) return;
    tell({ kind: 'asked', connection });
    if (hangsUp === true) socket.end();
  });
  if (greeting !== undefined) socket.write(greeting, signal);
}

/** The system has the bytes. */
function signal(): void {
  Atomics.add(done, 0, 1);
  Atomics.notify(done, 0);
}

function tell(news: RemoteNews): void {
  parentPort?.postMessage(news, []);
}
