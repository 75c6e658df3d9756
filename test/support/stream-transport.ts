/** A client's end of a stdio connection over any two streams, so that no process is needed. */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

export class StreamTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #from: Readable;
  readonly #to: Writable;
  #rest = '';

  constructor(from: Readable, to: Writable) {
    this.#from = from;
    this.#to = to;
  }

  async start(): Promise<void> {
    this.#from.setEncoding('utf8');
    this.#from.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#to.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#to.end();
    this.onclose?.();
  }
}
