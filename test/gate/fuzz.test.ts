/** Small runs of `npm run fuzz`: hostile messages from both sides, and nothing that must never be. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ARGS = ['--conditions=plimsoll-source', '--disable-warning=ExperimentalWarning'];

it.each([
  ['stdio', 20_000],
  ['http,console', 640],
])(
  'hostile messages to %s, %d of them: no uncaught error, no wrong allow, one receipt for each call',
  { timeout: 120_000 },
  async (targets, count) => {
    const script = resolve('scripts/fuzz.ts');
    const output = await new Promise<string>((done) => {
      const args = [...ARGS, script, '--count', String(count), '--seed', '1', '--target', targets];
      execFile(process.execPath, args, (_, stdout, stderr) => done(stderr + stdout));
    });
    expect(output.trim().split('\n').at(-1)).toBe(
      `messages ${count}, uncaught 0, wrong allows 0, unrecorded 0`,
    );
    expect(output).not.toContain(' 0 calls');
  },
);
