/**
 * What travels through the pipeline: one call, gaining facts stage by stage. A stage either passes
 * it on or stops it with an outcome.
 */
import type { ServerContext } from '@modelcontextprotocol/server';
import { worstEffect } from '../effect/combine-effects.ts';
import type { Effect } from '../effect/effect.ts';
import type { Call, Operation, Principal } from '../effect/operation.ts';
import type { KeyRecordEnd, Settlement } from '../ledger/idempotency/key-records.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Via } from '../ledger/receipt.ts';
import type { Recorder } from '../ledger/receipts/recorder.ts';
import type { Tx } from '../ledger/store.ts';
import type { ProblemCode } from '../lib/problem-kind.ts';
import type { Problem, ProblemFields } from '../lib/problem.ts';
import { toProblem } from '../lib/problem.ts';
import type { Identity } from './identity.ts';
import type { Outcome } from './outcome.ts';

/** A call as a transport received it. */
export interface CallRequest {
  readonly operation: Operation;
  readonly args: unknown;
  readonly identity: Identity;
  readonly via: Via;
  readonly signal: AbortSignal;
  readonly progress: Call['progress'];
  readonly mcp?: ServerContext;
  /** The transport that brought it in, as far as it may close while the call runs. */
  readonly stopping?: Stopping;
  /** Why the request cannot be served as it is, where its transport found that out. */
  readonly refusal?: Problem;
  /** Idempotency keys outside the arguments: from the header, from `_meta`. Untrusted. */
  readonly keys?: readonly unknown[];
}

/** How calls learn that their transport closes. */
export interface Stopping {
  /** No call begins any more. */
  readonly isStopping: boolean;
  /** The time that running calls were given is over. */
  readonly isCutOff: boolean;
  /** Calls back once, when the time that running calls were given is over; returns how to unsubscribe. */
  onCutOff(cut: () => void): () => void;
}

export interface Flow extends CallRequest {
  readonly principal?: Principal;
  /** The arguments as parsed by the input schema. */
  readonly input?: unknown;
  /** The effect of this call, once its input is known: what is reserved, run and recorded. */
  readonly effect?: Effect;
  /** The key record of the idempotency key, once it is ours. */
  readonly keyRecord?: TakenKey;
  readonly transaction?: Tx;
  /** The operation has been started. */
  readonly hasRun?: boolean;
  /** What stopping has made of the call: it was not run or has been undone, or it may have happened. */
  readonly stopped?: 'abandoned' | 'unknown';
  /** What `run` returned. */
  readonly answer?: unknown;
  /** Money that the operation says it has moved. */
  readonly moved?: MovedMoney;
  /** Secrets that this call has minted or revealed; none of them may be stored. */
  readonly secrets?: readonly string[];
}

/** Filled while the operation runs. */
export interface MovedMoney {
  total?: { readonly amount: number; readonly unit: string };
}

interface TakenKey extends Pick<Settlement, 'held' | 'rules'> {
  /** Made from the arguments: the caller has no other key for the same content. */
  readonly isDerived: boolean;
}

/** What stages need from outside; tests pass their own clock. */
export interface Services {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly ledger?: Ledger;
  readonly recorder: Recorder;
  /** How long a call that may have changed something waits for its record. Default: 5 seconds. */
  readonly recordPatienceMs?: number;
  /** Receives causes that callers must not see. */
  readonly report: (message: string, cause: unknown) => void;
}

export type Step = { readonly kind: 'go'; readonly flow: Flow } | Stop;

export interface Stop {
  readonly kind: 'stop';
  readonly outcome: Outcome;
  /** What happens to the key record, if there is one; by default it is released. */
  readonly keyRecordEnds?: KeyRecordEnd;
  /** The flow as far as this stage got, where that matters for the record. */
  readonly flow?: Flow;
}

export type Stage = (flow: Flow, services: Services) => Step | Promise<Step>;

/** Refused before its arguments were accepted, a call might have had any of the effects. */
export function effectOf({ operation, effect }: Flow): Effect {
  return effect ?? worstEffect(operation.effect);
}

export function go(flow: Flow): Step {
  return { kind: 'go', flow };
}

export function stop(problem: Problem, keyRecordEnds?: KeyRecordEnd): Stop {
  const outcome = { kind: 'failure', problem } as const;
  return { kind: 'stop', outcome, ...(keyRecordEnds !== undefined && { keyRecordEnds }) };
}

export function refuse(code: ProblemCode, detail: string, fields?: ProblemFields): Stop {
  return stop(toProblem(code, detail, fields));
}
