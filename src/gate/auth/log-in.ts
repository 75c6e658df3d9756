/**
 * Signs in to one server: the authorization code flow with PKCE, as the SDK runs it, with a person in
 * a browser between its two halves. The tokens end up in the store and are given to nobody.
 */
import { randomBytes } from 'node:crypto';
import type { FetchLike } from '@modelcontextprotocol/client';
import { auth, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { OAuthConfig } from '../config/gate-config.ts';
import { cautiousFetch } from './cautious-fetch.ts';
import { FileOAuthProvider } from './file-oauth-provider.ts';
import { isSafeUrl } from '../../lib/is-safe-url.ts';
import { openRedirect } from './open-redirect.ts';
import type { TokenStore } from './token-store.ts';

interface LogInOptions {
  readonly serverUrl: string;
  readonly store: TokenStore;
  readonly show: (url: URL) => void;
  readonly oauth?: OAuthConfig;
  /** Default: any free one. */
  readonly port?: number;
  readonly timeoutMs?: number;
}

const FIVE_MINUTES = 5 * 60_000;

/** Rejects with a message for the person. */
export async function logIn(options: LogInOptions): Promise<void> {
  const { serverUrl, store, show, oauth, port, timeoutMs = FIVE_MINUTES } = options;
  const url = URL.parse(serverUrl);
  if (url === null || !isSafeUrl(url)) {
    throw new Error('tokens travel over https only; plain http is for this machine');
  }
  const fetchFn = cautiousFetch(serverUrl);
  const challenge = await askChallenge(url, fetchFn);
  const scope = oauth?.scopes?.join(' ') || challenge.scope;
  const state = randomBytes(32).toString('base64url');
  await using redirect = await openRedirect(state, port);
  const provider = new FileOAuthProvider({
    serverUrl,
    store,
    show,
    redirectUrl: redirect.url,
    state,
    ...(oauth !== undefined && { oauth }),
  });
  const common = {
    serverUrl,
    fetchFn,
    ...(scope !== undefined && { scope }),
    ...(challenge.metadata !== undefined && { resourceMetadataUrl: challenge.metadata }),
  };
  await auth(provider, { ...common, forceReauthorization: true });
  const { code, issuer } = await redirect.arrival(timeoutMs);
  await auth(provider, {
    ...common,
    authorizationCode: code,
    ...(issuer !== undefined && { iss: issuer }),
  });
}

/** What the server answers to a request without a token. */
async function askChallenge(
  url: URL,
  fetchFn: FetchLike,
): Promise<{ readonly scope?: string; readonly metadata?: URL }> {
  const response = await fetchFn(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    redirect: 'manual',
  });
  await response.body?.cancel();
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  return {
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl !== undefined &&
      isSafeUrl(resourceMetadataUrl) && { metadata: resourceMetadataUrl }),
  };
}
