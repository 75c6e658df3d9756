/**
 * Between input and key: where the effect depends on what is stored, asks the operation which of its
 * states hold. It never refuses: a repeat under its key gets the stored answer, whatever has become of
 * the state since. What cannot be found out leaves the call with the worst of its effects.
 */
import { narrowParsed } from '../effect/narrow-effect.ts';
import type { Stage } from './flow.ts';
import { go } from './flow.ts';

export const readStates: Stage = async (flow, { report }) => {
  const { operation, input, principal } = flow;
  if (operation.states === undefined) return go(flow);
  const args = (flow.args ?? {}) as Readonly<Record<string, unknown>>; // checked by the input stage
  try {
    // The input stage has just parsed this value with the operation's own schema.
    const held = await operation.states(input as never, principal);
    const states = new Set(held as readonly string[]); // by the type that `defineOperation` requires
    const { effect, inputSchema } = operation;
    return go({ ...flow, effect: narrowParsed(effect, { input, args, inputSchema, states }) });
  } catch (error) {
    report(`${operation.name}: the stored state could not be read`, error);
    return go(flow);
  }
};
