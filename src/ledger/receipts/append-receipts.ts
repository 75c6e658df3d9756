/** Appends receipts to the log: as canonical JSON, and with as much of the arguments as the ledger keeps. */
import type { JsonValue } from '../../lib/json-value.ts';
import { openRandomHex } from '../../lib/random-hex.ts';
import { isStorable } from '../../lib/storable-text.ts';
import type { LedgerKeys } from '../keys.ts';
import type { Entry } from '../ledger.ts';
import type { Tx } from '../store.ts';
import type { ApprovalRow, GrantRow, UnnumberedReceipt } from '../tables.ts';
import type { Revoker } from './answer-receipt.ts';
import { toAnswerReceipt, toRevocationReceipt } from './answer-receipt.ts';
import { redactArguments } from './redact-arguments.ts';
import { writeBody } from './write-body.ts';
import { writeSimilarBody } from './write-similar-body.ts';

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
  { receipt, args }: Pick<Entry, 'receipt' | 'args'>,
  policy: ArgumentPolicy,
  keys?: LedgerKeys,
): UnnumberedReceipt {
  const isKept = policy !== 'none' && keys !== undefined;
  const salt = isKept ? newSalt() : '';
  const argsText = isKept ? toText(args) : '';
  const argsDigest = isKept ? keys.digest(`${salt}${argsText}`) : undefined;
  return {
    id: toId(receipt.id),
    body:
      argsDigest === undefined
        ? writeBody(receipt, undefined)
        : writeSimilarBody(receipt, argsDigest),
    salt,
    args: keptArguments(argsText, policy),
  };
}

/** The log is searched by it, and the body has the same. */
function toId(id: unknown): string {
  if (typeof id === 'string' && isStorable(id)) return id;
  throw new TypeError('the id of a receipt is a string without NUL and halves of surrogate pairs');
}

/** What JSON has no value for is nothing. */
function toText(args: unknown): string {
  const text = JSON.stringify(args ?? {}) as string | undefined; // of a function
  return text ?? '{}';
}

const newSalt = openRandomHex(32);

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
