/**
 * A server that is reached over streamable HTTP, as a channel: one POST for each message, in both
 * protocol eras. What comes back is handed up as the bytes that were read.
 */
import type { Channel, Failure, Listener } from '../channel.ts';
import type { Frame, RpcId } from '../frame.ts';
import { isId, isRequest, isResponse } from '../frame.ts';
import { MESSAGE_LIMIT, readServerFrame } from '../read-frame.ts';
import type { Call } from './endpoint/call.ts';
import { createCall } from './endpoint/call.ts';
import type { EndpointOptions } from './endpoint/endpoint-options.ts';
import type { Answered, End } from './endpoint/exchange.ts';
import { Link } from './endpoint/link.ts';
import { toOneLine } from './endpoint/one-line.ts';
import { ACCEPT, ServerSession } from './endpoint/server-session.ts';
import { toPostHeaders } from './endpoint/post-headers.ts';
import { toRejection } from './endpoint/to-failure.ts';
import { hasEnvelope, metaOf, VERSION_KEY } from './envelope.ts';

const SILENCE_MS = 300_000;
const MOST_RESUMPTIONS = 10;
const RESUME_PAUSE_MS = 1000;

export function openEndpoint(options: EndpointOptions): Channel {
  return new Endpoint(options);
}

class Endpoint implements Channel {
  readonly #options: EndpointOptions;
  readonly #link: Link;
  readonly #session: ServerSession;
  readonly #calls = new Map<RpcId, Call>();
  #listener: Listener | undefined;
  /** Messages that wait until the server knows that the session has begun. */
  #held: Frame[] | undefined;
  /** What the last modern request named; notifications do not say it themselves. */
  #modernVersion: string | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#link = new Link({ maxBytes: MESSAGE_LIMIT, ...options });
    this.#session = new ServerSession(this.#link, (bytes) => this.#receive(bytes));
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send(frame: Frame): void {
    const { method } = frame.message;
    if (this.#held !== undefined) {
      this.#held.push(frame);
      return;
    }
    if (method === 'notifications/cancelled' && this.#cancel(frame)) return;
    const isModern =
      hasEnvelope(frame.message) || (!this.#session.isOpen && this.#isModernNote(frame));
    if (!isModern && method === 'initialize') this.#session.begin(frame);
    if (!isModern && method === 'notifications/initialized') {
      this.#session.confirm(frame);
      this.#held = [];
    }
    this.#post(createCall(frame, isModern));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const call of this.#calls.values()) {
      call.isAnswered = true;
      call.abort();
    }
    this.#calls.clear();
    this.#held = undefined;
    await this.#session[Symbol.asyncDispose]();
    this.#link[Symbol.dispose]();
    this.#listener?.closed();
  }

  /** Whether that was all. Closing is the cancel of the modern era; the older one must be told. */
  #cancel({ message }: Frame): boolean {
    const id = message.params?.['requestId'];
    const call = isId(id) ? this.#calls.get(id) : undefined;
    if (call === undefined || !isId(id)) {
      return this.#modernVersion !== undefined && !this.#session.isOpen;
    }
    this.#calls.delete(id);
    call.isAnswered = true;
    call.abort();
    return call.isModern;
  }

