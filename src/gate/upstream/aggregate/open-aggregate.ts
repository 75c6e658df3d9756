/**
 * Many servers behind one channel, for clients of either era. Each server must itself take the era of
 * the client. A server that does not start is left out and reported; the others go on without it.
 */
import { LRUCache } from 'lru-cache';
import type { Channel, Listener } from '../../protocol/channel.ts';
import { ClientPort } from '../../protocol/client-port.ts';
import type { Frame } from '../../protocol/frame.ts';
import { AggregateSession } from './aggregate-session.ts';
import type { Unrouted } from './handshake.ts';
import { Peer } from './peer.ts';
import { checkServerNames } from './names.ts';
import { PlainNames } from './plain-names.ts';

interface AggregateServer {
  /** Letters, digits, hyphens and single underscores between them, at most 32; `checkServerNames` tells beforehand. */
  readonly name: string;
  readonly channel: Channel;
}

interface AggregateOptions {
  /** As whom the aggregate answers. */
  readonly info: { readonly name: string; readonly version: string };
  /** Names of tools and prompts have no prefix; whose each tool is, as far as that is known beforehand. */
  readonly plainNames?: ReadonlyMap<string, string>;
  /** Told what was left out, and why. */
  readonly report?: (message: string) => void;
  /** Told of a tool call that no server gets, so that it is recorded all the same. */
  readonly refused?: (call: Frame, why: Unrouted) => void;
  /** How long a server may take for its handshake or a page of a list. */
  readonly timeoutMs?: number;
  /** How long a server may still answer a request that was cancelled. */
  readonly graceMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const MOST_REPORTS = 1000;

export function openAggregate(
  servers: readonly AggregateServer[],
  options: AggregateOptions,
): Channel {
  return new Aggregate(servers, options);
}

class Aggregate implements Channel {
  readonly #servers: readonly AggregateServer[];
  readonly #peers: readonly Peer[];
  readonly #options: AggregateOptions;
  readonly #reported = new LRUCache<string, true>({ max: MOST_REPORTS });
  #port: ClientPort | undefined;
  #session: AggregateSession | undefined;

  constructor(servers: readonly AggregateServer[], options: AggregateOptions) {
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
    const { info, timeoutMs = DEFAULT_TIMEOUT_MS, graceMs } = this.#options;
    const report = (message: string): void => this.#report(message);
    const refused = this.#options.refused ?? (() => {});
    const inUse = (request: Frame): void => {
      if (request.message.method === 'tools/call') refused(request, 'invalid');
    };
    const port = new ClientPort(client, { graceMs, report, inUse });
    this.#port = port;
    const { plainNames } = this.#options;
    const names = plainNames && new PlainNames(plainNames);
    const options = { info: { ...info }, timeoutMs, report, refused, names };
    const session = new AggregateSession(port, this.#peers, options);
    this.#session = session;
    for (const peer of this.#peers) peer.listen(session);
  }

  send(frame: Frame): void {
    this.#port?.send(frame, (sent) => this.#session?.send(sent));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#session?.end();
    await Promise.all(this.#servers.map(({ channel }) => channel[Symbol.asyncDispose]()));
    this.#session?.end();
    this.#port?.closed();
    // What the port could not say during a `send` is said by now.
    await Promise.resolve();
  }

  /** Each thing once: lists are fetched again and again. */
  #report(message: string): void {
    if (this.#reported.get(message) === true) return;
    this.#reported.set(message, true);
    this.#options.report?.(message);
  }
}
