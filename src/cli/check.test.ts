/** `plimsoll check` as a person runs it, in this process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkCommand } from './check.ts';
import { pinCommand } from './pin.ts';

const good = {
  name: 'get_note',
  title: 'Get note',
  description: 'Returns the text of one note.',
  inputSchema: {
    type: 'object',
    properties: { note_id: { type: 'string', description: 'Which note, as list_notes tells.' } },
    required: ['note_id'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};
const lie = {
  ...good,
  name: 'delete_note',
  title: 'Delete note',
  description: 'Deletes one note for good.',
};
const bare = {
  name: 'get_note',
  description: 'Returns one note.',
  inputSchema: { type: 'object' },
};

let scratch = '';

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'plimsoll-check-'));
  vi.stubEnv('XDG_STATE_HOME', join(scratch, 'state')); // never that of whoever runs the tests
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true });
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

function save(name: string, content: unknown): string {
  const path = join(scratch, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return path;
}

interface Ran {
  readonly out: string;
  readonly told: string;
  readonly code: unknown;
}

async function run(...args: readonly string[]): Promise<Ran> {
  let out = '';
  let told = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told += String(text);
    return true;
  });
  const program = new Command('plimsoll').addCommand(checkCommand()).addCommand(pinCommand());
  try {
    await program.parseAsync([...args], { from: 'user' });
  } finally {
    vi.restoreAllMocks();
  }
  const code = process.exitCode;
  process.exitCode = undefined;
  return { out, told, code };
}

describe('plimsoll check', () => {
  it('finds nothing wrong with a good tool, and ends with 0', async () => {
    const { out, code } = await run('check', save('notes.json', { tools: [good] }));
    expect(out).toContain('server notes: 1 tool, 0 findings');
    expect(out).toContain('Score 100 of 100');
    expect(code).toBe(0);
  });

  it('finds a lie, and ends with 1', async () => {
    const { out, code } = await run('check', save('notes.json', { tools: [good, lie] }));
    expect(out).toMatch(/tool delete_note\n +error/);
    expect(out).not.toContain('tool get_note');
    expect(code).toBe(1);
  });

  it('goes by --fail-on', async () => {
    const path = save('notes.json', { tools: [bare] });
    const { out, code } = await run('check', path, '--format', 'json', '--fail-on', 'info');
    const { counts } = JSON.parse(out) as { counts: Record<string, number> };
    expect(counts['error']).toBe(0);
    expect(code).toBe(1);
    expect((await run('check', path)).code).toBe(0);
  });

  it('R3: fails a server without annotations for a directory', async () => {
    const path = save('notes.json', { tools: [bare] });
    for (const directory of ['anthropic', 'openai']) {
      const { out, code } = await run('check', path, '--submission', directory);
      expect({ directory, code }).toEqual({ directory, code: 1 });
      expect(out).toContain('get_note');
    }
    const { out, code } = await run('check', path, '--profile', 'anthropic-directory');
    expect(out).toContain('annotations-missing');
    expect(code).toBe(1);
    const fit = save('fit.json', { tools: [good] });
    expect((await run('check', fit, '--profile', 'anthropic-directory')).code).toBe(0);
  });

  it('starts the command behind --, next to other sources', async () => {
    const server = save(
      'server.cjs',
      `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (id === undefined) return;
        const result = method === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
          : { tools: [{ name: 'get_x', annotations: { readOnlyHint: 'true' } }] };
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
      });`,
    );
    const saved = save('notes.json', { tools: [good] });
    const { out, code } = await run('check', saved, '--', process.execPath, server, '--fail-on');
    expect(out).toContain('server notes: 1 tool, 0 findings');
    expect(out).toContain('hint-not-boolean');
    expect(code).toBe(1);
  });

  it('checks a project of the kit without starting it', async () => {
    const { out, code } = await run('check', 'examples/catalog', '--format', 'json');
    const { servers } = JSON.parse(out) as { servers: { tools: number; findings: unknown[] }[] };
    expect(servers[0]?.tools).toBe(5);
    expect(code).not.toBe(2);
  });

  it('ends with 2 when something cannot be checked, and tells the rest', async () => {
    const saved = save('notes.json', { tools: [good] });
    const { out, code } = await run('check', saved, join(scratch, 'absent.json'));
    expect(out).toContain('server notes: 1 tool');
    expect(out).toContain('could not be checked: absent');
    expect(code).toBe(2);
    await expect(run('check')).rejects.toThrow(/nothing to check/);
    await expect(run('check', saved, '--config', 'absent.yaml')).rejects.toThrow(/cannot be read/);
    await expect(run('check', saved, '--lock', 'absent.json')).rejects.toThrow(/does not exist/);
  });

  it('takes severities and ignores from the configuration', async () => {
    const path = save('notes.json', { tools: [lie] });
    const ignore = 'ignore:\n  - { rule: read-only-untrue, reason: known, until: 2999-01-01 }\n';
    const config = save('check.yaml', ignore);
    const { out } = await run('check', path, '--config', config);
    expect(out).not.toContain('read-only-untrue');
    const late = save('late.yaml', ignore.replace('2999', '2001'));
    const { out: after, code } = await run('check', path, '--config', late);
    expect(after).toContain('read-only-untrue');
    expect(after).toContain('ignore-expired');
    expect(code).toBe(1);
  });

  it('writes the report to a file', async () => {
    const output = join(scratch, 'check.sarif');
    const path = save('notes.json', { tools: [lie] });
    const { out, told } = await run('check', path, '--format', 'sarif', '--output', output);
    expect(out).toBe('');
    expect(told).toContain('1 server, 1 tool');
    expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({ version: '2.1.0' });
  });

  it('holds tools against the lock', async () => {
    const path = save('notes.json', { tools: [good] });
    const lock = join(scratch, 'lock.json');
    await run('pin', path, '--lock', lock, '--accept');
    expect((await run('check', path, '--lock', lock)).code).toBe(0);
    save('notes.json', { tools: [{ ...good, annotations: {} }] });
    expect((await run('check', path, '--lock', lock)).out).toContain('drift');
  });

  it('prints what hosts do', async () => {
    const { out, code } = await run('check', save('notes.json', { tools: [good] }), '--hosts');
    expect(out).toMatch(/^server notes\n[^]*get_note/);
    expect(code).toBeUndefined();
  });

  it('refuses a profile that there is not', async () => {
    const failing = vi.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('exit');
    });
    await expect(run('check', 'x.json', '--profile', 'nobody')).rejects.toThrow('exit');
    expect(failing).toBeDefined();
  });
});

describe('plimsoll check --fix', () => {
  it('counts what is left after the changes, each change once', async () => {
    const annotations = { readOnlyHint: 'true', destructiveHint: true, openWorldHint: 'false' };
    const path = save('tools.json', { tools: [{ ...lie, annotations }] });
    const { told } = await run('check', path, '--fix');
    expect(told).toContain(
      `${path}: 1 change made\n  delete_note: set /tools/0/annotations/openWorldHint to false (`,
    );
    const { tools } = JSON.parse(readFileSync(path, 'utf8')) as {
      tools: { annotations: object }[];
    };
    expect(tools[0]?.annotations).toEqual({ ...annotations, openWorldHint: false });
    // What no change is proposed for is counted too.
    const { out } = await run('check', path);
    const all = out.match(/^ {4}(?:error|warning|info) /gm)?.length;
    const [, left] = /: (\d+) changes? for you to make$/m.exec(told) ?? [];
    const [, open] = /: (\d+) findings? without an automatic fix,/.exec(told) ?? [];
    expect(Number(left ?? 0) + Number(open ?? 0)).toBe(all);
    const again = await run('check', path, '--fix');
    expect(again.told).toBe(told.replace(/1 change made\n.*/, '0 changes made'));
  });

  const untitled = { ...good, annotations: { ...good.annotations, title: 'Other' } };

  it('fixes a saved list where one change is right, and keeps the rest as it is', async () => {
    const path = save('notes.json', { tools: [{ ...untitled, 'x-own': [1] }] });
    expect((await run('check', path)).out).toContain('title-differs');
    const { out, told } = await run('check', path, '--fix');
    expect(told).toContain(
      '1 change made\n  get_note: set /tools/0/annotations/title to "Get note"',
    );
    expect(told).not.toContain('for you to make');
    expect(out).not.toContain('title-differs');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('\n  "tools": [\n');
    const annotations = { ...good.annotations, title: 'Get note' };
    expect(JSON.parse(text)).toEqual({ tools: [{ ...good, annotations, 'x-own': [1] }] });
  });

  it('leaves to a person what is a matter of which is true', async () => {
    const path = save('notes.json', { tools: [lie] });
    const before = readFileSync(path, 'utf8');
    const { told, code } = await run('check', path, '--fix');
    expect(told).toMatch(/0 changes made\n\S+: \d+ changes? for you to make\n/);
    expect(told).toContain('delete_note: set /tools/0/annotations/readOnlyHint to false');
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(code).toBe(1);
  });

  it('tells the changes for a project, whose hints follow from declarations', async () => {
    const { told } = await run('check', 'examples/catalog', '--profile', 'strict', '--fix');
    expect(told).toMatch(/^catalog: \d+ changes? for you to make\n {2}declaration of /);
  });

  it('does not write a file anew that would lose something by it', async () => {
    const path = save(
      'notes.json',
      JSON.stringify({ tools: [untitled] }).replace('{', '{"n":1,"n":2,'),
    );
    await expect(run('check', path, '--fix')).rejects.toThrow(/same key twice/);
  });
});
