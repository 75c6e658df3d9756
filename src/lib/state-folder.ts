/** Where Plimsoll keeps what belongs to the user of the machine: ledger, pins, tokens, backups. */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';

export function stateFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const given = environment['XDG_STATE_HOME'] ?? '';
  const home = environment['HOME'] ?? homedir();
  // The XDG specification requires that a relative path is ignored.
  return join(isAbsolute(given) ? given : join(home, '.local', 'state'), 'plimsoll');
}

/** A name in the state folder for what belongs to a path elsewhere. */
export function toStateName(path: string): string {
  const label =
    basename(path)
      .replaceAll(/[^\w.-]+/g, '-')
      .slice(0, 40) || 'root';
  return `${label}-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
}
