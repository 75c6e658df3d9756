/** A transport of the SDK as a channel. Its messages are objects; bytes are made for those who want them. */
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { ShortLivedMap } from '../../lib/short-lived-map.ts';
import type { Channel, Listener } from '../protocol/channel.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { isId, isRequest, isResponse, toFrame } from '../protocol/frame.ts';
import { InFlight } from '../protocol/in-flight.ts';
import { readServerFrame } from '../protocol/read-frame.ts';

interface TransportChannelOptions {
  readonly report?: (message: string) => void;
  /** How long a cancelled request may still be answered. Default: a minute. */
  readonly cancelGraceMs?: number;
}

export class TransportChannel implements Channel {
  readonly #transport: Transport;
  readonly #report: (message: string) => void;
  readonly #inFlight: InFlight;
  readonly #options = new ShortLivedMap<RpcId, TransportSendOptions>();
  #listener: Listener | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(transport: Transport, options: TransportChannelOptions = {}) {
    this.#transport = transport;
    this.#report = options.report ?? (() => {});
    this.#inFlight = new InFlight((id, failure) => {
      this.#options.delete(id);
      this.#listener?.failed(id, failure);
    }, options.cancelGraceMs);
    // A transport of the SDK takes its listeners as properties.
    Object.assign(transport, {
      onmessage: (message: JSONRPCMessage) => this.#hear(message),
      onclose: () => this.#close('The transport was closed'),
    });
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  /** What the SDK wants known about a message that is about to be sent. */
  remember({ message: { id } }: Frame, options: TransportSendOptions | undefined): void {
    if (isId(id) && options !== undefined) this.#options.set(id, options);
  }

  send(frame: Frame): void {
    if (this.#isClosed) return;
    const { id } = frame.message;
    this.#inFlight.see(frame);
    // Called behind this turn, so that a transport that fails at once calls nobody back from here.
    void Promise.resolve()
      .then(() => this.#post(frame))
      .catch((error: unknown) => {
        const detail = error instanceof Error ? error.message : String(error);
        if (isRequest(frame) && isId(id)) this.#fail(id, detail);
        else this.#report(`a message was not sent: ${detail}`);
      });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#dispose();
    return this.#closing;
  }

  async #dispose(): Promise<void> {
    try {
      await Promise.resolve(); // what was sent just now goes first
      await this.#transport.close();
    } catch (error) {
      this.#report(`the transport did not close: ${String(error)}`);
    }
    this.#close('The transport was closed');
  }

  async #post({ bytes, message: { id } }: Frame): Promise<void> {
    // The bytes are what was decided on, and may hold more than the message did.
    const read = readServerFrame(bytes)?.message;
    if (read === undefined) throw new TypeError('the frame is not a message');
    const options = isId(id) ? this.#options.get(id) : undefined;
    await this.#transport.send(read as unknown as JSONRPCMessage, options); // read from the bytes of one
  }

  #hear(message: JSONRPCMessage): void {
    if (this.#isClosed) return;
    const frame = toFrame(message as unknown as JsonObject); // the SDK read it from JSON
    const { id } = frame.message;
    if (isResponse(frame) && isId(id)) {
      this.#options.delete(id);
      if (this.#inFlight.settle(id) === undefined) {
        this.#report('an answer to a request that is not in flight was dropped');
        return;
      }
    }
    this.#listener?.frame(frame);
  }

  /** A transport says neither what it sent nor what it did not. */
  #fail(id: RpcId, detail: string): void {
    this.#options.delete(id);
    if (this.#inFlight.settle(id) !== undefined)
      this.#listener?.failed(id, { kind: 'lost', detail });
  }

  #close(detail: string): void {
    if (this.#isClosed) return;
    for (const id of this.#inFlight.drain()) this.#listener?.failed(id, { kind: 'lost', detail });
    this.#isClosed = true;
    this.#options.clear();
    this.#listener?.closed();
  }
}
