/** A server of the 2025 revisions that knows one session at a time, and a channel to it with one log. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { vi } from 'vitest';
import type { RpcMessage } from '../../src/gate/protocol/frame.ts';
import type { HttpUpstreamOptions } from '../../src/gate/upstream/http-upstream.ts';
import type { Heard } from './http-fixture.ts';
import { HttpFixture, answer, notification, request, withJson } from './http-fixture.ts';

const LIMIT = { timeout: 15_000, interval: 20 };

export type Handler = (
  message: RpcMessage,
  response: ServerResponse,
  incoming: IncomingMessage,
) => void;

export class SessionServer implements AsyncDisposable {
  readonly #fixture = new HttpFixture();
  readonly on = new Map<string, Handler>();
  log: string[] = [];
  session = 0;
  #known = true;

  /** As after a restart: the next session is another, and the last one unknown. */
  forget(): void {
    this.#known = false;
  }

  readonly handle = withJson((message, incoming, response) => {
    const { method = '' } = incoming;
    const name = message?.method ?? (message === undefined ? method : 'response');
    const given = incoming.headers['mcp-session-id'];
    if (name !== 'GET') this.log.push(`got ${[name, given].filter(Boolean).join(' ')}`);
    const isKnown = this.#known && given === `s${this.session}`;
    const handler = this.on.get(name);
    if (name === 'initialize') {
      this.session += 1;
      this.#known = true;
      response.setHeader('mcp-session-id', `s${this.session}`);
    } else if (given !== undefined && !isKnown) {
      response.writeHead(404).end();
      return;
    }
    if (handler !== undefined) handler(message ?? {}, response, incoming);
    else if (message === undefined) response.writeHead(method === 'DELETE' ? 200 : 405).end();
    else if (name === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: {} };
      answer(response, { id: message.id ?? null, result });
    } else if (message.id === undefined || name === 'response') response.writeHead(202).end();
    else answer(response, { id: message.id, result: {} });
  });

  /** What the server got and what the listener was told are in one log. */
  async open(options: Partial<HttpUpstreamOptions> = {}): Promise<Heard> {
    const url = await this.#fixture.listen(this.handle);
    const heard = this.#fixture.hear({ url, ...options });
    this.log = heard.log;
    return heard;
  }

  /** With a session that has begun. */
  async begin(options?: Partial<HttpUpstreamOptions>): Promise<Heard> {
    const heard = await this.open(options);
    heard.channel.send(request('initialize', 'begin'));
    await vi.waitUntil(() => heard.log.at(-1) === 'frame begin', LIMIT);
    heard.channel.send(notification('initialized'));
    heard.channel.send(request('ping', 'p'));
    await vi.waitUntil(() => heard.log.at(-1) === 'frame p', LIMIT);
    heard.log.length = 0;
    return heard;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fixture[Symbol.asyncDispose]();
  }
}

/** What the server gets when its first session is begun again. */
export const BEGUN_AGAIN: readonly string[] = [
  'got initialize',
  'got notifications/initialized s2',
];
