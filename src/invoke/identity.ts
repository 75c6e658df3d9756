/**
 * Who calls, before anything else is known: an anonymous caller, a known principal, or a caller whose
 * token is invalid. The server's verifier judges bearer tokens; this module only calls it.
 */
import type { Principal } from '../effect/operation.ts';
import type { Problem } from '../lib/problem.ts';
import { toProblem } from '../lib/problem.ts';
import { isStorable } from '../lib/storable-text.ts';

export type Identity =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'known'; readonly principal: Principal }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Resolves a token to its principal, or to `undefined` when it is not known. */
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
    return refuse(
      toProblem('token-rejected', 'This server does not accept tokens.', {
        remedy: 'Send the request without a token.',
      }),
    );
  }
  let principal: Principal | null | undefined;
  try {
    principal = await authenticate(token);
  } catch {
    // A verifier that fails has not accepted the token.
    return refuse(toProblem('unavailable', 'The token could not be checked.'));
  }
  // Where it is written without types, nobody is often null.
  if (principal === undefined || principal === null) {
    return refuse(toProblem('token-rejected', 'The token is not known.'));
  }
  const wrong = checkPrincipal(principal, now);
  return wrong === undefined ? { kind: 'known', principal } : refuse(wrong);
}

/** Why nobody may call as this principal now. */
export function checkPrincipal(principal: Principal, now: Date): Problem | undefined {
  const { id, tenant = '', expiresAt }: Untyped = principal;
  // Two that cannot be told apart in the ledger would share keys, or leave no receipt.
  if (!isName(id) || !isName(tenant)) {
    return toProblem('token-rejected', 'The name of the principal cannot be recorded.', {
      remedy: 'Ask whoever issues the tokens for a principal with a plain name.',
    });
  }
  // In milliseconds it would be far in the future.
  if (expiresAt !== undefined && !isSeconds(expiresAt)) {
    return toProblem('token-rejected', 'The end of the token is not a number of seconds.', {
      remedy: 'Ask the operator of the server: expiresAt of a principal is in seconds since 1970.',
    });
  }
  if (expiresAt === undefined || expiresAt > now.getTime() / 1000) return undefined;
  return toProblem('token-expired', 'The token has expired.');
}

/** The function that tells who calls may be written without types. */
interface Untyped {
  readonly id: unknown;
  readonly tenant?: unknown;
  readonly expiresAt?: unknown;
}

/** Milliseconds of this age; what is greater stands for never. */
const MILLISECONDS = { from: 1e12, to: 1e14 } as const;

function isSeconds(value: unknown): value is number {
  if (typeof value !== 'number' || Number.isNaN(value)) return false;
  return value < MILLISECONDS.from || value >= MILLISECONDS.to;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value);
}

function refuse(problem: Problem): Identity {
  return { kind: 'refused', problem };
}
