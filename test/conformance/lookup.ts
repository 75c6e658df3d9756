/** What most tools of the suite are: no arguments, and no effect unless they say so. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Call, Effect, Operation } from 'plimsoll/server';
import { computes, defineOperation, ProblemError, reads } from 'plimsoll/server';
import { z } from 'zod';

export interface Lookup {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect?: Effect;
  readonly run: (call: Call) => unknown;
}

const NO_EFFECT = reads('sample', { reach: 'none', trace: 'nothing' });

/** Work of the client's model is work on its user's account. */
export const MODEL_WORK = computes('completion', { reach: 'own-account', trace: 'nothing' });

export function defineLookup({ run, effect = NO_EFFECT, ...words }: Lookup): Operation {
  const input = z.object({});
  return defineOperation({ ...words, input, effect, run: (_input, call) => run(call) });
}

/** The protocol's own context, for tools that are about the protocol and make no sense without. */
export function contextOf(call: Call): ServerContext {
  if (call.mcp !== undefined) return call.mcp;
  throw new ProblemError('conflict', 'This tool talks to an MCP client, and there is none.');
}
