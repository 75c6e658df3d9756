/** What every gate of one process shares, and what is the gate's own for one server. */
import type { KeyObject } from 'node:crypto';
import type { Mode } from '../effect/effect.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { Approval } from './approvals/approval.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { Policy, RetryChoice } from './policy/policy.ts';
import type { Breaker, RetryBudget } from './call/breaker.ts';
import type { Budgets } from './call/budgets.ts';
import type { ReadCache } from './call/read-cache.ts';
import type { Recorder } from '../ledger/receipts/recorder.ts';
import type { AskChannel } from './policy/verdict.ts';
import type { ServerSight } from './tools/server-sight.ts';
import type { Judge } from './tools/tool-book.ts';

export interface GateServices {
  readonly ledger: OpenLedger;
  /** The one that holds now; a call that was sent keeps the one that it was decided by. */
  readonly policy: Policy;
  readonly usePolicy: (policy: Policy) => void;
  readonly approvals: Approvals;
  readonly budgets: Budgets;
  readonly cache: ReadCache;
  /** Seals what clients carry back to us. */
  readonly sealKey: KeyObject;
  /** Where a person sees a question in a browser, if there is such a place. */
  readonly approvalUrl?: (id: string) => string | undefined;
  /** How another process names the ledger, where it is not the default one. */
  readonly ledgerHint?: string;
  /**
   * Puts an open question before people, by the channels that the verdict allows and no others. May be
   * called again for the same question: each channel is used once.
   */
  readonly announce: (approval: Approval, channels: readonly AskChannel[]) => void;
  readonly recorder: Recorder;
  readonly now: () => number;
  readonly random: () => number;
  readonly report: (message: string, cause?: unknown) => void;
}

export interface GatedServer {
  readonly name: string;
  /** Distinguishes what is behind the name: a keyed digest of its address. Empty where that is not known. */
  readonly address: string;
  /** The operator's word, never the server's. */
  readonly trusted: boolean;
  readonly mode: Mode;
  readonly retries: RetryChoice;
  readonly judge: Judge;
  readonly breaker: Breaker;
  readonly retryBudget: RetryBudget;
  readonly sight: ServerSight;
}

export interface GateContext {
  readonly server: GatedServer;
  readonly services: GateServices;
}

/** For one decision, whatever policy comes after. */
export function withFixedPolicy({ server, services }: GateContext): GateContext {
  return { server, services: { ...services, policy: services.policy } };
}
