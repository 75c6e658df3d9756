/** The connections to one server: those that are not in use are kept for a while, and the last one used is used next. */
import type { Address, OutgoingRequest } from './connection.ts';
import { Connection } from './connection.ts';

const MOST_FREE = 64;
/** A server may close a connection that was idle for longer just as it is used again. */
const FREE_MS = 15_000;
const SWEEP_MS = 5000;

interface Free {
  readonly connection: Connection;
  readonly since: number;
}

export class ConnectionPool implements Disposable {
  readonly #address: Address;
  #free: Free[] = [];
  readonly #open = new Set<Connection>();
  #sweeper: NodeJS.Timeout | undefined;
  #session: Buffer | undefined;

  constructor(address: Address) {
    this.#address = address;
  }

  /** Sends a request; whoever does not want its answer any more destroys the connection that it was assigned. */
  send(request: OutgoingRequest): void {
    const connection = this.#takeFree() ?? this.#connect();
    connection.send(request);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper);
    for (const connection of this.#open) connection.destroy();
  }

  #takeFree(): Connection | undefined {
    const now = performance.now();
    for (let free = this.#free.pop(); free !== undefined; free = this.#free.pop()) {
      if (!isStale(free, now)) return free.connection;
      free.connection.destroy();
    }
    return undefined;
  }

  #connect(): Connection {
    const connection = new Connection(this.#address, this.#session, {
      free: (freed) => this.#keep(freed),
      closed: (closed) => {
        if (!this.#open.delete(closed)) return;
        this.#free = this.#free.filter((free) => free.connection !== closed);
      },
      returned: (request) => this.send(request),
      session: (session) => (this.#session = session),
    });
    this.#open.add(connection);
    return connection;
  }

  #keep(connection: Connection): void {
    if (this.#free.length >= MOST_FREE) return connection.destroy();
    this.#free.push({ connection, since: performance.now() });
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    return undefined;
  }

  #sweep(): void {
    const now = performance.now();
    // Each that is closed makes a new list.
    for (const free of this.#free) if (isStale(free, now)) free.connection.destroy();
    if (this.#free.length > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

function isStale({ connection, since }: Free, now: number): boolean {
  return now - since >= Math.min(FREE_MS, connection.idleMs);
}
