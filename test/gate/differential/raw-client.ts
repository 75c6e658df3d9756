/** A client without an SDK: writes lines or POSTs, and writes down every answer as it is spelled. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Json, JsonObject, Message } from './fixture-world.ts';
import { readLines } from './read-lines.ts';
import { SPELLING } from './script.ts';
import { Recorder } from './trace.ts';
import type { Era, RequestOptions, Target, TracedClient } from './traced-client.ts';
import { ANSWERS, CAPABILITIES, CLIENT_INFO } from './traced-client.ts';

const META = 'io.modelcontextprotocol/';
const VERSIONS = { 2025: '2025-11-25', 2026: '2026-07-28' } as const;

/** Resolves when the line is written, or the whole response to the POST was read; with the HTTP status. */
type Send = (message: Message, signal?: AbortSignal) => Promise<number | undefined>;

interface Line {
  readonly send: Send;
  /** Rejects when nothing more can come. */
  readonly ended: Promise<never>;
  readonly close: () => Promise<void>;
}

export class RawClient implements TracedClient {
  readonly recorder = new Recorder();
  readonly #era: Era;
  readonly #line: Line;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #listening: { readonly id: number; readonly controller: AbortController } | undefined;
  #serial = 0;

  constructor(target: Target, era: Era) {
    this.#era = era;
    const take = (text: string): void => this.#take(text);
    this.#line =
      target.kind === 'http' ? openPosts(target.url, era, take) : openLines(target, take);
  }

  async open(): Promise<Json> {
    if (this.#era === '2026') return this.#exchange('server/discover', {});
    const params = {
      protocolVersion: VERSIONS[this.#era],
      capabilities: CAPABILITIES,
      clientInfo: CLIENT_INFO,
    };
    const hello = await this.#exchange('initialize', params);
    await this.notify('notifications/initialized');
    return hello;
  }

  async request(method: string, params: JsonObject, options: RequestOptions): Promise<Json> {
    const progress = options.progress && { progressToken: `token-${this.#serial + 1}` };
    const _meta = { ...(params['_meta'] as JsonObject), ...progress };
    const asked = Object.keys(_meta).length === 0 ? params : { ...params, _meta };
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
    const answer = (await this.#exchange(method, asked, signal)) as JsonObject;
    const result = (answer['result'] ?? {}) as JsonObject; // by the protocol
    if (result['resultType'] !== 'input_required') return answer;
    const questions = Object.entries(result['inputRequests'] as Record<string, { method: string }>);
    const inputResponses = Object.fromEntries(
      questions.map(([key, question]) => [key, ANSWERS[question.method as keyof typeof ANSWERS]]),
    );
    const { requestState } = result;
    return this.request(method, { ...params, inputResponses, requestState }, options);
  }

  async notify(method: string): Promise<void> {
    await this.#line.send(toMessage({ method }));
  }

  async listen(filter: JsonObject): Promise<void> {
    const controller = new AbortController();
    const id = this.#serial + 1;
    this.#listening = { id, controller };
    void this.#exchange('subscriptions/listen', { notifications: filter }, controller.signal).catch(
      () => {},
    );
    await this.recorder.wait({ 'notifications/subscriptions/acknowledged': 1 });
  }

  async unlisten(): Promise<void> {
    this.#listening?.controller.abort();
  }

  close(): Promise<void> {
    this.#listening?.controller.abort();
    return this.#line.close();
  }

  async #exchange(method: string, given: JsonObject, signal?: AbortSignal): Promise<Json> {
    this.#serial += 1;
    const id = this.#serial;
    const params =
      this.#era === '2025'
        ? given
        : { ...given, _meta: { ...ENVELOPE, ...(given['_meta'] as object) } };
    const message = toMessage({ id, method, params });
    const answered = new Promise<Message>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      signal?.addEventListener('abort', () => {
        // Over HTTP the end of a request of 2026 is its cancellation; the line knows.
        void this.#line
          .send(
            toMessage({
              method: 'notifications/cancelled',
              params: { requestId: id, reason: 'enough' },
            }),
            signal,
          )
          .catch(() => {});
        reject(new Error(`no answer: ${(signal.reason as Error).message}`));
      });
    });
    this.recorder.sent(message);
    const sent = this.#line.send(message, signal);
    const [{ result, error }, status] = await Promise.race([
      Promise.all([answered, sent]),
      this.#line.ended,
    ]);
    return { ...(status !== undefined && { status }), result, error };
  }

  #take(text: string): void {
    const message = JSON.parse(text) as Message; // servers answer with JSON-RPC
    this.recorder.received(message, text);
    const { id, method } = message;
    if (method === undefined) this.#waiting.get(Number(id))?.(message);
    else if (id !== undefined) {
      const result: JsonObject = method === 'ping' ? {} : ANSWERS[method as keyof typeof ANSWERS];
      void this.#line.send(toMessage({ id, result }));
    }
  }
}

