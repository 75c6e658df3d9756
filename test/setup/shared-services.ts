/**
 * What the system tests of one run share, as a vitest global set-up: a PostgreSQL cluster and a
 * Chromium, each opened when the first test asks for it. Answers on loopback with their addresses.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '../console/browser.ts';
import { openCluster } from '../support/postgres.ts';
import type { Service } from '../support/shared-service.ts';
import { SHARED_SERVICES } from '../support/shared-service.ts';

type Opened = Promise<{ readonly address: string } & AsyncDisposable>;

const OPENERS: Readonly<Record<Service, () => Opened>> = {
  postgres: openCluster,
  chromium: launchChromium,
};

export default async function shareServices(): Promise<() => Promise<void>> {
  const opened = new Map<Service, Opened>();
  const open = (name: Service): Opened => {
    const before = opened.get(name) ?? OPENERS[name]();
    opened.set(name, before);
    return before;
  };
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    if (name !== 'postgres' && name !== 'chromium') {
      response.writeHead(404).end();
      return;
    }
    open(name).then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  process.env[SHARED_SERVICES] = `http://127.0.0.1:${port}`;
  return async () => {
    Reflect.deleteProperty(process.env, SHARED_SERVICES);
    server.close();
    server.closeAllConnections();
    for (const result of await Promise.allSettled(opened.values())) {
      if (result.status === 'fulfilled') await result.value[Symbol.asyncDispose]();
    }
  };
}
