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
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Failure } from '../../channel.ts';
import { EventReader } from '../events.ts';

export interface Order {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** How long the server may say nothing; 0 for ever. */
  readonly silenceMs: number;
}

export interface Watcher {
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

export interface Place extends RequestOptions {
  readonly isSecure: boolean;
  /** The largest message that is taken. */
  readonly maxBytes: number;
}

export function exchange(place: Place, order: Order, watcher: Watcher): Abort {
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
