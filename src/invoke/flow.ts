/**
 * What travels through the pipeline: one call, gaining facts stage by stage. A stage either passes
 * it on or stops it with an outcome.
 */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Answer, Call, Operation, Principal } from '../effect/operation.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Via } from '../ledger/receipt.ts';
import type { ProblemCode } from '../lib/problem-catalog.ts';
import type { ProblemFields } from '../lib/problem.ts';
import { toProblem } from '../lib/problem.ts';
import type { Identity } from './identity.ts';
import type { Outcome } from './outcome.ts';

/** A call as a transport hands it in. */
export interface CallRequest {
  readonly operation: Operation;
  readonly args: unknown;
  readonly identity: Identity;
  readonly via: Via;
  readonly signal: AbortSignal;
  readonly progress: Call['progress'];
  readonly mcp?: ServerContext;
}

export interface Flow extends CallRequest {
  readonly principal?: Principal;
  /** What the input schema made of the arguments. */
  readonly input?: unknown;
  readonly answer?: Answer<unknown>;
}

/** What stages need from outside; tests give their own clock. */
export interface Services {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly ledger?: Ledger;
  /** Where causes go that callers must not see. */
  readonly report: (message: string, cause: unknown) => void;
}

export type Step =
  | { readonly kind: 'go'; readonly flow: Flow }
  | { readonly kind: 'stop'; readonly outcome: Outcome };

export type Stage = (flow: Flow, services: Services) => Step | Promise<Step>;

export function go(flow: Flow): Step {
  return { kind: 'go', flow };
}

export function refuse(code: ProblemCode, detail: string, fields?: ProblemFields): Step {
  return { kind: 'stop', outcome: { kind: 'failure', problem: toProblem(code, detail, fields) } };
}
