/** Where an effect happens, and how to find out afterwards whether it did. */

/**
 * - `local`: the ledger's own database, so that one transaction does both.
 * - `dedup`: the partner accepts our key and acts once per key.
 * - `lookup`: the partner can be queried afterwards by our key.
 * - `opaque`: neither.
 */
export type EffectClass = 'local' | 'dedup' | 'lookup' | 'opaque';

export interface Partner {
  readonly class: EffectClass;
  /** `dedup`: how long the partner is guaranteed to remember our key. Default: 23 hours. */
  readonly keyLifetimeSeconds?: number;
  /** `lookup`: after this long, what has not happened will not happen. Default: 15 minutes. */
  readonly settleSeconds?: number;
  /** Called for a call whose outcome is unknown. */
  readonly reconcile?: (lost: LostCall) => Promise<Discovery>;
}

/** What is stored of a call whose outcome is unknown. */
export interface LostCall {
  readonly operation: string;
  readonly tenant: string;
  readonly principal: string;
  /** What was sent to the partner. */
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
