/** Real HTTP servers on loopback with a handler of the test's own, and a channel to one with what it said. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Channel, Failure } from '../../src/gate/protocol/channel.ts';
import type {
  Caller,
  Frame,
  JsonObject,
  RpcId,
  RpcMessage,
} from '../../src/gate/protocol/frame.ts';
import { INTERNAL, toFrame } from '../../src/gate/protocol/frame.ts';
import type { HttpUpstreamOptions } from '../../src/gate/upstream/http-upstream.ts';
import { openHttpUpstream } from '../../src/gate/upstream/http-upstream.ts';

export interface Heard {
  readonly channel: Channel;
  readonly frames: Frame[];
  readonly failures: [RpcId, Failure][];
  /** Everything in order: `frame 1`, `failed 1 lost`, `renewed`, `closed`. */
  readonly log: string[];
}

/** What a test opens; closed after it, in reverse order. */
export class HttpFixture implements AsyncDisposable {
  readonly #open = new Set<AsyncDisposable>();

  async listen(
    handler: RequestListener,
    secure?: { readonly key: string; readonly cert: string },
  ): Promise<string> {
    const server = secure ? createSecureServer(secure, handler) : createServer(handler);
    this.#open.add({
      [Symbol.asyncDispose]: () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve());
    });
    const { port } = server.address() as AddressInfo;
    return `${secure ? 'https' : 'http'}://127.0.0.1:${port}/mcp`;
  }

  hear(options: HttpUpstreamOptions): Heard {
    const channel = openHttpUpstream(options);
    this.add(channel);
    const heard: Heard = { channel, frames: [], failures: [], log: [] };
    const { frames, failures, log } = heard;
    channel.listen({
      frame: (frame) => {
        // Only for whoever passes the stream on.
        if (frame.message.method === INTERNAL.streamClosed) return;
        frames.push(frame);
        log.push(`frame ${frame.message.method ?? frame.message.id}`);
      },
      failed: (id, failure) => {
        failures.push([id, failure]);
        log.push(`failed ${id} ${failure.kind}`);
      },
      renewed: () => void log.push('renewed'),
      closed: () => void log.push('closed'),
    });
    return heard;
  }

  add(each: AsyncDisposable): void {
    this.#open.add(each);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of [...this.#open].toReversed()) await each[Symbol.asyncDispose]();
    this.#open.clear();
  }
}

type JsonListener = (
  message: RpcMessage | undefined,
  incoming: IncomingMessage,
  response: ServerResponse,
) => void;

export function withJson(listener: JsonListener): RequestListener {
  return (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      listener(text === '' ? undefined : (JSON.parse(text) as RpcMessage), incoming, response);
    });
  };
}

export function answer(response: ServerResponse, message: JsonObject): void {
  response.setHeader('content-type', 'application/json');
  response.writeHead(200).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

const caller: Caller = { principal: { id: 'host', scopes: [] }, session: 'one', via: 'mcp-stdio' };

/** Of the 2025 revisions. */
export function request(method = 'tools/call', id: RpcId = 1, params: JsonObject = {}): Frame {
  return {
    ...toFrame({ jsonrpc: '2.0', id, method, params: { name: 'x', ...params } }),
    caller,
  };
}

export function modernRequest(method = 'tools/call', id: RpcId = 1): Frame {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  return request(method, id, { _meta });
}

export function notification(method: string, params: JsonObject = {}): Frame {
  return toFrame({ jsonrpc: '2.0', method: `notifications/${method}`, params });
}
