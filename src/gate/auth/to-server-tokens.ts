/** Tokens as they are kept: with the moment at which they end, since they themselves only say for how long. */
import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { ServerTokens } from './token-store.ts';

export function toServerTokens(
  tokens: StoredOAuthTokens,
  now: Date,
): Pick<ServerTokens, 'tokens' | 'expiresAt'> {
  if (tokens.token_type.toLowerCase() !== 'bearer') {
    throw new Error('the authorization server gave a token that is not a bearer token');
  }
  const { expires_in: seconds } = tokens;
  const expiresAt = seconds === undefined ? undefined : Math.floor(now.getTime() / 1000) + seconds;
  return { tokens, ...(expiresAt !== undefined && { expiresAt }) };
}
