/**
 * Many servers behind one channel, for clients of either era. Each server must itself take the era of
 * the client. A server that does not come up is left out and reported; the others go on without it.
 */
import { LRUCache } from 'lru-cache';
import type { Channel, Listener } from '../channel.ts';
import type { Frame } from '../frame.ts';
import { MuxSession } from './mux-session.ts';
import { checkServerNames } from './names.ts';
import { Peer } from './peer.ts';

export interface MuxServer {
  /** Letters, digits and hyphens, at most 32; `checkServerNames` tells beforehand. */
  readonly name: string;
  readonly channel: Channel;
}

export interface MuxOptions {
  /** As whom the mux answers. */
  readonly info?: { readonly name: string; readonly version: string };
  /** Told what was left out, and why. */
  readonly report?: (message: string) => void;
  /** How long a server may take for its handshake or a page of a list. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const MOST_REPORTS = 1000;

export function openMux(servers: readonly MuxServer[], options: MuxOptions = {}): Channel {
  return new Mux(servers, options);
}

class Mux implements Channel {
  readonly #servers: readonly MuxServer[];
  readonly #peers: readonly Peer[];
  readonly #options: MuxOptions;
  readonly #reported = new LRUCache<string, true>({ max: MOST_REPORTS });
  #session: MuxSession | undefined;

  constructor(servers: readonly MuxServer[], options: MuxOptions) {
    const faulty = new Map<string, string>();
    const names: string[] = [];
    this.#peers = servers.flatMap(({ name, channel }) => {
      const [fault] = checkServerNames([...names, name]);
      if (fault !== undefined) {
        faulty.set(name, fault.detail);
        return [];
      }
      names.push(name);
      return [new Peer(name, channel)];
    });
    this.#servers = servers;
    this.#options = options;
    for (const [name, detail] of faulty) this.#report(`${name} is left out: ${detail}`);
  }

  listen(client: Listener): void {
    const { info = { name: 'plimsoll', version: '0' }, timeoutMs = DEFAULT_TIMEOUT_MS } =
      this.#options;
    const report = (message: string): void => this.#report(message);
    const session = new MuxSession(client, this.#peers, { info: { ...info }, timeoutMs, report });
    this.#session = session;
    for (const peer of this.#peers) peer.listen(session);
  }

  send(frame: Frame): void {
    this.#session?.send(frame);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map(({ channel }) => channel[Symbol.asyncDispose]()));
  }

  /** Each thing once: lists are fetched again and again. */
  #report(message: string): void {
    if (this.#reported.get(message) === true) return;
    this.#reported.set(message, true);
    this.#options.report?.(message);
  }
}
