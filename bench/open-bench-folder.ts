/**
 * The temporary folder of a bench. A bench that is stopped by a signal takes the processes below it and the folder
 * along: its own ends never run then, and programs that listen would stay.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { descendantsOf } from './gate/process-cost.ts';

interface BenchFolder extends Disposable {
  readonly path: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function openBenchFolder(name: string): BenchFolder {
  const path = mkdtempSync(join(tmpdir(), `plimsoll-${name}-`));
  // What a build or a child puts aside is in it too.
  process.env['TMPDIR'] = path;
  const remove = (): void => {
    // One that is being killed may write a file meanwhile.
    rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  const stop = (signal: (typeof SIGNALS)[number]): void => {
    for (const pid of descendantsOf(process.pid)) kill(pid);
    remove();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  return {
    path,
    [Symbol.dispose]: () => {
      for (const signal of SIGNALS) process.off(signal, stop);
      remove();
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended by itself
  }
}
