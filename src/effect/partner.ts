/** What is known of the place where an effect happens, and how to find out afterwards. */

/**
 * - `local`: the ledger's own database, so that one transaction does both.
 * - `dedup`: whoever does it accepts our key and does it once for each.
 * - `lookup`: whoever does it can be asked afterwards by our key.
 * - `opaque`: neither.
 */
export type EffectClass = 'local' | 'dedup' | 'lookup' | 'opaque';

export interface Partner {
  readonly class: EffectClass;
  /** `dedup`: how long the partner surely remembers our key. Default: 23 hours. */
  readonly keyLifetimeSeconds?: number;
  /** `lookup`: after this long, what was not done will not be done. Default: 15 minutes. */
  readonly settleSeconds?: number;
  /** Asked about a call whose outcome is unknown. */
  readonly reconcile?: (lost: LostCall) => Promise<Discovery>;
}

/** A call of which only this much is kept. */
export interface LostCall {
  readonly operation: string;
  readonly tenant: string;
  readonly principal: string;
  /** What the partner was given. */
  readonly key: string;
  readonly dispatchedAt: Date;
}

export type Discovery =
  /** It happened; `value` is what the call should have answered. */
  | { readonly kind: 'executed'; readonly value: unknown }
  /** The partner does not know it (yet). */
  | { readonly kind: 'not-found' }
  /** It did not happen, and the partner has promised that it will not. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'cannot-tell' };

export const OPAQUE: Partner = Object.freeze({ class: 'opaque' });
