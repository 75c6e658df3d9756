/** Keeps tills running: each that dies is restarted at once, and any can be killed or frozen. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Tills extends AsyncDisposable {
  /** The address of a till that was up a moment ago; empty when none is. */
  readonly pick: () => string;
  /** Kills one that is up, without warning; `false` when none is. */
  readonly kill: () => boolean;
  /** Stops one that is up for so long, while its clients and its leases wait; `false` when none is. */
  readonly freeze: (ms: number) => boolean;
}

interface Till {
  child: ChildProcess | undefined;
  url: string;
}

const PROGRAM = fileURLToPath(new URL('./till.ts', import.meta.url));
const FLAGS = ['--conditions=plimsoll-source', '--disable-warning=ExperimentalWarning'];

export async function openTills(
  count: number,
  env: Readonly<Record<string, string>>,
  random: () => number,
): Promise<Tills> {
  let isClosing = false;
  /** Those that are not up yet, too. */
  const children = new Set<ChildProcess>();
  const tills: Till[] = Array.from({ length: count }, () => ({ child: undefined, url: '' }));

  async function start(till: Till): Promise<void> {
    const child = spawn(process.execPath, [...FLAGS, PROGRAM], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    children.add(child);
    child.once('exit', () => {
      children.delete(child);
      till.child = undefined;
      if (!isClosing) void start(till);
    });
    const line = await new Promise<string>((resolve) => {
      createInterface({ input: child.stdout })
        .once('line', resolve)
        .once('close', () => resolve(''));
    });
    if (line === '') return;
    till.url = line;
    till.child = child;
  }

  const pick = (): Till | undefined => {
    const up = tills.filter((till) => till.child !== undefined);
    return up[Math.floor(random() * up.length)];
  };

  await Promise.all(tills.map(start));
  return {
    pick: () => pick()?.url ?? '',
    kill: () => {
      const victim = pick();
      if (victim?.child === undefined) return false;
      victim.child.kill('SIGKILL');
      victim.child = undefined;
      return true;
    },
    freeze: (ms) => {
      const child = pick()?.child;
      if (child === undefined) return false;
      child.kill('SIGSTOP');
      setTimeout(() => child.kill('SIGCONT'), ms);
      return true;
    },
    [Symbol.asyncDispose]: async () => {
      isClosing = true;
      const ends = [...children].map((child) => once(child, 'exit'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}
