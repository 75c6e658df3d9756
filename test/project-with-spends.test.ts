/** What a project of the kit declares is listed without a ledger, which only calls need. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runMain } from './support/run-main.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-spends-'));
const file = join(folder, 'server.mjs');
const kit = pathToFileURL(join(import.meta.dirname, '..', 'src', 'index.ts')).href;
const serve = pathToFileURL(join(import.meta.dirname, '..', 'src', 'serve', 'index.ts')).href;

writeFileSync(
  file,
  `import * as z from '${import.meta.resolve('zod')}';
import { defineOperation, spends } from '${kit}';
import { createServer } from '${serve}';

const pay = defineOperation({
  name: 'pay_bill',
  title: 'Pay bill',
  description: 'Pays one bill.',
  effect: spends('EUR'),
  input: z.strictObject({ bill: z.string().describe('Which one') }),
  output: z.strictObject({ paid: z.boolean().describe('Whether it was') }),
  run: () => ({ paid: true }),
});

export default (context) => createServer({ name: 'bills', version: '1.0.0', operations: [pay], ...context });
`,
);
writeFileSync(join(folder, 'package.json'), '{"main":"server.mjs"}');

afterAll(() => rmSync(folder, { recursive: true }));

describe('a project of the kit with an operation that spends', () => {
  it.each([
    ['docs', file],
    ['check', file],
    ['tools', file],
    ['tools', folder],
  ])('%s %s lists it', async (command, path) => {
    vi.stubEnv('XDG_STATE_HOME', folder);
    const { code, stdout, stderr } = await runMain([command, path]);
    expect(stderr).toBe('');
    expect(code === 0 || command === 'check').toBe(true);
    expect(stdout).toContain(command === 'check' ? 'bills' : 'pay_bill');
    expect(stdout).not.toContain('could not');
    vi.unstubAllEnvs();
  });
});
