/**
 * How the operations are defined: each gets a caller of one account who is within the rate limits, and a way to
 * do its change once for each key, so that no operation can forget either.
 */
import { randomUUID } from 'node:crypto';
import type {
  Call,
  InferInput,
  InferOutput,
  Operation,
  OperationInit,
  Partner,
  Schema,
} from 'plimsoll/server';
import { defineOperation } from 'plimsoll/server';
import { RESTRICTED } from '../authenticate.ts';
import type { Till } from '../charging.ts';
import type { Postman } from '../deliver.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { refuse } from '../refusals.ts';
import type { Account } from '../store.ts';
import type { Transaction } from '../store/payment-rows.ts';

export interface Shop extends Till, Postman {
  readonly limiter: RateLimiter;
}

export interface Caller {
  readonly account: string;
  readonly environment: Account['environment'];
  readonly at: Date;
  /** The same for every retry of one call; without one, every call is a new intention. */
  readonly key: string;
  /** Notes a charge or a refund that went through, for the receipt of the call. */
  settled(transaction: Transaction | undefined): void;
  /** Does the work in one transaction, once for the key. */
  once<T>(work: () => T): T;
}

export interface BillingOperation<Input extends Schema, Output extends Schema> extends Omit<
  OperationInit<Input, Output>,
  'run' | 'partner' | 'states'
> {
  readonly states?: (input: InferOutput<Input>, account: string) => readonly string[];
  readonly run: (input: InferOutput<Input>, caller: Caller) => object | Promise<object>;
}

/** The store and the processor keep every key for ever, so that an interrupted call can be sent again at any time. */
const KEPT: Partner = Object.freeze({ class: 'dedup', keyLifetimeSeconds: 10 * 365 * 86_400 });

export function declare<Input extends Schema, Output extends Schema>(
  shop: Shop,
  { run, states, ...init }: BillingOperation<Input, Output>,
): Operation {
  return defineOperation<Input, Output>({
    ...init,
    ...(init.effect.repeat.kind === 'key' && { partner: KEPT }),
    ...(states !== undefined && {
      states: (input, principal) => states(input, principal?.tenant ?? ''),
    }),
    // The kit checks what is returned against the output schema.
    run: async (input, call): Promise<InferInput<Output>> => run(input, admit(shop, input, call)),
  });
}

function admit({ store, limiter, now }: Shop, input: unknown, call: Call): Caller {
  const { id = '', tenant = '', scopes = [] } = call.principal ?? {};
  if (call.principal === undefined) refuse('missing_api_key', 'Send an API key.');
  if (scopes.includes(RESTRICTED)) {
    refuse('insufficient_permissions', 'Restricted keys cannot be used with these tools.');
  }
  const account = store.account(tenant);
  if (account === undefined) {
    return refuse('insufficient_permissions', 'The key belongs to no account of this merchant.');
  }
  const at = now();
  const own = `${tenant} ${id}`;
  const over = limiter.take({ route: own, data: own, global: account.merchant_id }, at);
  if (over !== undefined) {
    const { bucket, retryAfter } = over;
    const code = bucket.name === 'global' ? 'global_rate_limit_exceeded' : 'rate_limit_exceeded';
    const detail = `${bucket.most} calls in ${bucket.perMs / 1000} s are allowed (${bucket.name}).`;
    refuse(code, detail, { retryAfter });
  }
  const key = call.key ?? randomUUID();
  return {
    account: account.id,
    environment: account.environment,
    at,
    key,
    settled: (transaction) => {
      if (transaction?.status !== 'succeeded') return;
      call.moved(transaction.amount, `${transaction.currency.toUpperCase()} cents`);
    },
    once: (work) => {
      const done = store.once(account.id, key, input, at, work);
      if (done.kind === 'done') return done.result;
      return refuse('idempotency_key_conflict', 'The key was used for another call.');
    },
  };
}
