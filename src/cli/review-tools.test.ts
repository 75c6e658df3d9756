/** `plimsoll tools --review` as a person at a terminal uses it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inferEffect } from '../effect/infer/infer-effect.ts';
import { openPins } from '../gate/tools/pins.ts';
import { CliError } from './cli-error.ts';
import { toolsCommand } from './tools.ts';

const TOOLS = [
  { name: 'get_note', description: 'Gets a note.' },
  { name: 'dlt_usr', description: 'User of an account' },
  { name: 'delete_note', description: 'Deletes a note.' },
  { name: 'frobnicate\u202E', description: 'Thing' },
];

let scratch = '';
let lock = '';

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'plimsoll-review-'));
  lock = join(scratch, 'lock.json');
  // Never the ledger of whoever runs the tests.
  vi.stubEnv('XDG_STATE_HOME', join(scratch, 'state'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true });
});

async function review(typed: string, isTTY = true): Promise<string> {
  const file = join(scratch, 'tools.json');
  writeFileSync(file, JSON.stringify({ tools: TOOLS }));
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  let text = '';
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  input.end(typed);
  const flags = ['--review', '--server', 'notes', '--lock', lock, '--as', 'mia'];
  await toolsCommand({ input, output }).parseAsync([...flags, file], { from: 'user' });
  return text;
}

describe('plimsoll tools --review', () => {
  it('asks about what is not certain only, with the reasons, and pins the answers', async () => {
    const text = await review('5\n1\n');
    expect(text).toContain('notes: 4 tools, 2 to review');
    expect(text).toContain('1 of 2  dlt_usr');
    expect(text).toContain('both name a thing');
    expect(text).toMatch(/frobnicate\S*202E/);
    expect(text).toContain(`pinned 2 tools in ${lock}`);
    const pins = openPins(lock);
    expect(pins.pinOf('notes', 'dlt_usr')).toMatchObject({
      tier: 'destructive',
      stated: true,
      acceptedBy: 'mia',
    });
    expect(pins.pinOf('notes', 'delete_note')).toBeUndefined();
    const trust = pins.trustOf('notes', 'frobnicate\u202E');
    expect(inferEffect(TOOLS[3], trust)).toMatchObject({ asks: false, confidence: 1 });
  });

  it('takes a tier in the word of the console or by its name', async () => {
    await review('destroys\ncompute\n');
    const pins = openPins(lock);
    expect(pins.pinOf('notes', 'dlt_usr')?.tier).toBe('destructive');
    expect(pins.pinOf('notes', 'frobnicate\u202E')?.tier).toBe('compute');
  });

  it('does not ask again about what was answered', async () => {
    await review('2\n\n');
    expect(await review('\n')).toContain('notes: 4 tools, 1 to review');
  });

  it('keeps the answers given before it was stopped, and explains the tiers', async () => {
    const text = await review('?\n3\nq\n');
    expect(text).toContain('Moves money or credits.');
    expect(text).toContain('pinned 1 tool in');
    expect(openPins(lock).pinOf('notes', 'dlt_usr')?.stated).toBe(true);
  });

  it('pins nothing where no person is at a terminal', async () => {
    await expect(review('1\n1\n', false)).rejects.toThrow(CliError);
    expect(() => readFileSync(lock)).toThrow(/ENOENT/);
  });
});
