/** EPD's error codes as problems: which problem each one is, and the code itself in front of the detail. */
import type { ProblemFields } from 'plimsoll/server';
import { ProblemError } from 'plimsoll/server';

const PROBLEM_OF = {
  missing_api_key: 'unauthenticated',
  insufficient_permissions: 'forbidden',
  validation_error: 'invalid-input',
  invalid_value: 'invalid-input',
  invalid_vault_id: 'invalid-input',
  resource_not_found: 'not-found',
  invalid_state: 'conflict',
  invalid_state_transition: 'conflict',
  subscription_not_modifiable: 'conflict',
  customer_has_active_subscriptions: 'conflict',
  product_in_active_plans: 'conflict',
  field_locked: 'conflict',
  email_already_exists: 'conflict',
  phone_already_exists: 'conflict',
  idempotency_key_conflict: 'key-reused',
  rate_limit_exceeded: 'rate-limited',
  global_rate_limit_exceeded: 'rate-limited',
  card_declined: 'payment-required',
  insufficient_funds: 'payment-required',
  expired_card: 'payment-required',
  payment_failed: 'payment-required',
  service_unavailable: 'unavailable',
} as const;

type EpdCode = keyof typeof PROBLEM_OF;

export function refuse(code: EpdCode, detail: string, fields?: ProblemFields): never {
  throw new ProblemError(PROBLEM_OF[code], `${code}: ${detail}`, fields);
}

/** With the argument at fault. */
export function invalid(
  argument: string,
  detail: string,
  code: EpdCode = 'validation_error',
): never {
  refuse(code, detail, { errors: [{ pointer: `/${argument}`, detail }] });
}

export function found<T>(value: T | undefined, what: string, id: string): T {
  return value ?? refuse('resource_not_found', `There is no ${what} ${id}.`);
}

const DECLINES: readonly string[] = ['card_declined', 'insufficient_funds', 'expired_card'];

export function refuseRefund(reason: string): never {
  refuse('payment_failed', `Nothing was given back (${reason}). retry_order tries again.`);
}

/** A decline as a problem; what the processor calls otherwise is a failed payment. */
export function refuseDecline(reason: string, rest: string): never {
  const code = DECLINES.includes(reason) ? (reason as EpdCode) : 'payment_failed';
  refuse(code, `The card was not charged (${reason}). ${rest}`);
}
