/** Reads a file that somebody else may have put there: neither waits for a pipe nor reads a device without end. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

interface PlainFile {
  readonly bytes: Buffer;
  /** The permissions. */
  readonly mode: number;
  /** The user's number. */
  readonly owner: number;
}

const LARGEST = 64 * 1024 * 1024;

/** Throws what `node:fs` throws, and for what is not a plain file of a bounded size. */
export function readPlainFile(path: string, flags = 0): PlainFile {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new Error('it is not a plain file');
    if (stats.size > LARGEST) throw new Error('it is larger than 64 MiB');
    return { bytes: readFileSync(handle), mode: stats.mode & 0o777, owner: stats.uid };
  } finally {
    closeSync(handle);
  }
}
