/** Where a ledger is kept when nobody says otherwise: one for each user of the machine. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Makes the folder, for its owner alone, so that a ledger can be opened there. */
export function defaultLedgerAddress(): string {
  const given = process.env['XDG_STATE_HOME'] ?? '';
  // A relative path is to be ignored, says the XDG specification.
  const state = isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  const folder = join(state, 'plimsoll');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return `sqlite:${join(folder, 'ledger.sqlite')}`;
}
