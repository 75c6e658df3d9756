/** `plimsoll project` as a person runs it: a real process, with files of both kinds. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { documentOf } from '../../test/support/openapi-documents.ts';
import { shopDocument } from '../../test/support/shop-api.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-project-'));

afterAll(() => rmSync(scratch, { recursive: true }));

function write(name: string, data: unknown): string {
  const file = join(scratch, name);
  writeFileSync(file, name.endsWith('.json') ? JSON.stringify(data) : stringify(data));
  return file;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...args: readonly string[]): Promise<Ran> {
  return new Promise((done) => {
    execFile(resolve('bin/plimsoll'), ['project', ...args], (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      done({ code, stdout, stderr });
    });
  });
}

const unstated = documentOf({
  '/notes': {
    get: { operationId: 'notes.list' },
    post: { operationId: 'notes.add', summary: 'Add' },
  },
});

describe('plimsoll project', () => {
  it.each(['shop.yaml', 'shop.json'])('shows the tools of %s with tier and scope', async (name) => {
    const { code, stdout } = await run(write(name, shopDocument));
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'tools: 7, excluded: 5, refused: 0; --explain says why',
      '  orders.list      read            orders:read',
      '  orders.place     external_spend  orders:write',
      '  orders.estimate  read            -',
    ]);
    expect(stdout).not.toContain('Excluded');
  });

  it('explains what gets no tool', async () => {
    const { code, stdout } = await run(write('shop.yaml', shopDocument), '--explain');
    expect(code).toBe(0);
    expect(stdout).toContain('\nExcluded:\n');
    expect(stdout).toContain('  orders.invoice (GET /orders/{id}/invoice): binary-download\n');
    expect(stdout).toContain('return a signed URL in another result.');
  });

  it('ends with 1 when something is refused, and with 0 when the overlay fixes it', async () => {
    const document = write('unstated.yaml', unstated);
    const refused = await run(document, '--explain');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('  notes.add (POST /notes): tier-missing\n');
    expect(refused.stdout).toContain('sideEffect under notes.add in the overlay');
    const overlay = write('overlay.yaml', { 'notes.add': { sideEffect: 'compute' } });
    const fixed = await run(document, '--overlay', overlay);
    expect([fixed.code, fixed.stdout]).toEqual([0, expect.stringContaining('compute')]);
  });

  it('prints everything as JSON', async () => {
    const { code, stdout } = await run(write('unstated.json', unstated), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      tools: [
        {
          name: 'notes.list',
          title: 'Notes List',
          tier: 'read',
          act: 'read',
          scopes: [],
          produces: [],
        },
      ],
      excluded: [],
      refused: [expect.objectContaining({ operation: 'notes.add', code: 'tier-missing' })],
    });
  });

  it('shows nothing of a document that would move the cursor', async () => {
    const document = documentOf({ '/a': { post: { operationId: '\u001b[2Jx\u202ey' } } });
    const { stdout } = await run(write('escapes.json', document), '--explain');
    expect(stdout).toContain('\u{fffd}[2Jx\u{fffd}y');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u202e');
  });

  it.each([
    [['nowhere.yaml'], 'nowhere.yaml cannot be read'],
    [
      [write('bad.json', unstated), '--base-url', 'ftp://x'],
      'baseUrl must be an http or https URL',
    ],
    [[write('tab.yaml', unstated), '--overlay', 'none.yaml'], 'none.yaml cannot be read'],
    [['--explian'], 'Did you mean --explain?'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBeGreaterThan(0);
    expect([stdout, stderr]).toEqual(['', expect.stringContaining(message)]);
  });

  it('shows examples with --help', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    expect(stdout).toContain('plimsoll project openapi.json --overlay overlay.yaml --explain');
  });
});
