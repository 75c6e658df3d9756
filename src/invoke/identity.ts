/**
 * Who calls, before anything else is known: nobody, somebody, or somebody whose token is bad.
 * Bearer tokens are judged by the server's verifier; this module only asks it.
 */
import type { Principal } from '../effect/operation.ts';
import type { ProblemCode } from '../lib/problem-catalog.ts';
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
): Promise<Identity> {
  if (token === undefined) return ANONYMOUS;
  if (authenticate === undefined) return refuse('token-rejected', 'This server takes no tokens.');
  let principal: Principal | undefined;
  try {
    principal = await authenticate(token);
  } catch {
    // A verifier that cannot answer has not said yes.
    return refuse('unavailable', 'The token could not be checked.');
  }
  if (principal === undefined) return refuse('token-rejected', 'Nobody holds this token.');
  return { kind: 'known', principal };
}

function refuse(code: ProblemCode, detail: string): Identity {
  return { kind: 'refused', problem: toProblem(code, detail) };
}
