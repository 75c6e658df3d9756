/**
 * Who calls, before anything else is known: nobody, somebody, or somebody whose token is bad.
 * Bearer tokens are judged by the server's verifier; this module only asks it.
 */
import type { Principal } from '../effect/operation.ts';
import type { Problem } from '../lib/problem.ts';
import { toProblem } from '../lib/problem.ts';

export type Identity =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'known'; readonly principal: Principal }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Tells whose token this is, or `undefined` when it is nobody's. */
export type Authenticate = (
  token: string,
) => Principal | undefined | Promise<Principal | undefined>;

export const ANONYMOUS: Identity = Object.freeze({ kind: 'anonymous' });

export async function identify(
  token: string | undefined,
  authenticate: Authenticate | undefined,
  now: Date,
): Promise<Identity> {
  if (token === undefined) return ANONYMOUS;
  if (authenticate === undefined) {
    return refuse(toProblem('token-rejected', 'This server takes no tokens.'));
  }
  let principal: Principal | undefined;
  try {
    principal = await authenticate(token);
  } catch {
    // A verifier that cannot answer has not said yes.
    return refuse(toProblem('unavailable', 'The token could not be checked.'));
  }
  if (principal === undefined) {
    return refuse(toProblem('token-rejected', 'Nobody holds this token.'));
  }
  const expired = checkExpiry(principal, now);
  return expired === undefined ? { kind: 'known', principal } : refuse(expired);
}

export function checkExpiry({ expiresAt }: Principal, now: Date): Problem | undefined {
  if (expiresAt === undefined || expiresAt > now.getTime() / 1000) return undefined;
  return toProblem('token-expired', 'The token is past its expiry.');
}

function refuse(problem: Problem): Identity {
  return { kind: 'refused', problem };
}
