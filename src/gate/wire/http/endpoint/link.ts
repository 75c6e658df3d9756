/**
 * The way to one server: its address, pooled connections, and the token that it wants. A token that
 * the server refuses is asked for anew once; who calls never sees it.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Abort, Order, Place, Watcher } from './exchange.ts';
import { exchange } from './exchange.ts';

/** The token to send; asked again with `refused` when the server did not take the last one. */
export type Authorize = (state?: { readonly refused: true }) => Promise<string | undefined>;

export interface LinkOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorize?: Authorize;
  readonly maxBytes: number;
}

const FREE_CONNECTIONS = 64;

export class Link implements Disposable {
  readonly #place: Place;
  readonly #agent: HttpAgent;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #authorize: Authorize | undefined;

  constructor({ url, headers = {}, authorize, maxBytes }: LinkOptions) {
    const { protocol, hostname, port, path, auth } = urlToHttpOptions(new URL(url));
    const isSecure = protocol === 'https:';
    const Agent = isSecure ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxFreeSockets: FREE_CONNECTIONS });
    const agent = this.#agent;
    this.#place = { hostname, port, path, auth, agent, isSecure, maxBytes };
    this.#headers = lowerCased(headers);
    this.#authorize = authorize;
  }

  start(order: Order, watcher: Watcher): Abort {
    const headers = { ...this.#headers, ...order.headers };
    if (this.#authorize === undefined) return exchange(this.#place, { ...order, headers }, watcher);
    return this.#startWithToken(this.#authorize, { ...order, headers }, watcher);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #startWithToken(authorize: Authorize, order: Order, watcher: Watcher): Abort {
    let abort: Abort | undefined;
    let isAborted = false;
    const run = async (isRefused: boolean): Promise<void> => {
      const token = await (isRefused ? authorize({ refused: true }) : authorize());
      if (isAborted) return;
      const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const authorized = { ...order, headers: { ...order.headers, ...bearer } };
      abort = exchange(this.#place, authorized, {
        ...watcher,
        done: (end) => {
          const isDenied = end.kind === 'answered' && end.status === 401;
          if (isDenied && !isRefused) start(true);
          else watcher.done(end);
        },
      });
    };
    const start = (isRefused: boolean): void => {
      run(isRefused).catch(() => {
        // Why there is no token stays with who keeps them.
        const detail = 'There is no token for the server';
        if (!isAborted) watcher.done({ kind: 'failed', failure: { kind: 'not-sent', detail } });
      });
    };
    start(false);
    return () => {
      isAborted = true;
      abort?.();
    };
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