const ENVELOPE = {
  [`${META}protocolVersion`]: VERSIONS[2026],
  [`${META}clientInfo`]: CLIENT_INFO,
  [`${META}clientCapabilities`]: CAPABILITIES,
};

function toMessage(message: Message): Message {
  return { jsonrpc: '2.0', ...message } as Message;
}

function toLine(message: Message): string {
  return JSON.stringify(message).replace(...SPELLING);
}

function openLines(target: Target & { kind: 'stdio' }, take: (text: string) => void): Line {
  const { PATH = '', HOME = '' } = process.env;
  const child: ChildProcess = spawn(target.command, target.args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH, HOME },
  });
  const gone = once(child, 'exit');
  if (child.stdin === null || child.stdout === null) throw new Error('no pipes');
  const { stdin } = child;
  stdin.on('error', () => {});
  readLines(child.stdout, take);
  const ended = gone.then(() => {
    throw new Error('the process has ended');
  });
  ended.catch(() => {});
  return {
    ended,
    send: async (message) => {
      stdin.write(`${toLine(message)}\n`);
      return undefined;
    },
    close: async () => {
      stdin.end();
      await gone;
    },
  };
}

function openPosts(url: string, era: Era, take: (text: string) => void): Line {
  const open = new AbortController();
  let session: Record<string, string> = {};
  const post: Send = async (message, signal) => {
    const isCancel = message.method === 'notifications/cancelled';
    if (isCancel && era === '2026') return undefined;
    const wanted =
      signal === undefined || isCancel || era === '2025' ? [open.signal] : [open.signal, signal];
    const headers = { ...toHeaders(message, era), ...session };
    const body = toLine(message);
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.any(wanted),
    });
    const id = response.headers.get('mcp-session-id');
    if (id !== null && message.method === 'initialize') {
      session = { 'mcp-session-id': id, 'mcp-protocol-version': VERSIONS[2025] };
    }
    let isAnswered = message.id === undefined || message.method === undefined;
    await readMessages(response, (text) => {
      const { id: about, method } = JSON.parse(text) as Message; // servers answer with JSON-RPC
      isAnswered ||= method === undefined && about === message.id;
      take(text);
    });
    if (!isAnswered) throw new Error(`status ${response.status} without an answer`);
    if (message.method === 'notifications/initialized') {
      const standing = { ...session, accept: 'text/event-stream' };
      void fetch(url, { headers: standing, signal: open.signal })
        .then((stream) => readMessages(stream, take))
        .catch(() => {});
    }
    return response.status;
  };
  const close = async (): Promise<void> => {
    if (era === '2025') await fetch(url, { method: 'DELETE', headers: session }).catch(() => {});
    open.abort();
  };
  return { send: post, close, ended: new Promise(() => {}) };
}

function toHeaders({ method = '', params = {} }: Message, era: Era): Record<string, string> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (era === '2025') return headers;
  const name = params['name'] ?? params['uri'];
  return {
    ...headers,
    'mcp-protocol-version': VERSIONS[2026],
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

async function readMessages(response: Response, take: (text: string) => void): Promise<void> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text();
    if (text !== '') take(text);
    return;
  }
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    const events = (rest + decoder.decode(part as Uint8Array, { stream: true })).split(
      /\r?\n\r?\n/,
    );
    rest = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      const data = lines.map((line) => line.slice(line.startsWith('data: ') ? 6 : 5)).join('\n');
      if (data !== '') take(data);
    }
  }
}
