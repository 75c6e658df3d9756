/**
 * Opens the console: the page where people see what agents do and answer for it. On this machine
 * only, unless whoever opens it says twice that others may reach it.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { createAdaptorServer } from '@hono/node-server';
import type { Context } from 'hono';
import { announceReports } from '../lib/announce-reports.ts';
import type { Secret } from '../lib/secret.ts';
import { createApp } from './create-app.ts';
import type { ConsoleServices } from './console-services.ts';
import { EntryLinks, Sessions } from './door/sessions.ts';
import { QueueWatch } from './queue-watch.ts';

export interface ConsoleOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: any that is free. */
  readonly port?: number;
  /** Must be said for a host that is not this machine alone. */
  readonly othersCanReachIt?: boolean;
  /** Where people reach it if not at the host and port, such as behind a proxy with TLS. */
  readonly publicUrl?: string;
  /** How whoever comes in by a link is called. Default: the user of this process. */
  readonly who?: string;
  /** Lets scripts use the API. */
  readonly apiToken?: Secret;
  /** Told of every later link, when somebody knocks who is not signed in. */
  readonly onLink?: (link: string) => void;
}

export interface Console extends AsyncDisposable {
  /** Where people reach it, without a slash at the end. */
  readonly url: string;
  /** Where it listens. */
  readonly port: number;
  /** Signs in once, within ten minutes. */
  readonly link: string;
}

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost'];
/** However often somebody knocks. */
const LINK_EVERY_MS = 10_000;

export async function openConsole(
  given: ConsoleServices,
  options: ConsoleOptions = {},
): Promise<Console> {
  const services = { ...given, report: announceReports(given.report) };
  const { host = '127.0.0.1', port = 0, publicUrl, who = userInfo().username } = options;
  if (!LOOPBACK.includes(host) && options.othersCanReachIt !== true) {
    throw new TypeError(`others could reach a console at ${host}; say so if they may`);
  }
  const links = new EntryLinks(services.now);
  const sessions = new Sessions(services.now);
  const watch = new QueueWatch(services.ledger.store, services.report);
  const hosts = new Map<string, string>();
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
      cookie: (context) => cookieName(context, hosts),
      onKnock: () => {
        if (options.onLink === undefined || services.now() - lastLink < LINK_EVERY_MS) return;
        lastLink = services.now();
        options.onLink(toLink(url, links));
      },
    },
  });
  // Without TLS options it is a plain server.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  const bound = await listen(server, host, port);
  for (const name of [toHostName(host), ...(LOOPBACK.includes(host) ? ['localhost'] : [])]) {
    const own = new URL(`http://${name}:${bound}`);
    hosts.set(own.host, own.origin);
  }
  if (publicUrl !== undefined) hosts.set(new URL(publicUrl).host, new URL(publicUrl).origin);
  const url =
    publicUrl === undefined ? `http://${toHostName(host)}:${bound}` : new URL(publicUrl).origin;
  return {
    url,
    port: bound,
    link: toLink(url, links),
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

function toLink(url: string, links: EntryLinks): string {
  return `${url}/enter?token=${links.mint()}`;
}

function toHostName(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Browsers share cookies between the ports of a host, so that each console needs a name of its own. */
function cookieName({ req }: Context, hosts: ReadonlyMap<string, string>): string {
  const host = req.header('host')?.toLowerCase() ?? '';
  if (hosts.get(host)?.startsWith('https:')) return '__Host-plimsoll';
  return `plimsoll-session-${/\d+$/.exec(host)?.[0] ?? '80'}`;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // Bound to TCP, so that the address is not a text.
      resolve((server.address() as AddressInfo).port);
    });
  });
}
