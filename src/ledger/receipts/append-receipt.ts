/** Appends a receipt to the log, inside the transaction of whatever it is the receipt of. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import { redactSecrets } from '../../lib/redact-secrets.ts';
import type { LedgerKeys } from '../keys.ts';
import type { Receipt } from '../receipt.ts';
import type { Tx } from '../store.ts';
import { toColumns } from './receipt-columns.ts';

/** How much of a call's arguments is kept beside its receipt. */
export type ArgumentPolicy = 'none' | 'digest' | 'redacted' | 'full';

export const RECEIPT_COUNTER = 'receipts';

export async function appendReceipt(
  tx: Tx,
  receipt: Receipt,
  args: unknown,
  policy: ArgumentPolicy,
  keys: LedgerKeys,
): Promise<void> {
  const seq = await tx.next(RECEIPT_COUNTER);
  const salt = policy === 'none' ? '' : randomBytes(16).toString('hex');
  const argsText = policy === 'none' ? '' : JSON.stringify(args ?? {});
  const argsDigest = salt === '' ? undefined : digestArguments(argsText, salt, keys);
  const body = toCanonicalJson({
    ...receipt,
    seq,
    ...(argsDigest !== undefined && { argsDigest }),
  });
  await tx.insert('receipts', {
    ...toColumns(receipt, seq),
    body,
    leaf: leafOf(body),
    salt,
    args: keptArguments(argsText, policy),
  });
}

/** RFC 6962: a leaf is hashed with a zero before it, so that it never passes for an inner node. */
export function leafOf(body: string): string {
  return createHash('sha256').update('\0').update(body).digest('hex');
}

/** Salted and keyed: arguments are often guessable, and a plain digest would confirm the guess. */
function digestArguments(args: string, salt: string, { digestKey }: LedgerKeys): string {
  return createHmac('sha256', digestKey).update(salt).update(args).digest('hex');
}

function keptArguments(args: string, policy: ArgumentPolicy): string {
  switch (policy) {
    case 'none':
    case 'digest':
      return '';
    case 'redacted':
      return redactSecrets(args);
    case 'full':
      return args;
  }
}
