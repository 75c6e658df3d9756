/** A small run of `npm run fuzz`: hostile messages from both sides, and nothing that must never be. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ARGS = ['--conditions=plimsoll-source', '--disable-warning=ExperimentalWarning'];

it(
  '20,000 hostile messages: no uncaught error, no wrong allow, one receipt for each call',
  { timeout: 120_000 },
  async () => {
    const script = resolve('scripts/fuzz.ts');
    const output = await new Promise<string>((done) => {
      const args = [...ARGS, script, '--count', '20000', '--seed', '1'];
      execFile(process.execPath, args, (_, stdout, stderr) => done(stderr + stdout));
    });
    expect(output.trim().split('\n').at(-1)).toBe(
      'messages 20000, uncaught 0, wrong allows 0, unrecorded 0',
    );
  },
);
