/** Gives a receipt its number, which is part of its body, and hashes bodies as leaves of the log. */
import { hash } from 'node:crypto';
import type { UnnumberedReceipt } from '../tables.ts';

/** Its value is the number of the next receipt. */
export const RECEIPT_COUNTER = 'receipts';

export function numberBody({ body }: Pick<UnnumberedReceipt, 'body'>, seq: number): string {
  return `${body[0]}${seq}${body[1]}`;
}

/** RFC 6962: a leaf is hashed with a leading zero byte, so that it is never taken for an inner node. */
export function leafOf(body: string): string {
  return hash('sha256', `\0${body}`, 'hex');
}
