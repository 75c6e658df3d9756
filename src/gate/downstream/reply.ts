/**
 * The answer to one request of a client. It is plain JSON when the result comes first, and becomes a
 * stream of events with the first message before it, or when the client has waited for long.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '../../lib/problem.ts';
import { toRpcErrorResponse } from '../../serve/http/http-problem.ts';
import type { Failure } from '../protocol/channel.ts';
import { KEEP_ALIVE, toEvent } from '../protocol/events.ts';
import { toErrorFrame, toFailureProblem, toRefusalFrame } from '../protocol/frame.ts';
import type { RpcId } from '../protocol/frame.ts';

const KEEP_ALIVE_MS = 15_000;
/** A client that does not read cannot make us keep more than this for it. */
const MOST_UNREAD = 64 * 1024 * 1024;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

interface ReplyOptions {
  /** Called when the client goes away before the answer. */
  readonly left?: () => void;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a stream begins with. */
  readonly opening?: () => Buffer | undefined;
  /** Answers with one event where the client takes events. */
  readonly prefersEvents?: boolean;
}

export class Reply {
  readonly #response: ServerResponse;
  readonly #takes: Acceptance;
  readonly #options: ReplyOptions;
  readonly #timer: NodeJS.Timeout;
  #isStream = false;
  #isOver = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: ReplyOptions = {}) {
    this.#response = response;
    this.#takes = readAccept(request.headers.accept);
    this.#options = options;
    this.#timer = setInterval(() => this.#keepAlive(), KEEP_ALIVE_MS).unref();
    const close = (): void => {
      clearInterval(this.#timer);
      if (this.#isOver) return;
      this.#isOver = true;
      options.left?.();
    };
    // The client may have gone while a channel was opened for it.
    if (response.destroyed) queueMicrotask(close);
    else response.once('close', close);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isStream(): boolean {
    return this.#isStream;
  }

  /** Whether what comes before an answer reaches the client. */
  get takesEvents(): boolean {
    return this.#takes.events;
  }

  startStream(): void {
    if (this.#isStream || this.#isOver || !this.#takes.events) return;
    this.#isStream = true;
    this.#response.writeHead(200, { ...STREAM_HEADERS, ...this.#options.headers });
    const opening = this.#options.opening?.();
    if (opening === undefined) this.#response.flushHeaders();
    else this.#response.write(opening);
  }

  /** Something before the answer; lost on a client that takes no events. */
  say(bytes: Uint8Array, id?: string): void {
    if (this.#isOver || !this.#takes.events) return;
    this.startStream();
    this.#write(toEvent(bytes, id));
  }

  answer(bytes: Uint8Array, status = 200, headers: Readonly<Record<string, string>> = {}): void {
    if (this.#isOver) return;
    if (this.#isStream) {
      this.say(bytes);
      this.end();
      return;
    }
    const { json, events } = this.#takes;
    const isEvent = events && (!json || (this.#options.prefersEvents === true && status === 200));
    const body = isEvent ? toEvent(bytes) : bytes;
    this.#isOver = true;
    this.#response.writeHead(isEvent ? 200 : status, {
      ...(isEvent ? STREAM_HEADERS : { 'content-type': 'application/json' }),
      'content-length': body.length,
      ...this.#options.headers,
      ...headers,
    });
    this.#response.end(body);
  }

  /** Ends a stream that needs no answer. */
  end(): void {
    if (this.#isOver) return;
    this.startStream();
    this.#isOver = true;
    this.#response.end();
  }

  #keepAlive(): void {
    if (this.#isOver || !this.#takes.events) return;
    this.startStream();
    this.#write(KEEP_ALIVE);
  }

  #write(bytes: Buffer): void {
    if (this.#response.writableLength > MOST_UNREAD) this.#response.destroy();
    else this.#response.write(bytes);
  }
}

/** Which forms of an answer a client takes. */
interface Acceptance {
  readonly json: boolean;
  readonly events: boolean;
}

/** Clients send the same few, with every request. */
const read = new Map<string, Acceptance>();
const MOST_READ = 64;

export function readAccept(accept = '*/*'): Acceptance {
  const known = read.get(accept);
  if (known !== undefined) return known;
  const acceptance = parseAccept(accept);
  if (read.size < MOST_READ && accept.length < LONGEST_READ) read.set(accept, acceptance);
  return acceptance;
}

const LONGEST_READ = 128;

function parseAccept(accept: string): Acceptance {
  if (accept === '*/*') return ANYTHING;
  const taken = new Set<string>();
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (!parameters.some((parameter) => NO_WEIGHT.test(parameter))) taken.add(type);
  }
  const isTaken = (type: string, group: string): boolean =>
    taken.has(type) || taken.has(group) || taken.has('*/*');
  return {
    json: isTaken('application/json', 'application/*'),
    events: isTaken('text/event-stream', 'text/*'),
  };
}

const ANYTHING: Acceptance = Object.freeze({ json: true, events: true });
const NO_WEIGHT = /^q=0(\.0*)?$/;

/** Answers a request that got no answer: an error that says whether anything can have happened. */
const INTERNAL_ERROR = -32_603;

export const CHANNEL_CLOSED: Failure = Object.freeze({
  kind: 'lost',
  detail: 'The connection to the server was closed before it answered',
});

export function failReply(reply: Pick<Reply, 'answer'>, id: RpcId, failure: Failure): void {
  const problem = toFailureProblem(failure);
  const { retryAfter } = problem;
  const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) };
  reply.answer(toErrorFrame(id, INTERNAL_ERROR, problem).bytes, problem.status, headers);
}

/** Writes refusals of the downstream itself: JSON-RPC errors with the problem as data and its status. */
export function refuse(response: ServerResponse, problem: Problem, id: RpcId | null = null): void {
  // Its headers tell a client how to sign in or when to come back.
  const headers = Object.fromEntries(toRpcErrorResponse(problem).headers);
  write(response, problem.status, toRefusalFrame(id, problem).bytes, headers);
}

/** For faults that the protocol has its own numbers for. */
export function refuseByCode(
  response: ServerResponse,
  code: number,
  problem: Problem,
  id: RpcId | null,
): void {
  write(response, problem.status, toErrorFrame(id, code, problem).bytes, {});
}

function write(
  response: ServerResponse,
  status: number,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  response.end(bytes);
}
