/**
 * Second stage: every required scope must be held, on every transport, also where nobody signed in.
 * Hints play no part here.
 */
import { missingScopes } from '../effect/scope.ts';
import type { Stage } from './flow.ts';
import { go, refuse } from './flow.ts';

export const authorize: Stage = (flow) => {
  const { name, scopes } = flow.operation;
  const missing = missingScopes(scopes, flow.principal?.scopes ?? []);
  if (missing.length === 0) return go(flow);
  const needed = missing.join(' ');
  return flow.principal === undefined
    ? refuse('unauthenticated', `${name} needs a sign-in with ${needed}.`, { missing })
    : refuse('scope-missing', `${name} needs ${needed}, which the token does not hold.`, {
        missing,
      });
};
