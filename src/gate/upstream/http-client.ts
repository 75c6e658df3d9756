/**
 * The one HTTP client for servers: keeps connections, adds the headers and the token of the server, and
 * asks for a new token when the server refuses the old one.
 */
import type { Agent } from 'node:http';
import { nodeHttp, nodeHttps } from '../../lib/builtins.ts';
import { urlToHttpOptions } from 'node:url';
import { MESSAGE_LIMIT } from '../protocol/read-frame.ts';
import type { Exchange, Order, Watcher } from './http-exchange.ts';
import { HttpExchange } from './http-exchange.ts';

/** The token to send; asked again with `refused` when the server did not accept the last one. */
type Authorize = (state?: { readonly refused: true }) => Promise<string | undefined>;

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
const FREE_CONNECTIONS = 64;
/** A server may close a connection that was idle for longer just as it is used again. */
const FREE_MS = 15_000;

type Start = (order: Order, watcher: Watcher) => Exchange;

export class HttpClient implements Disposable {
  readonly #agent: Agent;
  readonly #start: Start;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #signIn: string;
  readonly #open = new Set<Exchange>();
  #isClosed = false;

  constructor(options: HttpClientOptions) {
    const { url, authorize, headers = {}, maxBytes = MESSAGE_LIMIT } = options;
    const { protocol, hostname, port, path, auth } = urlToHttpOptions(new URL(url));
    const { Agent } = protocol === 'https:' ? nodeHttps() : nodeHttp();
    const agent = new Agent({
      keepAlive: true,
      maxFreeSockets: FREE_CONNECTIONS,
      timeout: FREE_MS,
    });
    const connectMs = options.connectTimeoutMs ?? CONNECT_MS;
    const place = { protocol, hostname, port, path, auth, agent, maxBytes, connectMs };
    const start: Start = (order, watcher) => new HttpExchange(place, order, watcher);
    this.#agent = agent;
    this.#signIn = toSignIn(new URL(url));
    this.#headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.#start = authorize
      ? (order, watcher) =>
          new AuthorizedExchange(authorize, start, order, { ...watcher, signIn: this.#signIn })
      : start;
  }

  /** The watcher is never called before this returns, and not at all once the client is disposed of. */
  start(order: Order, watcher: Watcher): Exchange {
    if (this.#isClosed) return { hasLeft: false, abort: () => {} };
    const headers = { ...this.#headers, ...order.headers };
    const exchange = this.#start(
      { ...order, headers },
      {
        ...watcher,
        done: (end) => {
          this.#open.delete(exchange);
          const isRefused = end.kind === 'answered' && end.status === 401;
          watcher.done(isRefused ? { ...end, signIn: this.#signIn } : end);
        },
      },
    );
    this.#open.add(exchange);
    return {
      get hasLeft() {
        return exchange.hasLeft;
      },
      abort: () => {
        this.#open.delete(exchange);
        exchange.abort();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const exchange of this.#open) exchange.abort();
    this.#open.clear();
    this.#agent.destroy();
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
    void this.#run(false);
  }

  /** A request that was refused for its token left nothing behind. */
  get hasLeft(): boolean {
    return this.#inner?.hasLeft ?? false;
  }

  abort(): void {
    this.#isAborted = true;
    this.#inner?.abort();
  }

  async #run(isRefused: boolean): Promise<void> {
    const token = await this.#ask(isRefused);
    if (this.#isAborted) return;
    if (token === 'none') {
      // The reason belongs to the token store, not to the caller.
      const detail = `There is no token for the server; a person has to run ${this.#watcher.signIn}`;
      const failure = { kind: 'not-sent', detail } as const;
      this.#watcher.done({ kind: 'failed', failure });
      return;
    }
    const order = { ...this.#order, headers: { ...this.#order.headers, ...token } };
    this.#inner = this.#start(order, {
      ...this.#watcher,
      done: (end) => {
        if (isRefused || end.kind === 'failed' || end.status !== 401) this.#watcher.done(end);
        else {
          this.#inner = undefined;
          void this.#run(true);
        }
      },
    });
  }

  async #ask(isRefused: boolean): Promise<Record<string, string> | 'none'> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('no token in time')), TOKEN_MS);
    try {
      await Promise.resolve();
      const asked = isRefused ? this.#authorize({ refused: true }) : this.#authorize();
      const token = await Promise.race([asked, late.promise]);
      return token === undefined ? {} : { authorization: `Bearer ${token}` };
    } catch {
      return 'none';
    } finally {
      clearTimeout(timer);
    }
  }
}
