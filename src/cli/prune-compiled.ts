/**
 * Deletes compiled code that was kept long ago: each version of Plimsoll and of Node leaves its own, and nobody
 * else deletes it. What is still in use is compiled and kept again by the next start.
 */
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const LONGEST_MS = 30 * 86_400_000;

/** Best effort: another process may do the same now, and what stays is only room on a disk. */
export async function pruneCompiled(folder: string, now: number): Promise<void> {
  for (const made of await namesIn(folder)) {
    const inner = join(folder, made);
    const files = await namesIn(inner);
    for (const name of files) await ignoring(deleteOld(join(inner, name), now - LONGEST_MS));
    // Fails as long as there is something in it.
    await ignoring(rmdir(inner));
  }
}

async function deleteOld(file: string, before: number): Promise<void> {
  const stats = await lstat(file);
  if (stats.isFile() && stats.mtimeMs < before) await unlink(file);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const stats = await lstat(folder);
    return stats.isDirectory() ? await readdir(folder) : [];
  } catch {
    return [];
  }
}

async function ignoring(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch {
    // See above.
  }
}
