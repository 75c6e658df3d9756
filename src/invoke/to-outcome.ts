/** An answer of an operation as the outcome of its call. */
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import type { Outcome } from './outcome.ts';
import { isReply } from './validate-output.ts';

export function toOutcome(answer: unknown): Outcome {
  if (isInputRequiredResult(answer)) return { kind: 'input-required', result: answer };
  if (isReply(answer)) return { ...answer, kind: 'success' };
  return { kind: 'success', value: answer };
}