  #isModernNote(frame: Frame): boolean {
    return this.#modernVersion !== undefined && !isRequest(frame);
  }

  #post(call: Call): void {
    const { frame, id, isModern } = call;
    if (isModern) {
      const version = metaOf(frame.message)?.[VERSION_KEY];
      if (typeof version === 'string') this.#modernVersion = version;
    }
    const era = isModern
      ? { 'mcp-protocol-version': this.#modernVersion ?? '' }
      : this.#session.headers;
    if (!isModern) call.session = this.#session.id;
    const headers = {
      accept: ACCEPT,
      'content-type': 'application/json',
      ...toPostHeaders(frame, isModern, this.#options.toolOf),
      ...era,
    };
    const isEndless = frame.message.method === 'subscriptions/listen';
    const silenceMs = isEndless ? 0 : (this.#options.timeoutMs ?? SILENCE_MS);
    if (id !== undefined) this.#calls.set(id, call);
    const isBeginning = !isModern && frame.message.method === 'initialize';
    call.abort = this.#link.start(
      { method: 'POST', headers, body: frame.bytes, silenceMs },
      {
        head: (answer) => {
          if (isBeginning) this.#session.learnId(answer['mcp-session-id']);
        },
        message: (bytes) => this.#receive(bytes, id),
        done: (end) => this.#settle(call, end),
      },
    );
  }

  /** Of `about`, or on the stream for what the server says unasked. */
  #receive(bytes: Buffer, about?: RpcId): void {
    const frame = readServerFrame(toOneLine(bytes), about);
    if (frame === undefined || (isResponse(frame) && !this.#isAwaited(frame))) return;
    this.#listener?.frame(frame);
  }

  /** An answer counts once, whichever stream it comes on. */
  #isAwaited(frame: Frame): boolean {
    const { id } = frame.message;
    const call = isId(id) ? this.#calls.get(id) : undefined;
    if (call === undefined || !isId(id)) return false;
    call.isAnswered = true;
    this.#calls.delete(id);
    if (!call.isModern && call.frame.message.method === 'initialize') {
      this.#session.learnVersion(frame);
    }
    return true;
  }

  #settle(call: Call, end: End): void {
    const isGood = end.kind === 'answered' && end.status < 300;
    if (!call.isModern && call.frame.message.method === 'notifications/initialized') {
      if (isGood) this.#session.openStream();
      this.#release();
    }
    if (call.isAnswered) return;
    if (end.kind === 'failed') this.#fail(call, end.failure);
    else if (isGood) this.#finish(call, end);
    else if (end.status === 404 && call.session !== undefined && !call.isRepeated) {
      void this.#renew(call, call.session, end);
    } else this.#reject(call, end);
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const frame of held) this.send(frame);
  }

  /** A stream of the 2025 revisions may end before the answer, to be taken up again. */
  #finish(call: Call, { lastEventId, retryMs = RESUME_PAUSE_MS }: Answered): void {
    if (call.id === undefined) return;
    const canResume = call.session !== undefined && call.resumptions < MOST_RESUMPTIONS;
    if (!canResume || lastEventId === undefined) {
      this.#fail(call, { kind: 'lost', detail: 'The server ended its answer without a result' });
      return;
    }
    call.resumptions += 1;
    const timer = setTimeout(() => {
      call.abort = this.#session.resume(
        lastEventId,
        (bytes) => this.#receive(bytes, call.id),
        (end) => this.#settle(call, end.kind === 'answered' ? { lastEventId, ...end } : end),
      );
    }, retryMs);
    call.abort = () => clearTimeout(timer);
  }

  async #renew(call: Call, lost: string, answer: Answered): Promise<void> {
    call.isRepeated = true;
    const isRenewed = await this.#session.renew(lost);
    if (call.isAnswered) return;
    // A call is only sent again by who knows what it does.
    if (isRenewed && call.frame.message.method !== 'tools/call') this.#post(call);
    else if (!isRenewed) this.#reject(call, answer);
    else {
      const detail = 'The server had forgotten the session; it was begun again';
      this.#fail(call, { kind: 'refused', detail, status: answer.status });
    }
  }

  #reject(call: Call, answer: Answered): void {
    if (call.id === undefined) return;
    const rejection = toRejection(answer, call.id, Date.now());
    if (rejection.kind === 'failure') {
      this.#fail(call, rejection.failure);
      return;
    }
    this.#calls.delete(call.id);
    this.#listener?.frame(rejection.frame);
  }

  #fail({ id }: Call, failure: Failure): void {
    if (id === undefined) return;
    this.#calls.delete(id);
    this.#listener?.failed(id, failure);
  }
}
