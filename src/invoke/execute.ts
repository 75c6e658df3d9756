/** Fifth stage: runs the operation. What it throws becomes a problem; causes stay in our log. */
import type { Call } from '../effect/operation.ts';
import { ProblemError } from '../lib/problem.ts';
import type { Stage } from './flow.ts';
import { go, refuse } from './flow.ts';

export const execute: Stage = async (flow, services) => {
  const { operation, principal, signal, progress, mcp } = flow;
  if (signal.aborted) return refuse('cancelled', 'The caller left before the work began.');
  const call: Call = {
    signal,
    progress,
    ...(principal !== undefined && { principal }),
    ...(mcp !== undefined && { mcp }),
  };
  try {
    // The input stage has just made this value from the operation's own schema.
    const answer = await operation.run(flow.input as never, call);
    return go({ ...flow, answer });
  } catch (error) {
    if (error instanceof ProblemError) {
      return { kind: 'stop', outcome: { kind: 'failure', problem: error.problem } };
    }
    if (signal.aborted) return refuse('cancelled', 'The caller left while the work went on.');
    const reference = services.newId();
    services.report(`${operation.name} failed, reference ${reference}`, error);
    return refuse('internal-error', `${operation.name} failed.`, { reference });
  }
};
