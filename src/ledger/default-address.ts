/** The default location of the ledger: one for each user of the machine. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../lib/state-folder.ts';

/** Creates the folder, accessible only to its owner, so that a ledger can be opened there. */
export function defaultLedgerAddress(): string {
  const folder = stateFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return `sqlite:${join(folder, 'ledger.sqlite')}`;
}
