/** Takes a file of the ledger from those who have no business with it. */
import { chmodSync, statSync } from 'node:fs';

const OTHERS = 0o007;

/** Sharing it with a group is the owner's choice; with everybody it is a mistake, or an old version's. */
export function closeToOthers(path: string): void {
  try {
    const { mode } = statSync(path);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) chmodSync(path, mode & ~OTHERS);
  } catch {
    // It is not there, or belongs to somebody else, whose choice it is.
  }
}
