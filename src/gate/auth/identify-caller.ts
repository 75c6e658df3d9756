/** Whose bearer token it is, by whichever way the configuration knows callers. */
import type { Authenticate } from '../../invoke/identity.ts';
import type { Environment } from '../config/environment.ts';
import type { HttpConfig } from '../config/gate-config.ts';
import type { JwtOptions } from './jwt-verifier.ts';
import { jwtVerifier } from './jwt-verifier.ts';
import { configuredTokens } from './tokens.ts';

const JWT_FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** `undefined` when the configuration names no way to know anybody. */
export function identifyCaller(
  { tokens, jwt }: Pick<HttpConfig, 'tokens' | 'jwt'>,
  environment: Environment,
  options: Pick<JwtOptions, 'fetch' | 'timeoutMs' | 'now'> = {},
): Authenticate | undefined {
  const byToken = tokens.length === 0 ? undefined : configuredTokens(tokens, environment);
  if (jwt === undefined) return byToken;
  const byJwt = jwtVerifier({ ...jwt, ...options });
  return (token) => {
    if (isJwt(token)) return byJwt(token);
    return byToken?.(token);
  };
}

/** Three parts, the first of which says how the third was made. */
function isJwt(token: string): boolean {
  if (!JWT_FORM.test(token)) return false;
  try {
    const header: unknown = JSON.parse(
      Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString(),
    );
    return typeof header === 'object' && header !== null && 'alg' in header;
  } catch {
    return false;
  }
}
