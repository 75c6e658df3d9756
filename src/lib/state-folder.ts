/** Where Plimsoll keeps what belongs to the user of the machine: ledger, pins, tokens, backups. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export function stateFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const given = environment['XDG_STATE_HOME'] ?? '';
  const home = environment['HOME'] ?? homedir();
  // The XDG specification requires that a relative path is ignored.
  return join(isAbsolute(given) ? given : join(home, '.local', 'state'), 'plimsoll');
}
