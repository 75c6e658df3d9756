/** The command as a function: starting a process takes longer than most of what is tested. */
import { onTestFinished, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';

interface Ran {
  /** Also in `process.exitCode` until the test is finished. */
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which they were written. */
  readonly said: string;
}

export async function runMain(args: readonly string[]): Promise<Ran> {
  const ran = { stdout: '', stderr: '', said: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      ran[name] += String(text);
      ran.said += String(text);
      return true;
    }),
  );
  process.exitCode = undefined;
  onTestFinished(() => {
    process.exitCode = undefined;
  });
  try {
    await main(args);
    return { code: process.exitCode ?? 0, ...ran };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
