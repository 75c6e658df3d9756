/** Waits for Ctrl-C or SIGTERM, and bounds the shutdown after it. */
import { once } from 'node:events';

export async function untilStopped(): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  const ends = [once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })];
  try {
    await Promise.race(ends);
  } finally {
    abort.abort();
    await Promise.allSettled(ends);
  }
}

interface Shutdown {
  /** Resolves at the first signal. */
  readonly requested: Promise<void>;
  /** Starts the grace period, for a reason other than a signal. */
  begin(): void;
}

/** What a shell reports for a process that was killed by a signal. */
const EXIT_CODES = Object.freeze({ SIGINT: 130, SIGTERM: 143 });

/**
 * From now on the first signal requests a graceful shutdown, a second one exits at once, and so does
 * the end of the grace period. A host that closes the input and then sends SIGTERM has sent one signal.
 */
export function openShutdown(graceMs: number, report: (message: string) => void): Shutdown {
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  let signals = 0;
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer ??= setTimeout(() => {
      report(`shutdown took longer than ${graceMs / 1000} seconds; exiting`);
      process.exit(1);
    }, graceMs).unref();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      signals += 1;
      if (signals > 1) process.exit(EXIT_CODES[name]);
      begin();
      resolve();
    });
  }
  return { requested, begin };
}
