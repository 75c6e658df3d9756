/** A bench that is stopped by a signal leaves neither its files nor the programs that it started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { descendantsOf } from '../bench/gate/process-cost.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FLAGS = ['--conditions=plimsoll-source', '--disable-warning=ExperimentalWarning'];
let folder = '';
let started: readonly number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-stopped-'));
});

afterEach(() => {
  for (const pid of started.filter(isAlive)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('on %s', async (signal) => {
  // The source, so that nothing has to be built first.
  const args = ['bench/gate.ts', '--only', 'http', '--gate', 'src/cli/bin.ts'];
  const bench = spawn(process.execPath, [...FLAGS, ...args], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  });
  const { pid = 0 } = bench;
  const exit = once(bench, 'exit');
  // A server, two gates and the server behind one of them.
  await expect.poll(() => (started = descendantsOf(pid)).length).toBe(4);
  expect(readdirSync(folder)).toHaveLength(1);
  bench.kill(signal);
  expect(await exit).toEqual([128 + constants.signals[signal], null]);
  expect(readdirSync(folder)).toEqual([]);
  await expect.poll(() => started.filter(isAlive)).toEqual([]);
});
