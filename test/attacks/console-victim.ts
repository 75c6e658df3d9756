/** A person whose browser is signed in to the console of a gate, and a page on another port that they visit. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import type { AttackedGate } from './attacked-gate.ts';

export interface Thief extends AsyncDisposable {
  readonly port: number;
  /** Every cookie, and every referrer, that a browser sent to it. */
  readonly cookies: readonly string[];
  readonly referrers: readonly string[];
}

/** `page`: the HTML that it shows. */
export async function openThief(page = '<h1>Look here</h1>'): Promise<Thief> {
  const cookies: string[] = [];
  const referrers: string[] = [];
  const server = createServer((request, response) => {
    if (request.headers.cookie !== undefined) cookies.push(request.headers.cookie);
    if (request.headers.referer !== undefined) referrers.push(request.headers.referer);
    response.setHeader('content-type', 'text/html').end(`<!doctype html>${page}`);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    cookies,
    referrers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export async function linkOf(gate: AttackedGate): Promise<URL> {
  await vi.waitUntil(() => /http\S+\/enter\S+\n/.test(gate.said), { timeout: 20_000 });
  return new URL(/http\S+\/enter\S+/.exec(gate.said)?.[0] ?? '');
}

/** As the person does, with the link from the terminal. */
export async function signIn(page: Page, link: URL): Promise<void> {
  await page.goto(link.href);
  await page.getByRole('button').click();
  await page.getByRole('heading', { level: 1, name: 'Waiting' }).waitFor();
}
