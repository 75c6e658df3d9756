/**
 * A server in a thread of its own, which a test has write to its connections while the event loop of the test stands
 * still: so that what it wrote lies in the kernel before the test goes on.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface RemoteSetup {
  readonly secure?: { readonly key: string; readonly cert: string };
  /** Written as soon as somebody connects. */
  readonly greeting?: string;
  /** Ends each connection as soon as it has a whole request, without an answer. */
  readonly hangsUp?: true;
  /** How often the system has taken everything that was to be written. */
  readonly done: Int32Array;
}

export interface RemoteOrder {
  readonly connection: number;
  /** Each is a write of its own. */
  readonly parts: readonly string[];
  /** Nothing follows. */
  readonly isLast: boolean;
}

export type RemoteNews =
  | { readonly kind: 'listening'; readonly port: number }
  /** A whole request, which ends with `!`. */
  | { readonly kind: 'asked'; readonly connection: number };

const LONGEST_MS = 10_000;
/** For the way through the loopback, which a busy machine may put off. */
const WAY_MS = 20;

export class RemoteServer implements AsyncDisposable {
  readonly url: string;
  /** The connection of each request that arrived. */
  readonly asked: number[] = [];
  readonly #worker: Worker;
  readonly #done: Int32Array;

  private constructor(worker: Worker, done: Int32Array, url: string) {
    this.#worker = worker;
    this.#done = done;
    this.url = url;
    worker.on('message', (news: RemoteNews) => {
      if (news.kind === 'asked') this.asked.push(news.connection);
    });
  }

  static async open(setup: Omit<RemoteSetup, 'done'> = {}): Promise<RemoteServer> {
    const done = new Int32Array(new SharedArrayBuffer(4));
    const file = new URL('remote-socket.ts', import.meta.url);
    const worker = new Worker(file, { workerData: { ...setup, done } satisfies RemoteSetup });
    const [news] = (await once(worker, 'message')) as [RemoteNews];
    if (news.kind !== 'listening') throw new Error('the server does not listen');
    const url = `${setup.secure ? 'https' : 'http'}://127.0.0.1:${news.port}/mcp`;
    return new RemoteServer(worker, done, url);
  }

  /** Stands still until the bytes have been written. */
  write(connection: number, ...parts: readonly string[]): void {
    this.#order({ connection, parts, isLast: false });
  }

  /** Stands still until the connection has been closed from the other side. */
  end(connection: number): void {
    this.#order({ connection, parts: [], isLast: true });
  }

  /** Stands still until something was written that nobody gave the order for: the greeting. */
  awaitGreeting(): void {
    this.#await(0);
  }

  #order(order: RemoteOrder): void {
    const before = Atomics.load(this.#done, 0);
    this.#worker.postMessage(order, []);
    this.#await(before);
  }

  #await(before: number): void {
    if (Atomics.wait(this.#done, 0, before, LONGEST_MS) === 'timed-out') {
      throw new Error('the server did not write');
    }
    RemoteServer.standStill();
  }

  /** For as long as bytes are on their way. */
  static standStill(): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAY_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
