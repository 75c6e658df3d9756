/** Where browsers come back to, under attack: requests that are none, states that are old or unknown. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../shared/database.ts';
import { Access } from './access.ts';
import type { SandboxAuthorization } from './sandbox-authorization.ts';
import { openSandboxAuthorization } from './sandbox-authorization.ts';

let now: Date;
let db: Database;
let sandbox: SandboxAuthorization;
let access: Access;

beforeEach(async () => {
  now = new Date('2026-03-18T08:00:00Z');
  db = new Database(':memory:');
  sandbox = await openSandboxAuthorization();
  access = new Access({ db, now: () => now, endpoints: async () => sandbox });
});
afterEach(async () => {
  await access[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  db.close();
});

const grant = (url: string | URL): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ decision: 'grant' }) });

/** As it is written, which clients for HTTP would correct. */
async function sendRaw(port: number, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  return text(socket);
}

describe('a session', () => {
  it.each(['//', '//callback', 'http://[', '/callback?state=%', '*'])(
    'is not ended, and the server neither, by a request for %s',
    async (target) => {
      const { url } = await access.begin('mara');
      const redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
      for (const place of [redirect, sandbox.authorize]) {
        expect(await sendRaw(Number(new URL(place).port), target)).toMatch(/^HTTP\/1.1 400/);
      }
      expect((await grant(url)).status).toBe(200);
      expect(access.grantOf('mara')).toBeDefined();
    },
  );

  it('that a person takes too long for grants nothing', async () => {
    const { url } = await access.begin('mara');
    now = new Date(now.getTime() + 16 * 60_000);
    expect((await grant(url)).status).toBe(400);
    expect(access.grantOf('mara')).toBeUndefined();
  });

  it.each([
    ['an unknown state', (url: URL) => url.searchParams.set('state', 'x')],
    ['another challenge', (url: URL) => url.searchParams.set('code_challenge', 'x')],
    ['no challenge', (url: URL) => url.searchParams.delete('code_challenge')],
    [
      'a redirect elsewhere',
      (url: URL) => url.searchParams.set('redirect_uri', 'http://a.example/'),
    ],
  ])('with %s grants nothing', async (_, change) => {
    const session = await access.begin('mara');
    const url = new URL(session.url);
    change(url);
    expect((await grant(url)).status).toBe(400);
    expect(access.grantOf('mara')).toBeUndefined();
  });

  it('is denied at once when the authorization server does not give tokens', async () => {
    const { id, url } = await access.begin('mara');
    const back = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ state: id, code: 'x' }).toString();
    const waiting = access.wait(id, 'mara', 5000, new AbortController().signal);
    await sandbox[Symbol.asyncDispose]();
    expect((await fetch(back)).status).toBe(400);
    expect(await waiting).toBe('denied');
    expect(await access.wait(id, 'ines', 5000, new AbortController().signal)).toBe('denied');
  });
});
