/** The lock as a file: read with faults as data, written whole or not at all. */
import { readFileSync } from 'node:fs';
import { writeAtomically } from '../../lib/write-atomically.ts';
import type { Lock } from './lock.ts';
import { EMPTY_LOCK, toLockText } from './lock.ts';
import type { LockReading } from './read-lock.ts';
import { readLock } from './read-lock.ts';

/** No file is a lock without pins. */
export function readLockFile(path: string): LockReading {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // what node:fs throws
    if (code === 'ENOENT') return { kind: 'lock', lock: EMPTY_LOCK };
    return { kind: 'faults', faults: [{ pointer: '', message }] };
  }
  try {
    return readLock(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { kind: 'faults', faults: [{ pointer: '', message: 'the file is not UTF-8' }] };
  }
}

export async function writeLockFile(path: string, lock: Lock): Promise<void> {
  await writeAtomically(path, toLockText(lock), 0o644);
}
