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

async function review(
  typed: string,
  isTTY = true,
  tools: readonly object[] = TOOLS,
): Promise<string> {
  const file = join(scratch, 'tools.json');
  writeFileSync(file, JSON.stringify({ tools }));
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

function readServers(): object {
  return (JSON.parse(readFileSync(lock, 'utf8')) as { readonly servers: object }).servers;
}

describe('plimsoll tools --review', () => {
  it('says at which gate the pins hold whose server nobody named; a configuration names it', async () => {
    const saved = join(scratch, 'saved.json');
    writeFileSync(saved, JSON.stringify({ tools: TOOLS }));
    const code = `process.stdin.on('data', (d) => { for (const line of String(d).trim().split('\\n')) { const { id, method } = JSON.parse(line); const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } : { tools: ${JSON.stringify(TOOLS)} }; if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result })); } }).on('end', () => process.exit());`;
    const script = join(scratch, 'server.mjs');
    writeFileSync(script, code);
    const config = join(scratch, '.mcp.json');
    const memory = { command: process.execPath, args: [script] };
    writeFileSync(config, JSON.stringify({ mcpServers: { memory } }));
    const run = async (source: string, typed = '1\n'): Promise<string> => {
      let said = '';
      const heard = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
        said += String(text);
        return true;
      });
      const input = Object.assign(new PassThrough(), { isTTY: true });
      input.end(typed);
      const terminal = { input, output: new PassThrough() };
      const flags = ['--review', '--lock', lock];
      await toolsCommand(terminal).parseAsync([...flags, source], { from: 'user' });
      heard.mockRestore();
      return said;
    };
    expect(await run(saved, 'q\n')).toBe('');
    expect(await run(saved)).toContain('plimsoll gate --name saved ');
    expect(await run(config)).toBe('');
    expect(Object.keys(readServers())).toEqual(['memory', 'saved']);
  });

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

  it('offers what asks by a guess: by its description, its parameters or a warning', async () => {
    const action = { enum: ['get', 'delete'] };
    const text = await review('', true, [
      { name: 'notes', description: 'Cancel a reminder' },
      { name: 'page', description: 'Manage a page' },
      { name: 'edit_page', inputSchema: { properties: { path: {}, content: {} } } },
      { name: 'update_theme', annotations: { destructiveHint: true } },
      { name: 'delete_note' },
      { name: 'save_note', inputSchema: { properties: { action } } },
      { name: 'run_sql', inputSchema: { properties: { sql: {} } } },
      { name: 'get_note' },
    ]);
    expect(text).toContain('notes: 8 tools, 4 to review');
  });

  it('leaves out what depends on its arguments, whatever hints make it uncertain', async () => {
    const annotations = { readOnlyHint: true, destructiveHint: false };
    const offered = (name: string, properties: object): object => ({
      name,
      annotations,
      inputSchema: { properties },
    });
    const text = await review('', true, [
      offered('call_tool', { name: {}, arguments: {} }),
      offered('manage_user', { action: { enum: ['get', 'delete'] } }),
      offered('manage_page', { action: {} }),
      offered('page', { action: {} }),
      offered('update_page', { force: { type: 'boolean' } }),
      offered('frob_page', { sql: {} }),
      offered('frob', { options: { properties: { http_method: {} } } }),
      offered('frobnicate', { label: {} }),
    ]);
    expect(text).toContain('notes: 8 tools, 1 to review');
  });

  it('leaves out what a name does not tell apart', async () => {
    const text = await review('', true, [
      { name: '' },
      { name: ' \u200B' },
      { name: 'frob', description: 'Thing' },
      { name: 'frob', description: 'Other thing' },
    ]);
    expect(text).toContain('notes: 4 tools, 0 to review');
  });

  it('names those that ask and are not offered, with the reason', async () => {
    const text = await review('', true, [
      { name: 'frob', description: 'Thing' },
      { name: 'get_note' },
      { name: 'delete_note\u202E' },
      { name: 'set_label', description: 'Sets a label.' },
      { name: 'manage_page', inputSchema: { properties: { action: {} } } },
      { name: 'delete_page', description: 'One' },
      { name: 'delete_page', description: 'Two' },
    ]);
    expect(text).toContain('notes: 7 tools, 1 to review\n5 more ask and are not offered here:\n');
    expect(text).toContain('  delete_note⟨U+202E⟩: what it does is plain; to state another tier: ');
    expect(text).toContain('  set_label: only its first use asks, which a lasting yes answers\n');
    expect(text).toContain('  manage_page: what it does depends on its arguments');
    expect(text).toContain('  delete_page, delete_page: two tools have this name');
    expect(text).not.toContain('  get_note:');
    expect(await review('', true, [{ name: 'get_note' }])).not.toContain('not offered');
  });

  it('shows choices and nested parameters, and a description to its last word', async () => {
    const text = await review('1\n', true, [
      {
        name: 'frobnicate',
        description: `Frobs.\r\n${'a '.repeat(9000)}and pays\n1 of 1  fake\u202E`,
        inputSchema: {
          properties: {
            kind: { enum: ['small', 'large'] },
            options: { properties: { deep: {} } },
          },
        },
      },
    ]);
    expect(text).toContain('takes kind (small, large), options, deep in options');
    expect(text).toContain('  | Frobs.\n  | a a ');
    expect(text).toContain('a and pays\n  | 1 of 1  fake⟨U+202E⟩\n');
    expect(text).toContain('frobnicate is pinned as read');
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
