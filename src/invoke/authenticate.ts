/** First stage: a bad or outlived token ends the call; no token is nobody, and that is allowed. */
import type { Stage } from './flow.ts';
import { go, refuse } from './flow.ts';

export const authenticate: Stage = (flow, { now }) => {
  const { identity } = flow;
  switch (identity.kind) {
    case 'anonymous':
      return go(flow);
    case 'refused':
      return { kind: 'stop', outcome: { kind: 'failure', problem: identity.problem } };
    case 'known': {
      const { principal } = identity;
      const seconds = now().getTime() / 1000;
      if (principal.expiresAt !== undefined && principal.expiresAt <= seconds) {
        return refuse('token-expired', 'The token is past its expiry.');
      }
      return go({ ...flow, principal });
    }
  }
};
