/** The sandbox processor's test cards: what each does to a charge. */

export type CardBehaviour =
  | 'charge'
  | 'decline'
  | 'charge-slowly'
  /** Charges and cuts the line before the answer. */
  | 'charge-then-reset'
  | 'fail-before'
  /** Charges and then answers 500. */
  | 'charge-then-fail';

export const CARDS: Readonly<Record<string, CardBehaviour>> = Object.freeze({
  card_ok: 'charge',
  card_declined: 'decline',
  card_slow: 'charge-slowly',
  card_reset_after: 'charge-then-reset',
  card_500_before: 'fail-before',
  card_500_after: 'charge-then-fail',
});
