/** The default location of the ledger: one for each user of the machine. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Creates the folder, accessible only to its owner, so that a ledger can be opened there. */
export function defaultLedgerAddress(): string {
  const given = process.env['XDG_STATE_HOME'] ?? '';
  // The XDG specification requires that a relative path is ignored.
  const state = isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  const folder = join(state, 'plimsoll');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return `sqlite:${join(folder, 'ledger.sqlite')}`;
}
