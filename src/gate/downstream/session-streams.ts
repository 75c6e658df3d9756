/**
 * The streams of one session of the 2025 revisions. They outlive their connections: events carry ids
 * and are kept within a bound, so that a client that lost a connection can get what it missed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SessionStream } from './session-stream.ts';

export interface SessionStreamsOptions {
  /** Bytes kept for clients that reconnect; the newest message is kept whatever its size. */
  readonly replayBytes: number;
  /** How long a client that can reconnect is waited for before it counts as gone. */
  readonly graceMs: number;
  readonly report: (message: string, cause: unknown) => void;
}

/** A message that a client may still ask for. */
export interface Kept {
  readonly stream: SessionStream;
  readonly serial: number;
  readonly bytes: Uint8Array;
  isSent: boolean;
  /** It is on this stream because nothing says which request it belongs to. */
  readonly isGuest: boolean;
}

/** Clients of earlier revisions fail on an event without data. */
const FIRST_WITH_PRIMING = '2025-11-25';
const OVERHEAD = 100;
const EVENT_ID = /^(\d{1,15})-(\d{1,15})$/;

export class SessionStreams implements Disposable {
  readonly options: SessionStreamsOptions;
  /** For what belongs to no request. */
  readonly unasked: SessionStream;
  /** By number: those that a client can resume. */
  readonly #streams = new Map<number, SessionStream>();
  /** By serial number, oldest first. */
  readonly #kept = new Map<number, Kept>();
  #bytes = 0;
  #serial = 0;
  #count = 0;
  #dropped = 0;
  #version: string | undefined;
  #prefersEvents = false;

  constructor(options: SessionStreamsOptions) {
    this.options = options;
    this.unasked = new SessionStream(this, 0);
    this.#streams.set(0, this.unasked);
  }

  /**
   * The revision that was agreed on; before that no stream can be resumed. What comes at once is JSON, which
   * costs clients less, unless the revision begins streams with an event and the server itself sent events.
   */
  begin(version: string, prefersEvents: boolean): void {
    this.#version = version;
    this.#prefersEvents = prefersEvents;
  }

  get isResumable(): boolean {
    return this.#version !== undefined;
  }

  get prefersEvents(): boolean {
    return this.#prefersEvents;
  }

  get isPriming(): boolean {
    return this.#version !== undefined && this.#version >= FIRST_WITH_PRIMING;
  }

  /** A stream for the answers to one POST; `gone` is called when its client will not get them. */
  open(
    request: IncomingMessage,
    response: ServerResponse,
    { gone, headers }: { gone: () => void; headers?: Readonly<Record<string, string>> },
  ): SessionStream {
    this.#count += 1;
    const stream = new SessionStream(this, this.#count, gone);
    stream.connect(request, response, headers);
    return stream;
  }

  /** The connection for what belongs to no request. A client that opens another has lost the last. */
  openUnasked(request: IncomingMessage, response: ServerResponse): void {
    this.unasked.connect(request, response);
    this.unasked.startStream();
    for (const kept of this.#kept.values()) {
      if (kept.stream === this.unasked && !kept.isSent) this.unasked.replay(kept);
    }
    if (this.#dropped > 0) {
      this.options.report(`${this.#dropped} messages were dropped before a client read them`, '');
    }
    this.#dropped = 0;
  }

  /** Whether the id names a stream whose rest can still be sent. */
  resume(lastEventId: string, request: IncomingMessage, response: ServerResponse): boolean {
    const [, number, serial] = EVENT_ID.exec(lastEventId) ?? [];
    const stream = number === undefined ? undefined : this.#streams.get(Number(number));
    if (stream === undefined) return false;
    stream.connect(request, response);
    stream.startStream();
    for (const kept of this.#kept.values()) {
      if (kept.stream === stream && kept.serial > Number(serial)) stream.replay(kept);
    }
    stream.endIfDone();
    return true;
  }

  newId(stream: SessionStream): { readonly serial: number; readonly id: string } {
    this.#streams.set(stream.number, stream);
    this.#serial += 1;
    return { serial: this.#serial, id: `${stream.number}-${this.#serial}` };
  }

  keep(stream: SessionStream, message: Pick<Kept, 'bytes' | 'isSent' | 'isGuest'>): string {
    const { serial, id } = this.newId(stream);
    this.#kept.set(serial, { ...message, stream, serial });
    stream.kept += 1;
    this.#bytes += sizeOf(message.bytes);
    for (const oldest of this.#kept.values()) {
      if (this.#bytes <= this.options.replayBytes || oldest.serial === serial) break;
      this.#forget(oldest);
    }
    return id;
  }

  /** Nobody can resume what is over and has nothing left to send. */
  drop(stream: SessionStream): void {
    if (stream.isDone && stream.kept === 0) this.#streams.delete(stream.number);
  }

  /** What is kept for it, which is not kept any longer. */
  takeKept(stream: SessionStream): readonly Kept[] {
    if (stream.kept === 0) return [];
    const taken = [...this.#kept.values()].filter((kept) => kept.stream === stream);
    for (const kept of taken) this.#remove(kept);
    return taken;
  }

  [Symbol.dispose](): void {
    for (const stream of this.#streams.values()) stream.close();
    this.#kept.clear();
  }

  #remove({ stream, serial, bytes }: Kept): void {
    this.#kept.delete(serial);
    stream.kept -= 1;
    this.#bytes -= sizeOf(bytes);
    this.drop(stream);
  }

  #forget(kept: Kept): void {
    this.#remove(kept);
    if (kept.isSent) return;
    if (this.#dropped === 0) {
      const limit = `${this.options.replayBytes} bytes`;
      this.options.report(`a client does not read: of its messages only ${limit} are kept`, '');
    }
    this.#dropped += 1;
  }
}

/** A message takes room beyond its bytes, so that many small ones are bounded too. */
function sizeOf(bytes: Uint8Array): number {
  return bytes.length + OVERHEAD;
}
