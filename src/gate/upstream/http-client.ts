/**
 * One HTTP request and what comes back: messages as they arrive, then how it ended. Knows whether the
 * request can have reached the server, and nothing of sessions, tokens or JSON-RPC.
 */
import type {
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from 'node:http';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Failure } from '../protocol/channel.ts';
import { EventReader } from '../protocol/events.ts';

export interface Order {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** How long the server may say nothing; 0 for ever. */
  readonly silenceMs: number;
}

interface Watcher {
  /** Before the first message of an answer with a status below 300. */
  head?(headers: IncomingHttpHeaders): void;
  message(bytes: Buffer): void;
  /** Once, unless aborted. */
  done(end: End): void;
}

export type End = Answered | { readonly kind: 'failed'; readonly failure: Failure };

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of an answer with a status from 300 up. */
  readonly body?: Buffer;
  /** Where a stream can be taken up again. */
  readonly lastEventId?: string;
  readonly retryMs?: number;
}

export type Abort = () => void;

interface Place extends RequestOptions {
  readonly isSecure: boolean;
  /** The largest message that is taken. */
  readonly maxBytes: number;
}

function exchange(place: Place, order: Order, watcher: Watcher): Abort {
  try {
    return watch(open(place, order), place, order, watcher);
  } catch (error) {
    // A client may have sent what cannot stand in a header.
    const detail = describe(error instanceof Error ? error : new Error(String(error)));
    queueMicrotask(() => watcher.done({ kind: 'failed', failure: { kind: 'not-sent', detail } }));
    return () => {};
  }
}

function watch(request: ClientRequest, place: Place, order: Order, watcher: Watcher): Abort {
  let isOver = false;
  let isSent = false;

  const end = (how: End): void => {
    if (isOver) return;
    isOver = true;
    watcher.done(how);
  };
  const fail = (error: Error): void => {
    if (isOver) return;
    const kind = isSent ? 'lost' : 'not-sent';
    end({ kind: 'failed', failure: { kind, detail: describe(error) } });
    request.destroy();
  };

  request.once('socket', (socket) => {
    // Bytes leave only once the connection stands, with TLS once the certificate was accepted.
    if (request.reusedSocket || (!place.isSecure && !socket.connecting)) isSent = true;
    else socket.once(place.isSecure ? 'secureConnect' : 'connect', () => (isSent = true));
  });
  request.on('error', fail);
  if (order.silenceMs > 0) {
    request.setTimeout(order.silenceMs, () => fail(new Error('the server said nothing for long')));
  }
  request.once('response', (response) => {
    isSent = true;
    read(response, place.maxBytes, watcher, end, fail);
  });
  request.end(order.body);
  return () => {
    isOver = true;
    request.destroy();
  };
}

function open(place: Place, { method, headers }: Order): ClientRequest {
  const options = { ...place, method, headers };
  return place.isSecure ? requestHttps(options) : requestHttp(options);
}

function read(
  response: IncomingMessage,
  maxBytes: number,
  watcher: Watcher,
  end: (how: End) => void,
  fail: (error: Error) => void,
): void {
  const { statusCode: status = 0, headers } = response;
  const isGood = status < 300;
  const isStream = isGood && (headers['content-type'] ?? '').startsWith('text/event-stream');
  const events = isStream ? new EventReader(maxBytes, (data) => watcher.message(data)) : undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  if (isGood) watcher.head?.(headers);
  response.on('data', (chunk: Buffer) => {
    try {
      if (events !== undefined) {
        events.push(chunk);
        return;
      }
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    size += chunk.length;
    if (size > maxBytes) fail(new Error(`the answer has more than ${maxBytes} bytes`));
    else chunks.push(chunk);
  });
  response.once('end', () => {
    const [first, ...rest] = chunks;
    const body = first === undefined || rest.length === 0 ? first : Buffer.concat(chunks);
    if (isGood && body !== undefined && size <= maxBytes) watcher.message(body);
    end({
      kind: 'answered',
      status,
      headers,
      ...(!isGood && body !== undefined && { body }),
      ...(events?.lastId !== undefined && { lastEventId: events.lastId }),
      ...(events?.retryMs !== undefined && { retryMs: events.retryMs }),
    });
  });
  response.once('error', fail);
  response.once('close', () => fail(new Error('the answer broke off')));
}

function describe(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `The server could not be reached or did not answer${code}: ${error.message || 'no reason'}`;
}

/** The token to send; asked again with `refused` when the server did not take the last one. */
export type Authorize = (state?: { readonly refused: true }) => Promise<string | undefined>;

interface LinkOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorize?: Authorize;
  readonly maxBytes: number;
}

const FREE_CONNECTIONS = 64;

export class Link implements Disposable {
  readonly #place: Place;
  readonly #agent: HttpAgent;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #authorize: Authorize | undefined;

  constructor({ url, headers = {}, authorize, maxBytes }: LinkOptions) {
    const { protocol, hostname, port, path, auth } = urlToHttpOptions(new URL(url));
    const isSecure = protocol === 'https:';
    const Agent = isSecure ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxFreeSockets: FREE_CONNECTIONS });
    const agent = this.#agent;
    this.#place = { hostname, port, path, auth, agent, isSecure, maxBytes };
    this.#headers = lowerCased(headers);
    this.#authorize = authorize;
  }

  start(order: Order, watcher: Watcher): Abort {
    const headers = { ...this.#headers, ...order.headers };
    if (this.#authorize === undefined) return exchange(this.#place, { ...order, headers }, watcher);
    return this.#startWithToken(this.#authorize, { ...order, headers }, watcher);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #startWithToken(authorize: Authorize, order: Order, watcher: Watcher): Abort {
    let abort: Abort | undefined;
    let isAborted = false;
    const run = async (isRefused: boolean): Promise<void> => {
      const token = await (isRefused ? authorize({ refused: true }) : authorize());
      if (isAborted) return;
      const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const authorized = { ...order, headers: { ...order.headers, ...bearer } };
      abort = exchange(this.#place, authorized, {
        ...watcher,
        done: (end) => {
          const isDenied = end.kind === 'answered' && end.status === 401;
          if (isDenied && !isRefused) start(true);
          else watcher.done(end);
        },
      });
    };
    const start = (isRefused: boolean): void => {
      run(isRefused).catch(() => {
        // Why there is no token stays with who keeps them.
        const detail = 'There is no token for the server';
        if (!isAborted) watcher.done({ kind: 'failed', failure: { kind: 'not-sent', detail } });
      });
    };
    start(false);
    return () => {
      isAborted = true;
      abort?.();
    };
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
