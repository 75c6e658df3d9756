import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuthorizationServer } from '../../../test/support/authorization-server.ts';
import { openAuthorizationServer } from '../../../test/support/authorization-server.ts';
import type { GuardedServer } from '../../../test/support/guarded-server.ts';
import { openGuardedServer } from '../../../test/support/guarded-server.ts';
import { openAuthorizer } from './authorize.ts';
import { logIn } from './log-in.ts';
import type { TokenStore } from './token-store.ts';
import { openTokenStore } from './token-store.ts';

let issuer: AuthorizationServer;
let server: GuardedServer;
let folder: string;
let store: TokenStore;
let minutes: number;
let opened: number;
/** Stands still unless a test moves it, so that a pause of the machine changes nothing. */
const now = (): Date => new Date(opened + minutes * 60_000);

beforeEach(async () => {
  minutes = 0;
  opened = Date.now();
  issuer = await openAuthorizationServer();
  server = await openGuardedServer(issuer.url);
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-authorize-'));
  store = openTokenStore(join(folder, 'tokens.json'));
  const show = (page: URL): void => void fetch(page);
  await logIn({ serverUrl: server.mcpUrl, store, show });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

function refreshes(): number {
  return issuer.events.filter((event) => event === 'refresh').length;
}

async function isTaken(token: string | undefined): Promise<boolean> {
  const { status } = await fetch(server.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  return status === 200;
}

describe('openAuthorizer', () => {
  it('gives the token of the server, and of no other', async () => {
    const token = await openAuthorizer(server.mcpUrl, store)();
    expect(await isTaken(token)).toBe(true);
    expect(await isTaken('x')).toBe(false);
    expect(await openAuthorizer(`${server.mcpUrl}/other`, store)()).toBeUndefined();
    expect(refreshes()).toBe(0);
  });

  it('gives what it read a moment ago without a promise, and reads again after two seconds', async () => {
    const authorize = openAuthorizer(server.mcpUrl, store, { now });
    const token = await authorize();
    expect(authorize()).toBe(token);
    await store.update(server.mcpUrl, () => undefined);
    minutes = 0.05;
    const later = authorize();
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBeUndefined();
    expect(authorize()).toBeUndefined();
  });

  it('renews a token shortly before it ends, and keeps what rotated', async () => {
    const authorize = openAuthorizer(server.mcpUrl, store, { now });
    const first = await authorize();
    minutes = 59;
    expect(await authorize()).toBe(first);
    minutes = 59.75;
    const second = await authorize();
    expect(second).not.toBe(first);
    expect(await isTaken(second)).toBe(true);
    expect(await authorize()).toBe(second);
    minutes = 180;
    expect(await authorize()).not.toBe(second);
    expect(refreshes()).toBe(2);
    expect(issuer.events).not.toContain('refused refresh');
  });

  it('renews a token that was refused', async () => {
    const authorize = openAuthorizer(server.mcpUrl, store);
    const first = await authorize();
    server.revoked.add(first ?? '');
    expect(await isTaken(first)).toBe(false);
    const second = await authorize({ refused: true });
    expect(await isTaken(second)).toBe(true);
  });

  it('renews once for many callers, in several processes', async () => {
    issuer.behaviour.refreshDelayMs = 100;
    const gates = [store, openTokenStore(store.file), openTokenStore(store.file)].map((shared) =>
      openAuthorizer(server.mcpUrl, shared),
    );
    await Promise.all(gates.map(async (authorize) => authorize()));
    const calls = Array.from({ length: 30 }, async (_, index) =>
      gates[index % 3]?.({ refused: true }),
    );
    const tokens = new Set(await Promise.all(calls));
    expect(tokens.size).toBe(1);
    // A caller whose refusal arrives late is served by the same renewal.
    expect(await gates[0]?.({ refused: true })).toBe([...tokens][0]);
    expect(refreshes()).toBe(1);
    expect(issuer.events).not.toContain('refused refresh');
  });

  it('goes on with a token that still holds when nobody answers', async () => {
    const authorize = openAuthorizer(server.mcpUrl, store, { now });
    const first = await authorize();
    issuer.behaviour.failRefresh = true;
    minutes = 59.75;
    expect(await authorize()).toBe(first);
    minutes = 61;
    expect(await authorize()).toBeUndefined();
    issuer.behaviour.failRefresh = false;
    expect(await isTaken(await authorize())).toBe(true);
  });

  it('forgets tokens that cannot be renewed, and sends the refresh token no more', async () => {
    await store.update(server.mcpUrl, ({ tokens, ...rest }) => {
      if (tokens === undefined) throw new Error('no tokens');
      return { ...rest, tokens: { ...tokens, refresh_token: 'stolen-or-used' } };
    });
    const authorize = openAuthorizer(server.mcpUrl, store);
    await authorize();
    expect(await authorize({ refused: true })).toBeUndefined();
    expect(await authorize({ refused: true })).toBeUndefined();
    expect(issuer.events.filter((event) => event === 'refused refresh')).toHaveLength(1);
    expect(await store.read(server.mcpUrl)).toHaveProperty('client');
  });

  it('sends a refresh token to nobody but its issuer', async () => {
    await using thief = await openAuthorizationServer();
    await store.update(server.mcpUrl, (before) => ({ ...before, authorizationServer: thief.url }));
    const authorize = openAuthorizer(server.mcpUrl, store);
    await authorize();
    expect(await authorize({ refused: true })).toBeUndefined();
    expect(thief.events).toEqual([]);
  });
});
