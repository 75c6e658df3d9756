/**
 * A server that is reached over streamable HTTP, as a channel: one POST for each message, in both
 * protocol eras. What comes back is handed up as the bytes that were read.
 */
import type { Channel, Failure, Listener } from '../protocol/channel.ts';
import { eraOf, META, readMeta } from '../protocol/envelope.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { INTERNAL, isId, isRequest, isResponse, toNotification } from '../protocol/frame.ts';
import { MESSAGE_LIMIT, readServerFrame } from '../protocol/read-frame.ts';
import type { Abort, Answered, Authorize, End } from './http-client.ts';
import { Link } from './http-client.ts';
import { toPostHeaders } from './post-headers.ts';
import { ACCEPT, ServerSession } from './server-session.ts';
import { toOneLine, toRejection } from './to-failure.ts';

const SILENCE_MS = 300_000;
const MOST_RESUMPTIONS = 10;
const RESUME_PAUSE_MS = 1000;

export function openHttpUpstream(options: HttpUpstreamOptions): Channel {
  return new HttpUpstream(options);
}

class HttpUpstream implements Channel {
  readonly #options: HttpUpstreamOptions;
  readonly #link: Link;
  readonly #session: ServerSession;
  readonly #calls = new Map<RpcId, Call>();
  #listener: Listener | undefined;
  /** Messages that wait until the server knows that the session has begun. */
  #held: Frame[] | undefined;
  /** What the last modern request named; notifications do not say it themselves. */
  #modernVersion: string | undefined;

  constructor(options: HttpUpstreamOptions) {
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
      eraOf(frame.message) === 'modern' || (!this.#session.isOpen && this.#isModernNote(frame));
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
      const version = readMeta(frame.message.params)[META.version];
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
    this.#listener?.frame(toNotification(INTERNAL.streamClosed, { retryMs }, call.id));
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

/** One message under way to a server. */
interface Call {
  readonly frame: Frame;
  /** Of a request; nobody waits for an answer to anything else. */
  readonly id: RpcId | undefined;
  readonly isModern: boolean;
  /** The session it was sent in. */
  session: string | undefined;
  abort: Abort;
  /** Or cancelled: nothing more is told about it. */
  isAnswered: boolean;
  isRepeated: boolean;
  resumptions: number;
}

function createCall(frame: Frame, isModern: boolean): Call {
  const { id } = frame.message;
  return {
    frame,
    id: isRequest(frame) && isId(id) ? id : undefined,
    isModern,
    session: undefined,
    abort: () => {},
    isAnswered: false,
    isRepeated: false,
    resumptions: 0,
  };
}

/** What is to be known of a server over HTTP. */
export interface HttpUpstreamOptions {
  readonly url: string;
  /** Sent with every request, such as a key that the server wants. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorize?: Authorize;
  /** How long the server may say nothing before a request counts as lost. Default: five minutes. */
  readonly timeoutMs?: number;
  /** The largest message that is taken. */
  readonly maxBytes?: number;
  /** The input schema of a tool, for arguments that it wants repeated in headers. */
  readonly toolOf?: (name: string) => { readonly inputSchema: JsonObject } | undefined;
}
