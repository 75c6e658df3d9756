/**
 * Gives the bearer token for one server behind the gate, and renews it when it is about to end or was
 * refused: once at a time, in this process and among all that share the token file, since a refresh
 * token that is used twice may be taken for a stolen one. Signing in anew is a person's business.
 */
import type { FetchLike, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { cautiousFetch } from './cautious-fetch.ts';
import type { ServerTokens, TokenStore } from './token-store.ts';
import { toServerTokens } from './token-store.ts';

/** `refused`: the server did not take the last one. */
export type Authorizer = (options?: {
  readonly refused?: boolean;
}) => string | undefined | Promise<string | undefined>;

export interface AuthorizerOptions {
  readonly fetch?: FetchLike;
  readonly now?: () => Date;
}

const READ_SECONDS = 2;
const EARLY_SECONDS = 30;
/** Calls that went out together are refused together; one renewal serves them all. */
const FRESH_SECONDS = 10;

/**
 * `undefined`: there is no token that could be valid, and `plimsoll login` is needed. What was read a moment
 * ago is given at once, since every call asks.
 */
export function openAuthorizer(
  serverUrl: string,
  store: TokenStore,
  { fetch: fetchFn = cautiousFetch(serverUrl), now = () => new Date() }: AuthorizerOptions = {},
): Authorizer {
  let given: string | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let renewing: Promise<string | undefined> | undefined;
  const seconds = (): number => now().getTime() / 1000;

  const renew = async (old: string): Promise<string | undefined> => {
    const after = await store.update(serverUrl, async (before) => {
      // Another process, or a person, was faster.
      if (before.tokens?.access_token !== old) return before;
      return await refreshed(before, fetchFn, now);
    });
    renewedAt = seconds();
    seen = undefined;
    return after?.tokens?.access_token;
  };

  /** Every request asks; the file is read once in a while, and whenever a token was refused. */
  let seen: { readonly kept: ServerTokens | undefined; readonly until: number } | undefined;
  const read = async (isRefused: boolean): Promise<ServerTokens | undefined> => {
    if (isRefused || seen === undefined || seen.until <= seconds()) {
      seen = { kept: await store.read(serverUrl), until: seconds() + READ_SECONDS };
    }
    return seen.kept;
  };

  const ask = async (refused: boolean): Promise<string | undefined> => {
    const kept = await read(refused);
    const token = kept?.tokens?.access_token;
    if (kept === undefined || token === undefined) return undefined;
    const isOutdated = refused
      ? token === given && seconds() - renewedAt > FRESH_SECONDS
      : isEnding(kept, seconds());
    if (!isOutdated) return (given = token);
    if (kept.tokens?.refresh_token === undefined) {
      return refused || isOver(kept, seconds()) ? undefined : (given = token);
    }
    renewing ??= renew(token).finally(() => {
      renewing = undefined;
    });
    try {
      return (given = await renewing);
    } catch {
      // Nobody answered, or there was nothing to ask with; a token that still holds is better than none.
      return refused || isOver(kept, seconds()) ? undefined : (given = token);
    }
  };

  return ({ refused = false } = {}) => {
    const time = seconds();
    if (refused || seen === undefined || seen.until <= time) return ask(refused);
    const { kept } = seen;
    if (kept !== undefined && isEnding(kept, time)) return ask(false);
    const token = kept?.tokens?.access_token;
    return token === undefined ? undefined : (given = token);
  };
}

async function refreshed(
  before: ServerTokens,
  fetchFn: FetchLike,
  now: () => Date,
): Promise<ServerTokens> {
  const { client, tokens, authorizationServer, resource } = before;
  const refreshToken = tokens?.refresh_token;
  if (client === undefined || refreshToken === undefined || authorizationServer === undefined) {
    throw new Error('there is nothing to renew the token with');
  }
  // Most gates never renew a token, and all of the SDK's client comes with it.
  const sdk = await import('@modelcontextprotocol/client');
  const metadata = await sdk.discoverAuthorizationServerMetadata(authorizationServer, { fetchFn });
  const issuer = metadata?.issuer ?? authorizationServer;
  // A refresh token goes to nobody but who issued it.
  if (tokens?.issuer !== undefined && tokens.issuer !== issuer) return withoutTokens(before);
  let renewed: StoredOAuthTokens;
  try {
    renewed = await sdk.refreshAuthorization(authorizationServer, {
      ...(metadata !== undefined && { metadata }),
      clientInformation: client,
      refreshToken,
      ...(resource !== undefined && { resource }),
      fetchFn,
    });
  } catch (error) {
    const isFinal = error instanceof sdk.OAuthError && FINAL.includes(error.code);
    if (isFinal) return withoutTokens(before);
    throw error;
  }
  const rest = withoutTokens(before);
  const scope = renewed.scope ?? tokens?.scope;
  const kept = { ...renewed, issuer, ...(scope !== undefined && { scope }) };
  return { ...rest, ...toServerTokens(kept, now()) };
}

const FINAL: readonly string[] = ['invalid_grant', 'invalid_client', 'unauthorized_client'];

function withoutTokens(before: ServerTokens): ServerTokens {
  const { tokens: _tokens, expiresAt: _end, ...rest } = before;
  return rest;
}

/** Short-lived tokens are renewed in the last quarter of their life, not at once. */
function isEnding({ tokens, expiresAt }: ServerTokens, now: number): boolean {
  if (expiresAt === undefined) return false;
  const life = tokens?.expires_in ?? EARLY_SECONDS * 4;
  return now >= expiresAt - Math.min(EARLY_SECONDS, life / 4);
}

function isOver({ expiresAt }: ServerTokens, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}
