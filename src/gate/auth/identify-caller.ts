/**
 * Whose bearer token it is: one of the configuration, known by its digest only and compared in constant
 * time, or a JWT.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Authenticate } from '../../invoke/identity.ts';
import type { Environment } from '../config/environment.ts';
import type { HttpConfig, TokenConfig } from '../config/gate-config.ts';
import type { JwtOptions } from './jwt-verifier.ts';
import { jwtVerifier } from './jwt-verifier.ts';

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

/** Throws when a variable is not set: no token is not the empty token. */
function configuredTokens(tokens: readonly TokenConfig[], environment: Environment): Authenticate {
  const known = tokens.map((token) => ({
    digest: digestOf(token, environment),
    principal: token.principal,
  }));
  return (token) => {
    const given = sha256(token);
    // Every entry is compared, so that the time taken does not reveal which one was close.
    return known.filter(({ digest }) => timingSafeEqual(digest, given)).at(0)?.principal;
  };
}

function digestOf(token: TokenConfig, environment: Environment): Buffer {
  if (token.kind === 'digest') return Buffer.from(token.sha256, 'hex');
  const text = environment[token.variable] ?? '';
  if (text === '') throw new Error(`the environment variable ${token.variable} is not set`);
  return sha256(text);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
