/** Opens an existing ledger for commands at a terminal: creates neither a database nor a key. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { MasterKey } from '../ledger/master-key.ts';
import { findMasterKey, toTrustedKey } from '../ledger/master-key.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { keyFile, openLedger, openStore, sqliteFile } from '../ledger/open-ledger.ts';
import type { Store } from '../ledger/store.ts';
import { CliError } from './cli-error.ts';

export const LEDGER_OPTION = [
  '--ledger <address>',
  'the ledger: sqlite:FILE or postgres://…',
] as const;

/** Runs the work with the store; a failure to open it is reported in one line. */
export async function withStore<T>(
  address: string,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  await using store = await opened(address, () => openStore(address));
  return await work(store);
}

/** The same with the whole ledger, for commands that add to it. */
export async function withLedger<T>(
  address: string,
  work: (ledger: OpenLedger) => Promise<T>,
): Promise<T> {
  masterKeyOf(address);
  await using ledger = await opened(address, () => openLedger(address));
  return await work(ledger);
}

async function opened<T>(address: string, open: () => Promise<T>): Promise<T> {
  const file = sqliteFile(address);
  if (file !== undefined && !existsSync(file)) {
    const hint = `plimsoll serve --ledger ${address} creates one`;
    throw new CliError(`there is no ledger at ${file}; ${hint}`);
  }
  try {
    return await open();
  } catch (error) {
    throw new CliError(`${withoutPassword(address)} cannot be opened: ${reasonOf(error)}`);
  }
}

function masterKeyOf(address: string): MasterKey {
  const key = findMasterKey(keyFile(address));
  if (key !== undefined) return key;
  const place = sqliteFile(address) === undefined ? '' : ' or in the file next to it';
  throw new CliError(`the ledger's key was not found: set it in PLIMSOLL_LEDGER_KEY${place}`);
}

/** With which its checkpoints are verified. */
export async function publicKeyOf(store: Store, address: string): Promise<KeyObject> {
  return await toTrustedKey(store, masterKeyOf(address));
}

function withoutPassword(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
