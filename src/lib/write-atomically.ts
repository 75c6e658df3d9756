/** Replaces a file atomically: written to a temporary file in the same folder, flushed, then renamed. */
import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A symbolic link is kept, and the file that it points to is replaced, unless `links` says otherwise. */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode: number,
  links: 'follow' | 'replace' = 'follow',
): Promise<void> {
  const target = links === 'follow' ? await followLinks(path) : path;
  const beside = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    const file = await open(beside, 'wx', mode);
    try {
      await file.chmod(mode); // the process umask removed bits
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** A file that is not there, or is deleted just now, has no links to follow. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path;
    throw error;
  }
}

/** Without it, a power failure can undo the rename. Not every system can do that with a folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
