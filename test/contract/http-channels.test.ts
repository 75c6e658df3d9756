/** A server over HTTP, on real sockets, in both eras, held to the channel contract. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import type { JsonObject, RpcId, RpcMessage } from '../../src/gate/protocol/frame.ts';
import { isId } from '../../src/gate/protocol/frame.ts';
import { isObject } from '../../src/gate/protocol/read-frame.ts';
import { openHttpUpstream } from '../../src/gate/upstream/http-upstream.ts';
import { toMeta } from '../gate/scripted-channel.ts';
import type { ChannelRig, ScriptedServer } from './witness.ts';
import { channelContract } from './channel.contract.ts';
import { LEGACY_HANDSHAKE, toToolCall } from './witness.ts';

const GRACE_MS = 200;
const opened: AsyncDisposable[] = [];

afterAll(async () => {
  for (const each of opened) await each[Symbol.asyncDispose]();
});

/** Answers every call on a stream of events; what no request of its own is open for goes on any that is. */
class HttpServer implements ScriptedServer, AsyncDisposable {
  readonly #seen = new Map<string, RpcId>();
  readonly #streams = new Map<RpcId, ServerResponse>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  /** The stream of a session for what belongs to no request. */
  #unasked: ServerResponse | undefined;
  #session = 0;

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  seen(tag: string): RpcId | undefined {
    return this.#seen.get(tag);
  }

  say(message: JsonObject): void {
    const { id } = message;
    const own = isId(id) ? this.#streams.get(id) : undefined;
    const stream = own ?? this.#unasked ?? this.#streams.values().next().value;
    stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    // Later, so that a second answer still fits in.
    if (own !== undefined) setImmediate(() => own.end());
  }

  /** As after a restart: every connection breaks, and the session is unknown. */
  die(): void {
    this.#session += 1;
    this.#seen.clear();
    this.#streams.clear();
    this.#unasked = undefined;
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.die();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const given = request.headers['mcp-session-id'];
    const body = await text(request).catch(() => '');
    const message = body === '' ? {} : (JSON.parse(body) as RpcMessage);
    if (message.method === 'initialize') this.#initialize(message, response);
    else if (given !== undefined && given !== String(this.#session)) response.writeHead(404).end();
    else if (request.method === 'GET') this.#unasked = openStream(response);
    else if (request.method === 'DELETE') response.end();
    else if (!isId(message.id)) response.writeHead(202).end();
    else this.#call(message.id, message, openStream(response));
  }

  #initialize({ id }: RpcMessage, response: ServerResponse): void {
    const capabilities = { tools: { listChanged: true } };
    const serverInfo = { name: 'scripted', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
    const headers = { 'mcp-session-id': String(this.#session), 'content-type': 'application/json' };
    response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }

  #call(id: RpcId, { params }: RpcMessage, stream: ServerResponse): void {
    const given = params?.['arguments'];
    const tag = isObject(given) ? given['tag'] : undefined;
    this.#streams.set(id, stream);
    if (typeof tag === 'string') this.#seen.set(tag, id);
    stream.once('close', () => {
      if (this.#streams.get(id) === stream) this.#streams.delete(id);
    });
  }
}

function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  return response;
}

for (const era of ['modern', 'legacy'] as const) {
  const isModern = era === 'modern';
  channelContract(
    `a ${era} server over HTTP`,
    async (): Promise<ChannelRig> => {
      const server = new HttpServer();
      const channel = openHttpUpstream({ url: await server.listen(), cancelGraceMs: GRACE_MS });
      opened.push(channel, server);
      return {
        channel,
        server,
        handshake: isModern ? [] : LEGACY_HANDSHAKE,
        toCall: (id, tag) => {
          const call = toToolCall(id, tag);
          if (!isModern) return call;
          return { ...call, params: { ...(call['params'] as JsonObject), _meta: toMeta() } };
        },
        graceMs: GRACE_MS,
        isStateless: isModern,
      };
    },
    { runs: 20 },
  );
}
