/** A real file system with little room, for tests of what happens when it is full. Needs root. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  clear(): void;
}

export const canMount = process.getuid?.() === 0 && process.platform === 'linux' && mounts();

export function openSmallDisk(kilobytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-disk-'));
  mount(folder, kilobytes);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    clear: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function mount(folder: string, kilobytes: number): void {
  const options = `size=${kilobytes}k,mode=0755`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'plimsoll-test', folder], {
    stdio: 'ignore',
  });
}

/** Containers often have root without the right to mount. */
function mounts(): boolean {
  try {
    openSmallDisk(64)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}
