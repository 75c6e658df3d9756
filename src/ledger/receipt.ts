/** A receipt: what one call was and how it ended. Holds no arguments and no results. */
import type { Act } from '../effect/act.ts';
import type { Reach } from '../effect/effect.ts';
import type { Tier } from '../effect/tier.ts';
import type { ProblemCode } from '../lib/problem-catalog.ts';

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
  /** The call left what its server or caller owns. */
  readonly openWorld: boolean;
  readonly via: Via;
  readonly principal?: string;
  readonly tenant?: string;
  /**
   * Whether the operation ran, was refused before it ran, or answered from an earlier run; whether a
   * person was asked about it, and what they said.
   */
  readonly decision: 'ran' | 'refused' | 'replayed' | 'asked' | 'approved' | 'declined';
  readonly outcome: 'success' | 'input-required' | ProblemCode;
  readonly milliseconds: number;
  /** The key record of the idempotency key, where there is one. */
  readonly keyRecord?: string;
  /** The server behind the gate that the call went to, and the rule that decided about it. */
  readonly server?: string;
  readonly rule?: string;
  readonly approval?: string;
  /** How often it was sent, where that was not once. */
  readonly attempts?: number;
}

/** How a call came in. */
export type Via =
  | 'mcp-stdio'
  | 'mcp-http'
  | 'http'
  | 'in-process'
  | 'console'
  | 'terminal'
  | 'webhook';
