/** The address of a ledger with its whole path: what names the same file from any folder is one key for it. */
import { resolve } from 'node:path';
import { sqliteFile } from './open-ledger.ts';

const MEMORY = ':memory:';

/** Throws what opening it would, where it can be no address of a file. */
export function resolveAddress(address: string): string {
  const file = sqliteFile(address);
  return file === undefined || file === MEMORY ? address : `sqlite:${resolve(file)}`;
}
