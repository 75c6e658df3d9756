/**
 * What a client gets back from a relay: one JSON document, or a stream once there is something to say
 * before the answer. Told once, whatever happens.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Frame } from '../../frame.ts';
import { toEvent } from '../events.ts';
import { toClientHeaders } from './passed-headers.ts';

export interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

export class ClientReply {
  readonly #response: ServerResponse;
  #isStream = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isStream(): boolean {
    return this.#isStream;
  }

  /** From now on a stream, with the server's own headers where it began one. */
  openStream(head?: Head): void {
    if (this.#response.headersSent) return;
    this.#isStream = true;
    const headers = head === undefined ? STREAM_HEADERS : toClientHeaders(head.headers);
    this.#response.writeHead(head?.status ?? 200, headers);
    this.#response.flushHeaders();
  }

  event(frame: Frame): void {
    this.openStream();
    this.#response.write(toEvent(frame.bytes));
  }

  /** Bytes of a server's stream as they came. */
  pass(chunk: Uint8Array): void {
    this.#response.write(chunk);
  }

  /** The last word. */
  end({ bytes }: Frame, head?: Head): void {
    if (this.#response.destroyed) return;
    if (this.#isStream) {
      this.#response.end(toEvent(bytes));
      return;
    }
    this.#response.writeHead(head?.status ?? 200, {
      ...(head !== undefined && toClientHeaders(head.headers)),
      'content-type': 'application/json',
      'content-length': bytes.length,
    });
    this.#response.end(bytes);
  }

  close(): void {
    this.#response.end();
  }
}
