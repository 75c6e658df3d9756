/**
 * The one HTTP client for servers: keeps connections, adds the headers and the token of the server, and
 * asks for a new token when the server refuses the old one.
 */
import { urlToHttpOptions } from 'node:url';
import { ShortLivedMap } from '../../lib/short-lived-map.ts';
import { MESSAGE_LIMIT } from '../protocol/read-frame.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { Exchange, Order, Watcher } from './http-exchange.ts';
import { HttpExchange } from './http-exchange.ts';

/** The token to send, at once where it is known; asked again when the server did not accept the last one. */
type Authorize = (state?: { readonly refused: true }) => Token | Promise<Token>;

type Token = string | undefined;

export interface HttpClientOptions {
  readonly url: string;
  /** Sent with every request, such as a key that the server wants. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorize?: Authorize;
  /** The largest message that is accepted. */
  readonly maxBytes?: number;
  /** For name lookup, TCP and TLS together. Default: ten seconds. */
  readonly connectTimeoutMs?: number;
}

const CONNECT_MS = 10_000;
const TOKEN_MS = 60_000;
/** Likely a secret that is part of an address. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])[\w+=-]{24,}$/i;

type Start = (order: Order, watcher: Watcher) => Exchange;

export class HttpClient implements Disposable {
  readonly #pool: ConnectionPool;
  readonly #start: Start;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #signIn: string;
  /** Under way; each is its own key. */
  readonly #open = new ShortLivedMap<Exchange, Exchange>();
  #isClosed = false;

  constructor(options: HttpClientOptions) {
    const { url, authorize, maxBytes = MESSAGE_LIMIT } = options;
    const { host: named, protocol } = new URL(url);
    const { hostname, port, path, auth } = urlToHttpOptions(new URL(url));
    const isSecure = protocol === 'https:';
    const number = Number(port ?? 0) || (isSecure ? 443 : 80);
    const pool = new ConnectionPool({ isSecure, host: String(hostname), port: number });
    const connectMs = options.connectTimeoutMs ?? CONNECT_MS;
    const place = { pool, path: String(path), maxBytes, connectMs };
    const start: Start = (order, watcher) => new HttpExchange(place, order, watcher);
    this.#pool = pool;
    this.#signIn = toSignIn(new URL(url));
    const own = Object.entries(options.headers ?? {});
    const basic = auth ? `Basic ${Buffer.from(auth).toString('base64')}` : undefined;
    this.#headers = {
      host: named,
      ...(basic !== undefined && { authorization: basic }),
      ...Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value])),
    };
    this.#start = authorize
      ? (order, watcher) =>
          new AuthorizedExchange(authorize, start, order, { ...watcher, signIn: this.#signIn })
      : start;
  }

  /** The watcher is never called before this returns, and not at all once the client is disposed of. */
  start(order: Order, watcher: Watcher): Exchange {
    if (this.#isClosed) return { hasLeft: false, abort: () => {} };
    const headers = { ...this.#headers, ...order.headers };
    const { head, message, done } = watcher;
    const exchange = this.#start(
      { ...order, headers },
      {
        ...(head && { head }),
        message,
        done: (end) => {
          this.#open.delete(exchange);
          const isRefused = end.kind === 'answered' && end.status === 401;
          done(isRefused ? { ...end, signIn: this.#signIn } : end);
        },
      },
    );
    this.#open.set(exchange, exchange);
    return new OpenExchange(exchange, this.#open);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const exchange of this.#open.values()) exchange.abort();
    this.#open.clear();
    this.#pool[Symbol.dispose]();
  }
}

/**
 * An exchange that its client forgets when it is aborted. A class, because V8 makes a shape for each object literal
 * with a getter, which keeps the literal's closures in memory until a full collection.
 */
class OpenExchange implements Exchange {
  readonly #exchange: Exchange;
  readonly #open: ShortLivedMap<Exchange, Exchange>;

  constructor(exchange: Exchange, open: ShortLivedMap<Exchange, Exchange>) {
    this.#exchange = exchange;
    this.#open = open;
  }

  get hasLeft(): boolean {
    return this.#exchange.hasLeft;
  }

  abort(): void {
    this.#open.delete(this.#exchange);
    this.#exchange.abort();
  }
}

/** What agents are told must not hold a secret, and an address may. */
function toSignIn({ href, username, password, search, hash, pathname }: URL): string {
  const isPlain =
    username + password + search + hash === '' &&
    !pathname.split('/').some((part) => RANDOM.test(part));
  return isPlain ? `plimsoll login ${href}` : 'plimsoll login and its URL';
}

/** Asks for a token first, and once more when the server refuses it. */
class AuthorizedExchange implements Exchange {
  readonly #authorize: Authorize;
  readonly #start: Start;
  readonly #order: Order;
  readonly #watcher: Watcher & { readonly signIn: string };
  #inner: Exchange | undefined;
  /** Stops waiting for a token. */
  #stopWaiting: (() => void) | undefined;
  #isAborted = false;

  constructor(
    authorize: Authorize,
    start: Start,
    order: Order,
    watcher: Watcher & { readonly signIn: string },
  ) {
    this.#authorize = authorize;
    this.#start = start;
    this.#order = order;
    this.#watcher = watcher;
    // Not at once: whoever is asked may abort or dispose of what is not known to anybody yet.
    queueMicrotask(() => this.#run(false));
  }

  /** A request that was refused for its token left nothing behind. */
  get hasLeft(): boolean {
    return this.#inner?.hasLeft ?? false;
  }

  abort(): void {
    this.#isAborted = true;
    this.#stopWaiting?.();
    this.#inner?.abort();
  }

  #run(isRefused: boolean): void {
    if (this.#isAborted) return;
    let asked: Token | Promise<Token>;
    try {
      asked = isRefused ? this.#authorize({ refused: true }) : this.#authorize();
    } catch {
      queueMicrotask(() => this.#failWithout());
      return;
    }
    if (asked instanceof Promise) void this.#await(asked, isRefused);
    else if (!this.#isAborted) this.#send(asked, isRefused);
  }

  async #await(asked: Promise<Token>, isRefused: boolean): Promise<void> {
    const late = Promise.withResolvers<never>();
    const stop = (): void => late.reject(new Error('no token in time'));
    const timer = setTimeout(stop, TOKEN_MS);
    this.#stopWaiting = stop;
    let token: Token;
    try {
      token = await Promise.race([asked, late.promise]);
    } catch {
      this.#failWithout();
      return;
    } finally {
      clearTimeout(timer);
      this.#stopWaiting = undefined;
    }
    if (!this.#isAborted) this.#send(token, isRefused);
  }

  #failWithout(): void {
    // The reason belongs to the token store, not to the caller.
    const detail = `There is no token for the server; a person has to run ${this.#watcher.signIn}`;
    const failure = { kind: 'not-sent', detail } as const;
    if (!this.#isAborted) this.#watcher.done({ kind: 'failed', failure });
  }

  #send(token: Token, isRefused: boolean): void {
    const { headers } = this.#order;
    const authorized =
      token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
    const { head, message, done } = this.#watcher;
    this.#inner = this.#start(
      { ...this.#order, headers: authorized },
      {
        ...(head && { head }),
        message,
        done: (end) => {
          if (isRefused || end.kind === 'failed' || end.status !== 401) done(end);
          else {
            this.#inner = undefined;
            this.#run(true);
          }
        },
      },
    );
  }
}
