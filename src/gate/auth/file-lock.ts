/**
 * One at a time across processes, by a file that only one can make. A lock that a dead process left
 * is taken over after a while; no holder works that long.
 */
import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { TokenFileError } from './token-file-error.ts';

const STALE_MS = 60_000;
const PATIENCE_MS = 30_000;
const PAUSE_MS = 25;

export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  const start = performance.now();
  while (!(await take(lock))) {
    if (performance.now() - start > PATIENCE_MS) {
      throw new TokenFileError(`${file} is in use; if no plimsoll is running, delete ${lock}`);
    }
    await wait(PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx', 0o600);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const age = await ageOf(lock);
  if (age !== undefined && age > STALE_MS) await rm(lock, { force: true });
  return false;
}

async function ageOf(lock: string): Promise<number | undefined> {
  try {
    return Date.now() - (await stat(lock)).mtimeMs;
  } catch {
    return undefined; // its holder was done meanwhile
  }
}
