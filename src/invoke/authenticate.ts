/**
 * First stage: a bad token ends the call; no token is nobody, and that is allowed. Expiry is looked
 * at here once more, because a connection can outlive the token that opened it.
 */
import type { Stage } from './flow.ts';
import { go, stop } from './flow.ts';
import { checkExpiry } from './identity.ts';

export const authenticate: Stage = (flow, { now }) => {
  const { identity } = flow;
  switch (identity.kind) {
    case 'anonymous':
      return go(flow);
    case 'refused':
      return stop(identity.problem);
    case 'known': {
      const { principal } = identity;
      const expired = checkExpiry(principal, now());
      return expired === undefined ? go({ ...flow, principal }) : stop(expired);
    }
  }
};
