/**
 * First stage: a bad token ends the call; no token is nobody, and that is allowed. Expiry is looked
 * at here once more, because a connection can outlive the token that opened it.
 */
import type { Problem } from '../lib/problem.ts';
import type { Stage, Step } from './flow.ts';
import { go } from './flow.ts';
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

function stop(problem: Problem): Step {
  return { kind: 'stop', outcome: { kind: 'failure', problem } };
}
