/**
 * Which process runs the console of a ledger, written down while it listens. `plimsoll console --stop` finds
 * it there, and a console that is too slow to answer is told from a stranger on its port.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isProvenDead, newOwner } from '../ledger/idempotency/worker.ts';
import { ownFile } from './running-console.ts';

export interface ConsoleProcess {
  readonly pid: number;
  readonly port: number;
  /** False: at a terminal. */
  readonly background: boolean;
}

export function keepProcess(
  folder: string,
  ledger: string,
  { port, background }: Omit<ConsoleProcess, 'pid'>,
): Disposable {
  const file = ownFile(folder, ledger, 'pid');
  const text = JSON.stringify({ pid: process.pid, port, background, owner: newOwner() });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  return {
    [Symbol.dispose]: () => {
      // Another console may have written its own since.
      if (read(file) === text) rmSync(file, { force: true });
    },
  };
}

/** Undefined when nothing is known of one, or when it is known to have ended. */
export function findProcess(folder: string, ledger: string): ConsoleProcess | undefined {
  let kept: unknown;
  try {
    kept = JSON.parse(read(ownFile(folder, ledger, 'pid')) ?? 'null');
  } catch {
    return undefined;
  }
  // What this file holds is written above; anything else is no record of a console.
  const { pid, port, background, owner } = (kept ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof pid !== 'number' || typeof port !== 'number' || typeof owner !== 'string') {
    return undefined;
  }
  return isProvenDead(owner) ? undefined : { pid, port, background: background === true };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
