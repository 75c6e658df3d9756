/** Opens an existing ledger for commands at a terminal: creates neither a database nor a key. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { NoLedgerError, OlderLedgerError } from '../ledger/check-version.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import type { MasterKey } from '../ledger/master-key.ts';
import { findMasterKey, toTrustedKey } from '../ledger/master-key.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { keyFile, openLedger, openStore, sqliteFile } from '../ledger/open-ledger.ts';
import { resolveAddress } from '../ledger/resolve-address.ts';
import type { Store } from '../ledger/store.ts';
import { CliError, CliFailure } from './cli-error.ts';
import { NONE_THERE, toLedgerFailure } from './ledger-failure.ts';

export const LEDGER_OPTION = [
  '--ledger <address>',
  'the ledger: sqlite:FILE, postgres://…, or a plimsoll.yaml that names it (default: the ledger of this user, as for plimsoll gate)',
] as const;

/** A gate and every command take the same one, unless they are told another. The path of a file is whole. */
export async function toLedgerAddress(given: string | undefined): Promise<string> {
  if (given === undefined) return defaultLedgerAddress();
  if (!/^[^:]+\.ya?ml$/i.test(given)) return resolveAddress(given);
  const { loadConfig } = await import('./gate-plan.ts');
  return (await loadConfig(given)).ledger ?? defaultLedgerAddress();
}

/** A gate of another version may be using it. */
const LEAVING = Object.freeze({ migrates: false });

/** Runs the work with the store; a failure to open it is reported in one line. */
export async function withStore<T>(
  given: string | undefined,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const address = await toLedgerAddress(given);
  await using store = await opened(address, () => openStore(address, LEAVING));
  return await work(store);
}

/** Whether anybody has made it; one that cannot be opened is for whoever opens it to report. */
export async function isLedger(address: string): Promise<boolean> {
  try {
    await (await openStore(address, LEAVING))[Symbol.asyncDispose]();
    return true;
  } catch (error) {
    return !(error instanceof NoLedgerError);
  }
}

/** The same with the whole ledger, for commands that add to it. */
export async function withLedger<T>(
  given: string | undefined,
  work: (ledger: OpenLedger) => Promise<T>,
): Promise<T> {
  const address = await toLedgerAddress(given);
  await using ledger = await opened(address, () => {
    if (sqliteFile(address) !== undefined) masterKeyOf(address);
    return openLedger(address, LEAVING);
  });
  return await work(ledger);
}

async function opened<T>(address: string, open: () => Promise<T>): Promise<T> {
  const file = sqliteFile(address);
  if (file !== undefined && !existsSync(file)) {
    throw new CliError(`there is no ledger at ${file}; ${NONE_THERE}`);
  }
  try {
    return await open();
  } catch (error) {
    throw toLedgerFailure(address, error);
  }
}

/** Brings a ledger to the version that this program reads; returns whether it had another. */
export async function migrateLedger(given: string | undefined): Promise<boolean> {
  const address = await toLedgerAddress(given);
  return await opened(address, async () => {
    try {
      await (await openStore(address, LEAVING))[Symbol.asyncDispose]();
      return false;
    } catch (error) {
      if (!(error instanceof OlderLedgerError)) throw error;
    }
    await (await openStore(address))[Symbol.asyncDispose]();
    return true;
  });
}

/** With which the checkpoints of a ledger are verified. */
export async function publicKeyOf(store: Store, given: string | undefined): Promise<KeyObject> {
  return await toTrustedKey(store, masterKeyOf(await toLedgerAddress(given)));
}

function masterKeyOf(address: string): MasterKey {
  const file = keyFile(address);
  const key = findMasterKey(file);
  if (key !== undefined) return key;
  const place = file === undefined ? '' : ` or in ${file}`;
  throw new CliFailure(`the key of the ledger was not found in PLIMSOLL_LEDGER_KEY${place}`);
}
