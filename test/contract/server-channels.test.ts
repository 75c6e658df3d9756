/** A real server process and a transport of the SDK, held to the channel contract. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { afterAll } from 'vitest';
import type { JsonObject, RpcId } from '../../src/gate/protocol/frame.ts';
import { Lines } from '../../src/gate/protocol/lines.ts';
import { openProcess } from '../../src/gate/upstream/process.ts';
import { TransportChannel } from '../../src/gate/upstream/sdk-transport.ts';
import type { ChannelRig, ScriptedServer } from './witness.ts';
import { channelContract } from './channel.contract.ts';

const GRACE_MS = 200;
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-contract-'));
const opened: AsyncDisposable[] = [];
let serial = 0;

afterAll(async () => {
  for (const each of opened) await each[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Answers the handshake, reports everything else over a socket, and prints what comes back. */
const SERVER = `
const socket = require('node:net').connect(process.argv[1]);
socket.on('data', (data) => require('node:fs').writeSync(1, data));
socket.on('error', () => {}).on('close', () => process.exit(1));
process.stdin.on('end', () => process.exit(0));
const capabilities = { tools: { listChanged: true } };
const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  else socket.write(line + '\\n');
});`;

class RemoteServer implements ScriptedServer {
  readonly path: string = join(folder, String((serial += 1)));
  readonly #seen = new Map<string, RpcId>();
  readonly #server = createServer((socket) => this.#follow(socket));
  #socket: Socket | undefined;

  async listen(): Promise<this> {
    this.#server.listen(this.path);
    await once(this.#server, 'listening');
    return this;
  }

  seen(tag: string): RpcId | undefined {
    return this.#seen.get(tag);
  }

  say(message: JsonObject): void {
    this.#socket?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  die(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.die();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #follow(socket: Socket): void {
    const lines = new Lines(1e6);
    this.#socket = socket;
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) this.#read(line.toString('utf8'));
    });
  }

  #read(line: string): void {
    const [, id, tag] = /"id":("[^"]*"|\d+).*"tag":"([^"]*)"/.exec(line) ?? [];
    if (id !== undefined && tag !== undefined) this.#seen.set(tag, JSON.parse(id) as RpcId);
  }
}

channelContract(
  'a server process',
  async (): Promise<ChannelRig> => {
    const server = await new RemoteServer().listen();
    const command = process.execPath;
    const args = ['-e', SERVER, server.path];
    const channel = openProcess({ command, args, cancelGraceMs: GRACE_MS });
    opened.push(channel, server);
    return { channel, server, graceMs: GRACE_MS };
  },
  { runs: 10 },
);

/** The server of the suite behind a transport. When one of the SDK ends, so does its channel. */
class TestTransport implements Transport, ScriptedServer {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #seen = new Map<string, RpcId>();
  #isClosed = false;

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('Not connected');
    if (!('id' in message) || !('method' in message)) return;
    const { id, method, params } = message;
    const { tag } = (params?.['arguments'] ?? {}) as { tag?: string };
    if (tag !== undefined) this.#seen.set(tag, id);
    else if (method === 'initialize') queueMicrotask(() => this.say({ id, result: {} }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  die(): Promise<void> {
    return this.close();
  }

  seen(tag: string): RpcId | undefined {
    return this.#seen.get(tag);
  }

  say(message: JsonObject): void {
    this.onmessage?.({ jsonrpc: '2.0', ...message } as unknown as JSONRPCMessage);
  }
}

channelContract('a transport of the SDK', async (): Promise<ChannelRig> => {
  const server = new TestTransport();
  const channel = new TransportChannel(server, { cancelGraceMs: GRACE_MS });
  return { channel, server, graceMs: GRACE_MS };
});
