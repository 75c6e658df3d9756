/** Starts a peer and connects to it; the client is the same as everywhere, in the 2025 era. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Line } from '../gate/line.ts';
import { lastDescendant } from '../gate/process-cost.ts';
import type { Peer } from './peer.ts';

const TRIES = 100;
const BETWEEN_MS = 200;

/** `folder` is where the peers were installed. */
export async function openPeer(peer: Peer, folder: string): Promise<Line> {
  const port = await freePort();
  const script = join(folder, 'node_modules', peer.script);
  const child = spawn(process.execPath, [script, ...peer.args(port, folder)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const { pid = 0 } = child;
  const client = await connect(peer, new URL(`http://127.0.0.1:${port}/mcp`));
  return {
    name: peer.name,
    client,
    middle: pid,
    server: lastDescendant(pid),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), 3000);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      clearTimeout(patience);
    },
  };
}

/** A peer may listen before its server is ready. */
async function connect({ name, transport }: Peer, url: URL): Promise<Client> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const client = new Client({ name: 'bench', version: '1.0.0' });
    try {
      await client.connect(
        transport === 'sse' ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url),
      );
      const { tools } = await client.listTools();
      if (tools.length > 0) return client;
    } catch {
      // Not up yet.
    }
    await client.close();
    await sleep(BETWEEN_MS);
  }
  throw new Error(`${name} does not answer`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  return port;
}
