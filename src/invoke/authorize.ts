/**
 * The first two stages. An invalid token ends the call; a call without a token is anonymous, which is
 * allowed. Expiry is checked again here, because a connection can outlive the token that opened it.
 */
import { missingScopes } from '../effect/operation.ts';
import type { Stage } from './flow.ts';
import { go, refuse, stop } from './flow.ts';
import { checkPrincipal } from './identity.ts';

export const authenticate: Stage = (flow, { now }) => {
  const { identity } = flow;
  switch (identity.kind) {
    case 'anonymous':
      return go(flow);
    case 'refused':
      return stop(identity.problem);
    case 'known': {
      const { principal } = identity;
      const wrong = checkPrincipal(principal, now());
      return wrong === undefined ? go({ ...flow, principal }) : stop(wrong);
    }
  }
};

/**
 * Second stage: every required scope must be held, on every transport, also by an anonymous caller.
 * Hints are not considered here.
 */
export const authorize: Stage = (flow) => {
  const { name, scopes } = flow.operation;
  const missing = missingScopes(scopes, flow.principal?.scopes ?? []);
  if (missing.length === 0) return go(flow);
  const needed = missing.join(' ');
  return flow.principal === undefined
    ? refuse('unauthenticated', `${name} requires signing in with ${needed}.`, { missing })
    : refuse('scope-missing', `${name} requires ${needed}, which the token does not grant.`, {
        missing,
      });
};
