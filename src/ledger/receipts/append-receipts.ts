/** Appends receipts to the log, inside the transaction of whatever they are the receipts of. */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import { redactSecrets } from '../../lib/redact-secrets.ts';
import type { LedgerKeys } from '../keys.ts';
import type { Entry } from '../ledger.ts';
import type { Tx } from '../store.ts';
import type { ReceiptRow } from '../tables.ts';
import { toColumns } from './receipt-columns.ts';

/** How much of a call's arguments is kept beside its receipt. */
export type ArgumentPolicy = 'none' | 'digest' | 'redacted' | 'full';

export const RECEIPT_COUNTER = 'receipts';

export async function appendReceipts(
  tx: Tx,
  entries: readonly Pick<Entry, 'receipt' | 'args'>[],
  policy: ArgumentPolicy,
  keys: LedgerKeys,
): Promise<void> {
  const first = await tx.next(RECEIPT_COUNTER, entries.length);
  const rows = entries.map((entry, index) => toRow(entry, first + index, policy, keys));
  await tx.insertAll('receipts', rows);
}

/** RFC 6962: a leaf is hashed with a zero before it, so that it never passes for an inner node. */
export function leafOf(body: string): string {
  return hash('sha256', `\0${body}`, 'hex');
}

function toRow(
  { receipt, args }: Pick<Entry, 'receipt' | 'args'>,
  seq: number,
  policy: ArgumentPolicy,
  keys: LedgerKeys,
): ReceiptRow {
  const salt = policy === 'none' ? '' : newSalt();
  const argsText = policy === 'none' ? '' : JSON.stringify(args ?? {});
  const argsDigest = salt === '' ? undefined : digestArguments(argsText, salt, keys);
  const body = toCanonicalJson({
    ...receipt,
    seq,
    ...(argsDigest !== undefined && { argsDigest }),
  });
  return {
    ...toColumns(receipt, seq),
    body,
    leaf: leafOf(body),
    salt,
    args: keptArguments(argsText, policy),
  };
}

/** Salted and keyed: arguments are often guessable, and a plain digest would confirm the guess. */
function digestArguments(args: string, salt: string, { digestKey }: LedgerKeys): string {
  return createHmac('sha256', digestKey).update(salt).update(args).digest('hex');
}

const SALT_BYTES = 16;
const SALTS_AT_ONCE = 256;
let salts = Buffer.alloc(0);

/** Random bytes cost the same whether they are few or many. */
function newSalt(): string {
  if (salts.length === 0) salts = randomBytes(SALT_BYTES * SALTS_AT_ONCE);
  const salt = salts.toString('hex', 0, SALT_BYTES);
  salts = salts.subarray(SALT_BYTES);
  return salt;
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
