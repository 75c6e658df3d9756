/**
 * The master key of a ledger: where it is found and how it is created. A ledger remembers the id of the
 * key that it was begun with and takes no other: another one would sign over the right one, and an audit
 * with it would report tampering.
 */
import type { KeyObject } from 'node:crypto';
import { createPublicKey, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeAtomically } from '../lib/write-atomically.ts';
import { closeToOthers } from './close-to-others.ts';
import type { LedgerKeys } from './keys.ts';
import { deriveKeys, LEAST_KEY_BYTES } from './keys.ts';
import { readSignedCheckpoint } from './receipts/checkpoint-note.ts';
import { RECEIPT_COUNTER } from './receipts/number-receipt.ts';
import type { Store, Tx } from './store.ts';

export interface MasterKey {
  readonly bytes: Buffer;
  /** Where it comes from, for messages. */
  readonly source: string;
}

/** The key is missing, malformed, or not the one of this ledger. */
export class LedgerKeyError extends Error {
  override readonly name = 'LedgerKeyError';
}

const VARIABLE = 'PLIMSOLL_LEDGER_KEY';
const OWNER_ONLY = 0o600;
/** The one row of its table. */
const MASTER = 'master';

/** The key that this machine has, if any: from the environment, or from the file. */
export function findMasterKey(file: string | undefined): MasterKey | undefined {
  const text = process.env[VARIABLE];
  if (text !== undefined) return toMasterKey(text, VARIABLE);
  return file === undefined ? undefined : readKeyFile(file);
}

/** An empty file is what a full disk leaves of a file that is not written atomically: no key. */
function readKeyFile(file: string): MasterKey | undefined {
  if (!existsSync(file)) return undefined;
  closeToOthers(file);
  const text = readFileSync(file, 'utf8').trim();
  return text === '' ? undefined : toMasterKey(text, file);
}

/** Strict: decoding alone would skip whatever is not base64 and make a weak key of a typing error. */
function toMasterKey(text: string, source: string): MasterKey {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length >= LEAST_KEY_BYTES && bytes.toString('base64') === text.trim()) {
    return { bytes, source };
  }
  throw new LedgerKeyError(
    `${source} is not a ledger key: it must be ${LEAST_KEY_BYTES} or more random bytes as base64, such as \`openssl rand -base64 32\` prints`,
  );
}

/** The keys of a ledger that is being opened. Its first key is created in `file` unless one is given. */
export async function takeKeys(
  store: Store,
  given: MasterKey | undefined,
  file: string | undefined,
): Promise<LedgerKeys> {
  return store.transaction(async (tx) => {
    const known = await tx.find('ledger_keys', { name: MASTER });
    // Another process may have created the file since it was looked for.
    const existing = given ?? (file === undefined ? undefined : readKeyFile(file));
    if (known !== undefined) {
      const key = existing ?? missing(file);
      const keys = deriveKeys(key.bytes);
      checkId(key.source, keys.id, known.key_id);
      return keys;
    }
    // Only one process at a time gets here with a file: the transaction has the lock for writing.
    const key = existing ?? (await createKey(tx, file));
    const keys = deriveKeys(key.bytes);
    await checkSigned(tx, key, keys);
    const row = { name: MASTER, key_id: keys.id, created_at: await tx.now() };
    if (await tx.insert('ledger_keys', row)) return keys;
    const winner = await tx.find('ledger_keys', { name: MASTER });
    checkId(key.source, keys.id, winner?.key_id ?? '');
    return keys;
  });
}

/** The public key for an audit, if `key` is the key of the ledger. */
export async function toTrustedKey(store: Store, key: MasterKey): Promise<KeyObject> {
  const { id, signingKey } = deriveKeys(key.bytes);
  const known = await store.transaction((tx) => tx.find('ledger_keys', { name: MASTER }));
  if (known !== undefined) checkId(key.source, id, known.key_id);
  return createPublicKey(signingKey);
}

function checkId(source: string, id: string, known: string): void {
  if (id === known) return;
  throw new LedgerKeyError(
    `${source} is not the key of this ledger: its id is ${id}, and the ledger was begun with ${known}`,
  );
}

/** A ledger that has not remembered its key may still have been signed with one. */
async function checkSigned(tx: Tx, { source }: MasterKey, { signingKey }: LedgerKeys) {
  const [newest] = await tx.list('checkpoints', { orderBy: 'size', descending: true, limit: 1 });
  if (newest === undefined) return;
  const read = readSignedCheckpoint(newest.note, createPublicKey(signingKey));
  if (read.kind === 'checkpoint') return;
  throw new LedgerKeyError(`${source} is not the key of this ledger: ${read.detail}`);
}

async function createKey(tx: Tx, file: string | undefined): Promise<MasterKey> {
  if (file === undefined) return { bytes: randomBytes(LEAST_KEY_BYTES), source: 'a random key' };
  const receipts = await tx.find('counters', { name: RECEIPT_COUNTER });
  if (receipts !== undefined) missing(file);
  const bytes = randomBytes(LEAST_KEY_BYTES);
  await writeAtomically(file, bytes.toString('base64'), OWNER_ONLY);
  return { bytes, source: file };
}

function missing(file: string | undefined): never {
  const places = file === undefined ? VARIABLE : `${file} or ${VARIABLE}`;
  throw new LedgerKeyError(
    `the key of this ledger is missing: put it into ${places}; a new key cannot replace it`,
  );
}

/** A ledger without a key file can be shared, so every process must be given the same key. */
export function neededKey(): LedgerKeyError {
  return new LedgerKeyError(
    `a shared ledger needs its key: ${LEAST_KEY_BYTES} random bytes as base64 in ${VARIABLE}`,
  );
}
