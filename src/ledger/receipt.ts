/** A receipt: what one call was and how it ended. Holds no arguments and no results. */
import type { Act } from '../effect/act.ts';
import type { Reach } from '../effect/effect.ts';
import type { Tier } from '../effect/tier.ts';
import type { ProblemCode } from '../lib/problem-kind.ts';

export interface Receipt {
  readonly kind: 'receipt';
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly operation: string;
  readonly act: Act;
  /** Of the effect that these arguments had, not of the worst case. */
  readonly tier: Tier;
  readonly reach: Reach;
  /**
   * Nobody knows what the call would have done: the server lists no such tool, or the call was not read so far. Act,
   * tier and reach are what its name suggests.
   */
  readonly effect?: 'unknown';
  /** The call reached beyond what its server or caller owns. */
  readonly openWorld: boolean;
  readonly via: Via;
  readonly principal?: string;
  readonly tenant?: string;
  readonly decision: Decision;
  /** `tool-error`: the server's own answer says that it failed. */
  readonly outcome: 'success' | 'input-required' | 'unknown' | 'tool-error' | ProblemCode;
  readonly milliseconds: number;
  /** The key record of the idempotency key, where there is one. */
  readonly keyRecord?: string;
  /** The server behind the gate that the call went to, and the rule that decided about it. */
  readonly server?: string;
  readonly rule?: string;
  /** Why the call was allowed to run, where a gate decided: policy, approval, grant or continuation. */
  readonly permit?: 'policy' | 'approval' | 'grant' | 'continuation';
  /** The approval or the grant. */
  readonly approval?: string;
  readonly approver?: string;
  /** How often it was sent, where that was not once. */
  readonly attempts?: number;
  /** `cancelled`: whether it had been sent before. */
  readonly sent?: boolean;
  /** False when the caller did not get the answer. */
  readonly delivered?: boolean;
  /** What it costs, as the server's estimate told before; of a server's own receipt, what it says it has moved. */
  readonly amount?: number;
  readonly unit?: string;
  /**
   * What the record is of, where it is not a call that somebody made: the gate's own request for a
   * price or for what a call would replace, a person's answer to a question, a grant that a person
   * revoked, pins that a person accepted, or a method outside of the protocol.
   */
  readonly request?: 'estimate' | 'before' | 'answer' | 'revocation' | 'pin' | 'method';
  /** Of an answer: what was said, and a digest of what was asked and shown. */
  readonly answer?: 'approve' | 'decline';
  readonly asked?: string;
  /** Of a yes: until when it may be used, in milliseconds since 1970. */
  readonly until?: number;
  /** Of a yes that covers more than one call: the grant, and a digest of it. Of a revocation: the grant. */
  readonly grant?: string;
  readonly granted?: string;
}

/**
 * What happened to a call.
 * - `ran`: it was sent, or its operation was run. `unknown`: the same, with an unknown outcome.
 * - `refused`: it was not sent. `declined`, `expired`: nor these; a person declined, or did not answer.
 * - `cached`, `replayed`: answered from an earlier run.
 * - `waiting`: a person has not answered yet.
 * - `cancelled`: by its caller. `abandoned`: not sent, or without any effect, because the process was
 *   stopping.
 */
type Decision =
  | 'ran'
  | 'refused'
  | 'cached'
  | 'replayed'
  | 'waiting'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'abandoned'
  | 'unknown';

/** How a call, or an answer to a question, came in. */
export type Via =
  | 'mcp-stdio'
  | 'mcp-http'
  | 'http'
  | 'in-process'
  | 'elicitation'
  | 'console'
  | 'terminal'
  | 'webhook';
