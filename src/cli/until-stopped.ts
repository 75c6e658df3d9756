/** Waits for Ctrl-C, a polite kill, or the end of an input that keeps the process alive. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export async function untilStopped(input?: Readable): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  const ends = [once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })];
  if (input !== undefined)
    ends.push(once(input, 'end', { signal }), once(input, 'close', { signal }));
  try {
    await Promise.race(ends);
  } finally {
    abort.abort();
    await Promise.allSettled(ends);
  }
}
