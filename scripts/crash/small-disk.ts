/** A disk of its own, small enough to fill: a tmpfs, which only root may mount. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Takes all the space that is left. */
  readonly fill: () => void;
  readonly free: () => void;
}

const CHUNKS = [1 << 20, 1 << 16, 1 << 12];

export function openSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  } catch (cause) {
    throw new Error('a disk to fill cannot be mounted; leave out the fault "disk"', { cause });
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      const file = openSync(filler, 'a');
      try {
        for (const size of CHUNKS) fillWith(file, Buffer.alloc(size));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => void execFileSync('umount', ['--lazy', folder]),
  };
}

function fillWith(file: number, chunk: Buffer): void {
  try {
    while (writeSync(file, chunk) === chunk.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
