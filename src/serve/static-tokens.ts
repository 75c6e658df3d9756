/**
 * A verifier for development, with a fixed list of tokens, compared by digest in constant time. For
 * production, pass `authenticate` a verifier of your authorization server.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../effect/operation.ts';
import type { Authenticate } from '../invoke/identity.ts';

export interface StaticToken {
  readonly token: string;
  readonly principal: Principal;
}

export function staticTokens(tokens: readonly StaticToken[]): Authenticate {
  const known = tokens.map(({ token, principal }) => ({ digest: digest(token), principal }));
  return (token) => {
    const given = digest(token);
    // Every entry is compared, so that the time taken does not reveal which one came close.
    return known.filter((entry) => timingSafeEqual(entry.digest, given)).at(0)?.principal;
  };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
