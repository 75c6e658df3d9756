/** A top-up as operations see it: paid, or the problem that says what to do. */
import { NotSentError, ProblemError } from 'plimsoll/server';
import type { Topup } from '../store/topups.ts';
import type { TopupRequest } from '../topup.ts';
import { topUp } from '../topup.ts';
import type { Caller, Shop } from './declare.ts';

export async function pay(
  { store, processor }: Shop,
  caller: Caller,
  request: TopupRequest,
): Promise<Topup> {
  const outcome = await topUp(store, processor, caller, request);
  switch (outcome.kind) {
    case 'paid':
      return outcome.topup;
    case 'declined': {
      const detail = `The card ${request.card} was declined (${outcome.reason}); nothing was charged.`;
      throw new ProblemError('payment-required', detail);
    }
    case 'not-charged':
      throw new NotSentError('the payment processor cannot be reached');
    case 'in-doubt':
      // The outcome is unknown: the kit keeps the key, and the same call can be retried.
      throw new Error(`the card may or may not have been charged: ${outcome.because}`);
  }
}
