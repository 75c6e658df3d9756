/**
 * How a call ended. Only the record stage can make a `Recorded` one, and transports accept nothing
 * else, so that no path can answer without a receipt.
 */
import type { ContentBlock, InputRequiredResult } from '@modelcontextprotocol/server';
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import { isReply } from '../effect/operation.ts';
import type { Problem } from '../lib/problem.ts';

export type Outcome = Ended & {
  /** The answer of an earlier run under the same key; nothing ran this time. */
  readonly replayed?: true;
};

type Ended =
  | {
      readonly kind: 'success';
      readonly value?: unknown;
      readonly content?: readonly ContentBlock[];
    }
  /** The operation asks its caller something before it goes on. */
  | { readonly kind: 'input-required'; readonly result: InputRequiredResult }
  | { readonly kind: 'failure'; readonly problem: Problem };

declare const recorded: unique symbol;

export type Recorded = Outcome & { readonly [recorded]: true };

/** Turns an operation's answer into the outcome of its call. */
export function toOutcome(answer: unknown): Outcome {
  if (isInputRequiredResult(answer)) return { kind: 'input-required', result: answer };
  if (!isReply(answer)) return { kind: 'success', value: answer };
  const { content, value } = answer;
  return { kind: 'success', content, ...(value !== undefined && { value }) };
}
