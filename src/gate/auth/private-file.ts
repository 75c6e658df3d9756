/**
 * A text file for its owner alone: others can neither read it nor put another in its place, and a
 * crash leaves the old text or the new one. On Windows the folder of the user is what protects it.
 */
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TokenFileError } from './token-file-error.ts';

const HAS_MODES = process.platform !== 'win32';

/** `undefined` when there is none. Throws when others may read or replace it. */
export async function readPrivateFile(file: string): Promise<string | undefined> {
  if ((await checkPrivateFile(file)) === undefined) return undefined;
  return await readFile(file, 'utf8');
}

export async function checkPrivateFile(file: string): Promise<Stats | undefined> {
  const stats = await statOf(file);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new TokenFileError(`${file} is not a plain file; move it away`);
  if (!HAS_MODES) return stats;
  if (stats.uid !== process.getuid?.()) {
    throw new TokenFileError(`${file} belongs to somebody else; move it away`);
  }
  if ((stats.mode & 0o077) !== 0) {
    throw new TokenFileError(`${file} can be read by others; run: chmod 600 ${file}`);
  }
  return stats;
}

export async function writePrivateFile(file: string, text: string): Promise<void> {
  await makePrivateFolder(dirname(file));
  await checkPrivateFile(file);
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    {
      await using handle = await open(draft, 'wx', 0o600);
      await handle.writeFile(text);
      await handle.sync();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!HAS_MODES) return;
  const stats = await statOf(folder);
  if (stats !== undefined && (stats.mode & 0o022) !== 0) {
    throw new TokenFileError(`${folder} can be changed by others; run: chmod 700 ${folder}`);
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
