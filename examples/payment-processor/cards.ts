/** The sandbox processor's test cards: what each does to a charge, and to a refund of it. */

export interface CardBehaviour {
  readonly charge:
    | 'charge'
    | 'decline'
    | 'charge-slowly'
    /** Charges and cuts the line before the answer. */
    | 'charge-then-reset'
    | 'fail-before'
    /** Charges and then answers 500. */
    | 'charge-then-fail';
  /** Why a charge is declined. */
  readonly reason?: string;
  /** The bank accepts no refund. */
  readonly refusesRefunds?: boolean;
}

const charges = { charge: 'charge' } as const;
const declines = (reason: string) => ({ charge: 'decline', reason }) as const;

export const CARDS: Readonly<Record<string, CardBehaviour>> = Object.freeze({
  card_ok: charges,
  card_visa: charges,
  card_mastercard: charges,
  card_amex: charges,
  card_discover: charges,
  card_declined: declines('card_declined'),
  card_visa_declined: declines('card_declined'),
  card_mastercard_declined: declines('card_declined'),
  card_cvv_mismatch: declines('card_declined'),
  card_insufficient_funds: declines('insufficient_funds'),
  card_expired: declines('expired_card'),
  card_slow: { charge: 'charge-slowly' },
  card_reset_after: { charge: 'charge-then-reset' },
  card_500_before: { charge: 'fail-before' },
  card_processing_error: { charge: 'fail-before' },
  card_500_after: { charge: 'charge-then-fail' },
  card_no_refunds: { charge: 'charge', refusesRefunds: true },
});
