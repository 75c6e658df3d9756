/**
 * Opens a ledger by its address: `sqlite:FILE`, `sqlite::memory:` or `postgres://…`. The master key is
 * stored next to a SQLite file; a ledger that several machines share must be given one.
 */
import { announceReports } from '../lib/announce-reports.ts';
import type { HeldKey, KeyRecord, KeyRules } from './idempotency/key-record.ts';
import type { KeyRecords } from './idempotency/key-records.ts';
import { openKeyRecords } from './idempotency/key-records.ts';
import type { LedgerKeys } from './keys.ts';
import type { Ledger } from './ledger.ts';
import type { MasterKey } from './master-key.ts';
import { findMasterKey, neededKey, takeKeys } from './master-key.ts';
import type { ArgumentPolicy } from './receipts/append-receipts.ts';
import { Checkpoints } from './receipts/checkpoints.ts';
import { IdleIndex } from './receipts/idle-index.ts';
import { Receipts } from './receipts/receipts.ts';
import type { Secrets } from './secrets/secrets.ts';
import { openSecrets } from './secrets/secrets.ts';
import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import type { Store, StoreOpening } from './store.ts';

export interface LedgerOptions extends StoreOpening {
  /**
   * At least 32 bytes, always the same for one ledger. Default: `PLIMSOLL_LEDGER_KEY`, or a file next to the
   * SQLite database, created on first use.
   */
  readonly key?: Buffer;
  /** How much of the arguments is stored. Default: a salted digest. */
  readonly arguments?: ArgumentPolicy;
  /** Leases and lifetimes of key records, to override the defaults. */
  readonly keyRules?: Partial<KeyRules>;
  /** A file for copies of the checkpoints, best where the ledger's machine cannot change it. */
  readonly checkpointFile?: string;
  /** A checkpoint is signed after this many receipts. Default: 1000. */
  readonly checkpointEvery?: number;
  /** A checkpoint is signed after this long, if there is anything new. Default: 60. */
  readonly checkpointSeconds?: number;
  /** Called when something could not be stored. Default: one line on standard error. */
  readonly report?: (message: string, cause: unknown) => void;
}

export interface OpenLedger extends Ledger, AsyncDisposable {
  readonly store: Store;
  readonly keys: LedgerKeys;
  readonly keyRecords: KeyRecords;
  readonly secrets: Secrets;
  /** Called when the answer of a settled call has been sent; stored in the background. */
  delivered(held: HeldKey): void;
  /** Whether it is certain that the caller of a settled call got its answer. */
  wasDelivered(keyRecord: KeyRecord): boolean;
  /** Waits until every receipt is stored. */
  flush(): Promise<void>;
  /** Waits until every receipt is under a signed checkpoint. */
  checkpoint(): Promise<void>;
  /** Indexes in the background what others have stored, for the next search. */
  indexSoon(): void;
}

const MEMORY = ':memory:';
const CHECKPOINT_EVERY = 1000;
const CHECKPOINT_SECONDS = 60;

export async function openLedger(
  address: string,
  options: LedgerOptions = {},
): Promise<OpenLedger> {
  const given = findKey(address, options.key);
  const store = await openStore(address, options);
  try {
    return await openOn(store, await takeKeys(store, given, keyFile(address)), options);
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

async function openOn(store: Store, keys: LedgerKeys, options: LedgerOptions): Promise<OpenLedger> {
  const report = announceReports(options.report ?? reportToStderr);
  const keyRecords = openKeyRecords(store, keys, options.keyRules);
  const checkpoints = await Checkpoints.open(store, {
    signingKey: keys.signingKey,
    every: options.checkpointEvery ?? CHECKPOINT_EVERY,
    seconds: options.checkpointSeconds ?? CHECKPOINT_SECONDS,
    report,
    ...(options.checkpointFile !== undefined && { file: options.checkpointFile }),
  });
  const index = new IdleIndex(store);
  const receipts = new Receipts(store, {
    keys,
    keyRecords,
    arguments: options.arguments ?? 'digest',
    onLost: (count, cause) => report(`${count} receipts of reads were lost`, cause),
    onKept: (count) => {
      checkpoints.kept(count);
      index.kept(count);
    },
  });
  return {
    store,
    keys,
    keyRecords,
    secrets: openSecrets(store, keys),
    record: (entry, tx) => receipts.record(entry, tx),
    delivered: (held) => receipts.delivered(held),
    wasDelivered: (keyRecord) => receipts.wasDelivered(keyRecord),
    flush: () => receipts.flush(),
    checkpoint: async () => {
      await receipts.flush();
      await checkpoints.sign();
    },
    indexSoon: () => index.soon(),
    [Symbol.asyncDispose]: async () => {
      await receipts[Symbol.asyncDispose]();
      await index[Symbol.asyncDispose]();
      await checkpoints[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

export async function openStore(address: string, opening: StoreOpening = {}): Promise<Store> {
  const file = sqliteFile(address);
  if (file !== undefined) return openSqliteStore(file, {}, opening);
  if (POSTGRES.test(address)) {
    // Loaded when it is needed, which on one machine is never.
    const { openPostgresStore } = await import('./postgres/open-postgres-store.ts');
    return openPostgresStore(address, {}, opening);
  }
  throw new LedgerAddressError(address);
}

/** The address, or what it needs besides, is not what a ledger can be opened with. */
class LedgerAddressError extends TypeError {
  override readonly name = 'LedgerAddressError';

  constructor(address: string, reason = 'is not a ledger') {
    super(`"${address}" ${reason}; write sqlite:FILE or postgres://USER@HOST/DATABASE`);
  }
}

const POSTGRES = /^postgres(ql)?:\/\//;

/** The file of a SQLite ledger. Without a name, SQLite would open one that is deleted at the end. */
export function sqliteFile(address: string): string | undefined {
  if (!address.startsWith('sqlite:')) return undefined;
  const file = address.slice('sqlite:'.length);
  if (file.trim() === '') throw new LedgerAddressError(address, 'names no file');
  // SQLite reads it as a URI, in which anything may follow, also that the database is kept in memory.
  if (/^file:/i.test(file)) throw new LedgerAddressError(address, 'names a URI and not a file');
  return file;
}

/** Next to the database; a ledger on a server, or in memory, has none. */
export function keyFile(address: string): string | undefined {
  const file = sqliteFile(address);
  return file === undefined || file === MEMORY ? undefined : `${file}.key`;
}

/** Before anything is opened, so that a mistake in the key or the address leaves no files behind. */
function findKey(address: string, bytes: Buffer | undefined): MasterKey | undefined {
  const isShared = POSTGRES.test(address);
  if (!isShared && sqliteFile(address) === undefined) throw new LedgerAddressError(address);
  if (bytes !== undefined) return { bytes, source: 'the given key' };
  const found = findMasterKey(keyFile(address));
  if (found === undefined && isShared) throw neededKey();
  return found;
}

function reportToStderr(message: string, cause: unknown): void {
  process.stderr.write(`plimsoll ledger: ${message}: ${String(cause)}\n`);
}
