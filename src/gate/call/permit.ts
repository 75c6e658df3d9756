/** A permit: why a call may run, and under which terms; and what admission took for it. */
import type { Admission } from '../../ledger/idempotency/key-records.ts';
import type { Terms } from '../policy/verdict.ts';
import type { Draw } from './budgets.ts';

export interface Permit {
  readonly rule: string;
  readonly terms: Terms;
  readonly basis: PermitBasis;
  /** Who said yes, where a person did. */
  readonly approver?: string;
  /** What goes to the server, where that is not the frame as it came. */
  readonly bytes?: Uint8Array;
}

export type PermitBasis =
  | { readonly kind: 'policy' }
  | { readonly kind: 'approval'; readonly id: string }
  | { readonly kind: 'grant'; readonly id: string }
  | { readonly kind: 'continuation'; readonly id: string; readonly continuation: string };

/** To be settled or given back at the end. */
export interface Held {
  readonly draws: readonly Draw[];
  readonly key?: Extract<Admission, { readonly kind: 'held' }>;
}
