/**
 * How the shop's operations are defined: each gets a caller who belongs to an organisation and is
 * within its rate limit, so that no operation can forget to check.
 */
import type {
  Call,
  Effect,
  InferInput,
  InferOutput,
  Operation,
  OperationInit,
  Schema,
  SecretIssuer,
} from 'plimsoll/server';
import { defineOperation, ProblemError } from 'plimsoll/server';
import { KEPT_BY_STORE, keyOf, secretsOf } from '../kit-extras.ts';
import type { ProcessorClient } from '../../payment-processor/processor-client.ts';
import type { RateLimiter, RateRule } from '../rate-limit.ts';
import { RATE_RULES } from '../rate-limit.ts';
import type { Acting } from '../store/acting.ts';
import type { Store } from '../store.ts';

export interface Shop {
  readonly store: Store;
  readonly processor: ProcessorClient;
  readonly limiter: RateLimiter;
  readonly now: () => Date;
  /** Where share links and exported files are fetched, without a trailing slash. */
  readonly web: () => Promise<string>;
  /** Signs addresses that expire. */
  readonly signingKey: Buffer;
}

export interface Caller extends Acting {
  readonly scopes: readonly string[];
  /** The same for every retry of one call. */
  readonly key: string;
  readonly secrets: () => SecretIssuer;
}

export interface ShopOperation<Input extends Schema, Output extends Schema> extends Omit<
  OperationInit<Input, Output>,
  'run' | 'partner'
> {
  /** Default: by what the effect does to money. */
  readonly rate?: RateRule;
  readonly run: (
    input: InferOutput<Input>,
    caller: Caller,
  ) => InferInput<Output> | Promise<InferInput<Output>>;
}

export function declare<Input extends Schema, Output extends Schema>(
  shop: Shop,
  { rate, run, ...init }: ShopOperation<Input, Output>,
): Operation {
  const rule = rate ?? usualRate(init.effect);
  return defineOperation<Input, Output>({
    ...init,
    ...(init.effect.repeat.kind === 'key' && { partner: KEPT_BY_STORE }),
    run: async (input, call) => run(input, admit(shop, rule, call)),
  });
}

function usualRate({ money }: Effect): RateRule {
  return money === undefined || money.moves === 'estimate' ? RATE_RULES.usual : RATE_RULES.spend;
}

function admit({ store, limiter, now }: Shop, rule: RateRule, call: Call): Caller {
  const { principal } = call;
  // Every operation requires a scope, and only principals have scopes.
  if (principal === undefined) throw new ProblemError('unauthenticated', 'Sign in first.');
  const { id, tenant, scopes } = principal;
  if (tenant === undefined || !store.isOrganisation(tenant)) {
    throw new ProblemError(
      'forbidden',
      'The token does not belong to an organisation of this shop.',
    );
  }
  const retryAfter = limiter.take(`${tenant} ${id}`, rule);
  if (retryAfter !== undefined) {
    const detail = `${rule.perMinute} ${rule.name} per minute are allowed. Retry after ${retryAfter} s.`;
    throw new ProblemError('rate-limited', detail, { retryAfter });
  }
  return {
    organisation: tenant,
    user: id,
    at: now(),
    scopes,
    key: keyOf(call),
    secrets: () => secretsOf(call),
  };
}
