import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OAuthConfig } from '../config/gate-config.ts';
import { FileOAuthProvider } from './file-oauth-provider.ts';
import type { TokenStore } from './token-store.ts';
import { openTokenStore } from './token-store.ts';

const SERVER = 'https://notes.example/mcp';
const ISSUER = 'https://id.example';
let folder: string;
let store: TokenStore;
let shown: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-provider-'));
  store = openTokenStore(join(folder, 'tokens.json'));
  shown = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function provider(oauth?: OAuthConfig, port = 1234): FileOAuthProvider {
  return new FileOAuthProvider({
    serverUrl: SERVER,
    store,
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    state: 'state',
    show: (url) => shown.push(url.href),
    now: () => new Date(1_000_000),
    ...(oauth !== undefined && { oauth }),
  });
}

const tokens = {
  access_token: 'access',
  refresh_token: 'refresh',
  token_type: 'Bearer',
  expires_in: 60,
  issuer: ISSUER,
};

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};
const DISCOVERED = { authorizationServerUrl: ISSUER, authorizationServerMetadata: METADATA };

describe('FileOAuthProvider', () => {
  it('uses the client that was registered by hand, and none beside it', async () => {
    await store.update(SERVER, () => ({ client: { client_id: 'earlier', issuer: ISSUER } }));
    const client = await provider({ clientId: 'by-hand' }).clientInformation({ issuer: ISSUER });
    expect(client).toEqual({ client_id: 'by-hand', issuer: ISSUER });
  });

  it('tells the scopes and the metadata address of the configuration', () => {
    const clientMetadataUrl = 'https://me.example/client.json';
    const own = provider({ scopes: ['a', 'b'], clientMetadataUrl });
    expect(own.clientMetadata).toMatchObject({
      scope: 'a b',
      redirect_uris: [own.redirectUrl],
      token_endpoint_auth_method: 'none',
    });
    expect(own.clientMetadataUrl).toBe(clientMetadataUrl);
    expect(provider().clientMetadataUrl).toBeUndefined();
  });

  it('uses a registration only for the address that it was made for', async () => {
    const one = provider();
    const redirect_uris = [one.redirectUrl];
    const client = { client_id: 'abc', issuer: ISSUER, redirect_uris };
    await one.saveClientInformation(client);
    expect(await one.clientInformation()).toEqual(client);
    expect(await provider(undefined, 4321).clientInformation()).toBeUndefined();
  });

  it('keeps tokens with their end and their issuer, and the verifier not at all', async () => {
    const flow = provider({ clientId: 'by-hand' });
    flow.saveCodeVerifier('verifier-text');
    expect(flow.codeVerifier()).toBe('verifier-text');
    flow.saveDiscoveryState(DISCOVERED);
    flow.saveResourceUrl(SERVER);
    await flow.saveTokens(tokens);
    expect(await store.read(SERVER)).toEqual({
      client: { client_id: 'by-hand', issuer: ISSUER },
      tokens,
      expiresAt: 1060,
      authorizationServer: ISSUER,
      resource: SERVER,
    });
    expect(() => flow.codeVerifier()).toThrow('no sign-in is under way');
  });

  it.each([
    ['no metadata', undefined],
    ['no PKCE', { ...METADATA, code_challenge_methods_supported: undefined }],
    ['plain PKCE', { ...METADATA, code_challenge_methods_supported: ['plain'] }],
    ['a page elsewhere', { ...METADATA, authorization_endpoint: 'https://other.example/in' }],
  ])('goes nowhere with an authorization server that has %s', (_what, metadata) => {
    const state = {
      authorizationServerUrl: ISSUER,
      ...(metadata !== undefined && { authorizationServerMetadata: metadata }),
    };
    const flow = provider();
    // The metadata is as a server may write it.
    expect(() => flow.saveDiscoveryState(state as typeof DISCOVERED)).toThrow(
      /authorization server|sign-in page/,
    );
    expect(flow.discoveryState()).toBeUndefined();
  });

  it('lets the page be elsewhere if the answer says who issued it', () => {
    const page = { authorization_endpoint: 'https://other.example/in' };
    const claim = { authorization_response_iss_parameter_supported: true };
    const flow = provider();
    flow.saveDiscoveryState({
      ...DISCOVERED,
      authorizationServerMetadata: { ...METADATA, ...page, ...claim },
    });
    expect(flow.discoveryState()).toBeDefined();
  });

  it('keeps no token that must be sent in another way', async () => {
    await expect(provider().saveTokens({ ...tokens, token_type: 'DPoP' })).rejects.toThrow(
      'not a bearer token',
    );
    expect(await store.read(SERVER)).toBeUndefined();
  });

  it.each(['javascript:alert(1)', 'http://id.example/x', 'data:text/html,x', 'ftp://id.example'])(
    'shows no page at %s',
    (page) => {
      expect(() => provider().redirectToAuthorization(new URL(page))).toThrow('not opened');
      expect(shown).toEqual([]);
    },
  );

  it('shows pages over https and on this machine', () => {
    const pages = ['https://id.example/x', 'http://127.0.0.1:1/x', 'http://[::1]/x'];
    for (const page of pages) provider().redirectToAuthorization(new URL(page));
    expect(shown).toEqual(pages);
  });

  it.each([
    ['tokens', { client: { client_id: 'abc' } }],
    ['client', { tokens }],
    ['all', undefined],
    ['verifier', { client: { client_id: 'abc' }, tokens }],
  ] as const)('forgets %s when told to', async (scope, left) => {
    await store.update(SERVER, () => ({ client: { client_id: 'abc' }, tokens }));
    await provider().invalidateCredentials(scope);
    expect(await store.read(SERVER)).toEqual(left);
  });
});
