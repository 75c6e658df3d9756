/** Why a call may run: a rule, a yes, or a grant, and under which terms. */
import type { Terms } from './decide/verdict.ts';

export interface Leave {
  readonly rule: string;
  readonly terms: Terms;
  readonly by: LeaveBy;
  /** What the call will cost in whole units, as far as its estimate told. */
  readonly money?: number;
  /** What goes to the server, where that is not the frame as it came. */
  readonly bytes?: Uint8Array;
}

export type LeaveBy =
  | { readonly kind: 'policy' }
  | { readonly kind: 'approval'; readonly id: string }
  | { readonly kind: 'grant'; readonly id: string }
  | { readonly kind: 'continuation'; readonly id: string; readonly continuation: string };
