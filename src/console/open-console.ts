/**
 * Opens the console: the pages where people see what agents do and approve calls. On this machine only,
 * unless other machines are allowed by two separate options.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { createAdaptorServer } from '@hono/node-server';
import { announceReports } from '../lib/announce-reports.ts';
import type { Secret } from '../lib/secret.ts';
import { newConsoleName } from './console-name.ts';
import { createApp } from './create-app.ts';
import type { ConsoleServices } from './console-services.ts';
import { EntryLinks, Sessions } from './door/sessions.ts';
import { QueueWatch } from './queue-watch.ts';
import { proveConsole } from './running-console.ts';

export interface ConsoleOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Required for a host that other machines can reach. */
  readonly othersCanReachIt?: boolean;
  /** The public URL, such as behind a proxy with TLS. Default: a name of its own under `.localhost`. */
  readonly publicUrl?: string;
  /** That name, which only the user should know. Default: a random one. */
  readonly name?: string;
  /** The name of the user who signs in by a link. Default: the user of this process. */
  readonly who?: string;
  /** Lets scripts use the API. */
  readonly apiToken?: Secret;
  /** Called with every later link, when a visitor is not signed in. */
  readonly onLink?: (link: string) => void;
}

export interface Console extends AsyncDisposable {
  /** Its public URL, without a trailing slash. */
  readonly url: string;
  /** Where it listens. */
  readonly port: number;
  /** The sign-in link; works once, within ten minutes. */
  readonly link: string;
  /** When somebody last used it: a request, or a page that is open. */
  readonly usedAt: () => number;
}

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost'];
/** However often visitors try. */
const LINK_EVERY_MS = 10_000;

export async function openConsole(
  given: ConsoleServices,
  options: ConsoleOptions = {},
): Promise<Console> {
  const services = {
    ...given,
    // A gate may take up another one while its console is open.
    get policy() {
      return given.policy;
    },
    report: announceReports(given.report),
  };
  const { host = '127.0.0.1', port = 0, publicUrl, who = userInfo().username } = options;
  if (!LOOPBACK.includes(host) && options.othersCanReachIt !== true) {
    throw new TypeError(
      `other machines could reach a console at ${host}; where that is intended, plimsoll console takes --i-know-others-can-reach-it`,
    );
  }
  const { store, keys } = services.ledger;
  const hosts = new Map<string, string>();
  let url = '';
  let bound = 0;
  const place = { store, now: services.now, place: (): string => url };
  const links = new EntryLinks(place);
  const sessions = new Sessions(place);
  const watch = new QueueWatch(store, services.report);
  let usedAt = services.now();
  let lastLink = services.now();
  const app = createApp({
    services,
    watch,
    door: {
      hosts,
      links,
      sessions,
      who,
      ...(options.apiToken !== undefined && { apiToken: options.apiToken }),
      home: () => new URL(url).host,
      cookie: () => cookieName(new URL(url)),
      onKnock: async () => {
        if (options.onLink === undefined || services.now() - lastLink < LINK_EVERY_MS) return;
        lastLink = services.now();
        options.onLink(await toLink(url, links));
      },
      prove: (nonce) => proveConsole(keys.consoleKey, bound, nonce),
    },
  });
  // Without TLS options it is a plain server.
  const fetch: typeof app.fetch = (...request) => {
    usedAt = services.now();
    return app.fetch(...request);
  };
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
  bound = await listen(server, host, port);
  url = new URL(publicUrl ?? `http://${toHostName(host, options.name)}:${bound}`).origin;
  const addresses = LOOPBACK.includes(host) ? [host, 'localhost'] : [host];
  for (const each of [...addresses.map((name) => `http://${bracket(name)}:${bound}`), url]) {
    const own = new URL(each);
    hosts.set(own.host, own.origin);
  }
  return {
    url,
    port: bound,
    link: await toLink(url, links),
    usedAt: () => (watch.isWatched ? services.now() : usedAt),
    [Symbol.asyncDispose]: async () => {
      watch[Symbol.dispose]();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function toLink(url: string, links: EntryLinks): Promise<string> {
  return `${url}/enter?token=${await links.mint()}`;
}

function toHostName(host: string, name = newConsoleName()): string {
  return LOOPBACK.includes(host) ? `${name}.localhost` : bracket(host);
}

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** All consoles of a user have one host and so share cookies: each has its own by its port. */
function cookieName({ protocol, port }: URL): string {
  return protocol === 'https:' ? '__Host-plimsoll' : `plimsoll-session-${port || '80'}`;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // Bound to TCP, so the address is not a string.
      resolve((server.address() as AddressInfo).port);
    });
  });
}
