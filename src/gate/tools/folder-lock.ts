/**
 * Where the pins of a folder are when nobody names a file: among the user's own files. A lock in the
 * folder itself may have come with a repository, so what it says can only raise the risk.
 */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stateFolder } from '../../lib/state-folder.ts';

const LOCK = 'plimsoll.lock.json';

/** One for each folder, as servers of one name are different ones elsewhere. */
export function ownLock(folder: string): string {
  const path = realpathSync(folder);
  const label =
    basename(path)
      .replaceAll(/[^\w.-]+/g, '-')
      .slice(0, 40) || 'root';
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(stateFolder(), 'locks', `${label}-${digest}.json`);
}

export function findLock(folder: string): string | undefined {
  const path = join(folder, LOCK);
  return existsSync(path) ? path : undefined;
}
