/** Starts a peer and connects to it; the client is the same as everywhere, in the 2025 era. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Line, Listening } from '../gate/line.ts';
import { openStdioLine } from '../gate/line.ts';
import { lastDescendant } from '../gate/process-cost.ts';
import type { Peer, Place } from './peer.ts';

const TRIES = 100;
const BETWEEN_MS = 200;

/** `folder` is where the peers were installed; `logs` ends with the run; `server` is the one over HTTP. */
export async function openPeer(
  peer: Peer,
  name: string,
  { folder, logs, server }: Pick<Place, 'folder' | 'logs'> & { readonly server: Listening },
): Promise<Line> {
  const place = { folder, logs, url: server.url, port: await freePort() };
  // What they keep of a run must not be found by another, nor by their users.
  const home = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const env = { ...home, ...peer.env?.(place) };
  const known = peer.route.endsWith('to HTTP') ? { server: server.pid } : {};
  if (peer.route.startsWith('HTTP')) return openListeningPeer(peer, name, { place, env, ...known });
  const init = { name, era: '2025', hasMiddle: true, env, isQuiet: true, ...known } as const;
  return openStdioLine(peer.command(place), init);
}

interface Start {
  readonly place: Place;
  readonly env: Readonly<Record<string, string>>;
  readonly server?: number;
}

async function openListeningPeer(
  peer: Peer,
  name: string,
  { place, env, server }: Start,
): Promise<Line> {
  const child = spawn(process.execPath, [...peer.command(place)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const { pid = 0 } = child;
  let said = '';
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (said = (said + text).slice(-4000)));
  const ended = once(child, 'exit').then(() => {
    throw new Error(/^.*error.*$/im.exec(said)?.[0] ?? 'it ended');
  });
  ended.catch(() => {}); // it ends when it is stopped, too
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), 3000);
    if (!hasEnded(child)) await once(child, 'exit');
    clearTimeout(patience);
  };
  try {
    const client = await Promise.race([connect(peer, place, () => hasEnded(child)), ended]);
    return {
      name,
      client,
      middle: pid,
      server: server ?? lastDescendant(pid),
      [Symbol.asyncDispose]: async () => {
        await client.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** A peer may listen before its server is ready. */
async function connect(
  { transport, query }: Peer,
  place: Place,
  isOver: () => boolean,
): Promise<Client> {
  const url = new URL(`http://127.0.0.1:${place.port}/mcp`);
  url.search = new URLSearchParams(query?.(place)).toString();
  let reason: unknown;
  for (let tries = 0; tries < TRIES && !isOver(); tries += 1) {
    const client = new Client({ name: 'bench', version: '1.0.0' });
    try {
      await client.connect(
        transport === 'sse' ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url),
      );
      const { tools } = await client.listTools();
      if (tools.length > 0) return client;
    } catch (error) {
      // Not up yet, or not at all.
      reason = error;
    }
    await client.close();
    await sleep(BETWEEN_MS);
  }
  throw new Error('it does not answer', { cause: reason });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  return port;
}
