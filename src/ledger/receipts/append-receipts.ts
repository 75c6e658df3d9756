/** Appends receipts to the log: as canonical JSON, and with as much of the arguments as the ledger keeps. */
import { randomFillSync } from 'node:crypto';
import type { JsonValue } from '../../lib/json-value.ts';
import { isStorable, toStorable } from '../../lib/storable-text.ts';
import type { LedgerKeys } from '../keys.ts';
import type { Entry } from '../ledger.ts';
import type { Receipt } from '../receipt.ts';
import type { Tx } from '../store.ts';
import type { ApprovalRow, GrantRow, UnnumberedReceipt } from '../tables.ts';
import type { Revoker } from './answer-receipt.ts';
import { toAnswerReceipt, toRevocationReceipt } from './answer-receipt.ts';
import { redactArguments } from './redact-arguments.ts';
import { writeBody } from './write-body.ts';

/** How much of a call's arguments is stored with its receipt. */
export type ArgumentPolicy = 'none' | 'digest' | 'redacted' | 'full';

export async function appendReceipts(
  tx: Tx,
  entries: readonly Pick<Entry, 'receipt' | 'args'>[],
  policy: ArgumentPolicy,
  keys: LedgerKeys,
): Promise<void> {
  await tx.append(entries.map((entry) => toUnnumbered(entry, policy, keys)));
}

/** A person's answer becomes part of the log in the transaction that decides with it. */
export async function appendAnswer(
  tx: Tx,
  row: ApprovalRow,
  grant: GrantRow | undefined,
): Promise<void> {
  await tx.append([
    toUnnumbered({ receipt: toAnswerReceipt(row, grant), args: undefined }, 'none'),
  ]);
}

/** The same for a grant that a person revoked. */
export async function appendRevocation(tx: Tx, grant: GrantRow, by: Revoker): Promise<void> {
  await tx.append([
    toUnnumbered({ receipt: toRevocationReceipt(grant, by), args: undefined }, 'none'),
  ]);
}

function toUnnumbered(
  { receipt: said, args }: Pick<Entry, 'receipt' | 'args'>,
  policy: ArgumentPolicy,
  keys?: LedgerKeys,
): UnnumberedReceipt {
  const receipt = withStorableTexts(said);
  const isKept = policy !== 'none' && keys !== undefined;
  const salt = isKept ? newSalt() : '';
  const argsText = isKept ? JSON.stringify(args ?? {}) : '';
  const argsDigest = isKept ? keys.digest(`${salt}${argsText}`) : undefined;
  return {
    id: receipt.id,
    body: writeBody(receipt, argsDigest),
    salt,
    args: keptArguments(argsText, policy),
  };
}

/** A name that no store keeps must not keep the receipt out of the log, nor those written with it. */
function withStorableTexts(receipt: Receipt): Receipt {
  if (hasStorableTexts(receipt)) return receipt;
  const texts = Object.entries(receipt).map(
    ([name, value]: [string, unknown]): [string, unknown] => [
      name,
      typeof value === 'string' ? toStorable(value) : value,
    ],
  );
  return Object.fromEntries(texts) as unknown as Receipt; // of the same shape
}

/** Without a list of its members: every receipt is looked at. */
function hasStorableTexts(receipt: Receipt): boolean {
  for (const name in receipt) {
    const value = receipt[name as keyof Receipt]; // one of its own
    if (typeof value === 'string' && !isStorable(value)) return false;
  }
  return true;
}

const SALT_BYTES = 16;
const SALTS = Buffer.alloc(SALT_BYTES * 256);
let usedSalts = SALTS.length;

/** Random bytes cost the same whether they are few or many. */
function newSalt(): string {
  if (usedSalts === SALTS.length) {
    randomFillSync(SALTS);
    usedSalts = 0;
  }
  usedSalts += SALT_BYTES;
  return SALTS.toString('hex', usedSalts - SALT_BYTES, usedSalts);
}

function keptArguments(args: string, policy: ArgumentPolicy): string {
  switch (policy) {
    case 'none':
    case 'digest':
      return '';
    case 'redacted':
      return redactArguments(JSON.parse(args) as JsonValue); // the text that we have just written
    case 'full':
      return args;
  }
}
