/** Which receipts are of calls: the log also has what people answered, revoked and accepted. */
import { RECORDED_OPERATIONS } from './answer-receipt.ts';
import { PIN_OPERATION } from './pin-receipt.ts';

const OTHERS: ReadonlySet<string> = new Set([...RECORDED_OPERATIONS, PIN_OPERATION]);

/** The same as SQL. */
export const IS_CALL: string = `operation NOT IN (${[...OTHERS].map((operation) => `'${operation}'`).join(', ')})`;

export function isCall({ operation }: { readonly operation: string }): boolean {
  return !OTHERS.has(operation);
}
