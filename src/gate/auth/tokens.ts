/** The tokens of the configuration: known by their digests only, compared in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Authenticate } from '../../invoke/identity.ts';
import type { Environment } from '../config/environment.ts';
import type { TokenConfig } from '../config/gate-config.ts';

/** Throws when a variable is not set: no token is not the empty token. */
export function configuredTokens(
  tokens: readonly TokenConfig[],
  environment: Environment,
): Authenticate {
  const known = tokens.map((token) => ({
    digest: digestOf(token, environment),
    principal: token.principal,
  }));
  return (token) => {
    const given = sha256(token);
    // Every entry is compared, so that the time taken does not tell which one came close.
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
