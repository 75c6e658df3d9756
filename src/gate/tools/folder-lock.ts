/**
 * Where the pins of a folder are when nobody names a file: among the user's own files. A lock in the
 * folder itself may have come with a repository, so what it says can only raise the risk.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, toStateName } from '../../lib/state-folder.ts';

const LOCK = 'plimsoll.lock.json';

/** One for each folder, as servers of one name are different ones elsewhere. */
export function ownLock(folder: string): string {
  return join(stateFolder(), 'locks', `${toStateName(realpathSync(folder))}.json`);
}

export function findLock(folder: string): string | undefined {
  const path = join(folder, LOCK);
  return existsSync(path) ? path : undefined;
}
