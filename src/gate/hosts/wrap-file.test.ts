import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyWrap, planWrap, unwrapFile } from './wrap-file.ts';

const gate = { command: 'plimsoll', args: ['gate'] };
const FIXTURES = ['claude-desktop.json', 'claude-code-user.json', 'cursor.jsonc', 'vscode.jsonc'];

let home = '';
let scratch = '';
let file = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-wrap-'));
  scratch = join(home, 'project');
  file = join(scratch, 'mcp.json');
  mkdirSync(scratch);
  vi.stubEnv('XDG_STATE_HOME', join(home, 'state'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** What is kept for the one file, by its path in the state folder. */
function kept(): readonly string[] {
  const folder = join(home, 'state/plimsoll/wraps');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    readdirSync(join(folder, name)).map((each) => join(folder, name, each)),
  );
}

function keptNames(): readonly string[] {
  return kept().map((path) => basename(path));
}

async function wrap(): Promise<string> {
  const plan = planWrap(file, gate);
  if ('kind' in plan) throw new Error(plan.faults.join());
  const backup = await applyWrap(plan);
  if (typeof backup !== 'string') throw new Error(backup.faults.join());
  return backup;
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function read(): string {
  return readFileSync(file, 'utf8');
}

const ONE = '{ "mcpServers": { "a": { "command": "x" } } }';

describe('a wrapped file', () => {
  it.each(FIXTURES)('of %s goes back byte for byte, with its mode', async (name) => {
    const bytes = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(readFileSync(`test/fixtures/hosts/${name}`, 'utf8').replaceAll('\n', '\r\n')),
    ]);
    writeFileSync(file, bytes);
    chmodSync(file, 0o660);
    const backup = await wrap();
    expect(readFileSync(backup).equals(bytes)).toBe(true);
    expect(readFileSync(file).equals(bytes)).toBe(false);
    expect(readFileSync(file).subarray(0, 3)).toEqual(bytes.subarray(0, 3));
    expect(modeOf(file)).toBe(0o660);
    expect(keptNames()).toEqual(['backup', 'record.json']);
    expect(kept().map(modeOf)).toEqual([0o600, 0o600]);
    expect(modeOf(dirname(backup))).toBe(0o700);
    expect(readdirSync(scratch)).toEqual(['mcp.json']);
    expect(await unwrapFile(file)).toMatchObject({ kind: 'restored' });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(modeOf(file)).toBe(0o660);
    expect(kept()).toEqual([]);
  });

  it('that was changed since keeps the changes, and each server its old text', async () => {
    writeFileSync(file, ONE);
    await wrap();
    writeFileSync(file, read().replace('{ "mcpServers"', '{ "theme": "dark", "mcpServers"'));
    expect(await unwrapFile(file)).toMatchObject({
      kind: 'edited',
      servers: [{ name: 'a', exact: true }],
    });
    expect(read()).toBe('{ "theme": "dark", "mcpServers": { "a": { "command": "x" } } }');
    expect(keptNames()).toEqual(['backup']);
  });

  it('whose server was changed since loses only the gate', async () => {
    writeFileSync(file, '{"mcpServers":{"a":{"command":"x","args":["1"]}}}');
    await wrap();
    writeFileSync(file, read().replace('"1"', '"1", "2"'));
    expect(await unwrapFile(file)).toMatchObject({ servers: [{ name: 'a', exact: false }] });
    expect(read()).toBe('{"mcpServers":{"a":{"command":"x","args":["1", "2"]}}}');
  });

  it('that gets another server is wrapped again, and unwrapped whole', async () => {
    writeFileSync(file, ONE);
    await wrap();
    const more = ', "b": { "url": "https://b.example" } } }';
    writeFileSync(file, read().replace(/ } }$/, more));
    expect(readFileSync(await wrap(), 'utf8')).toBe(ONE);
    expect(read().match(/"plimsoll"/g)).toHaveLength(2);
    await unwrapFile(file);
    expect(read()).toBe(ONE.replace(/ } }$/, more));
  });

  it('never writes over a backup', async () => {
    writeFileSync(file, ONE);
    const precious = await wrap();
    writeFileSync(precious, 'precious');
    writeFileSync(file, ONE);
    expect(await wrap()).toBe(`${precious}-2`);
    expect(await unwrapFile(file)).toMatchObject({ kind: 'restored' });
    expect(read()).toBe(ONE);
    expect(readFileSync(precious, 'utf8')).toBe('precious');
  });

  it('is not restored from a backup that somebody changed', async () => {
    writeFileSync(file, ONE);
    writeFileSync(await wrap(), '{"mcpServers":{"a":{"command":"evil"}}}');
    expect(await unwrapFile(file)).toMatchObject({ kind: 'edited' });
    expect(read()).toBe(ONE);
  });

  it.each(['{', '{"backup":"../x","backupSha256":"","servers":[]}', '{"servers":[7]}'])(
    'is unwrapped in place when the record is %s',
    async (record) => {
      writeFileSync(file, '{"mcpServers":{"a":{"command":"x","args":["1"]}}}');
      const before = read();
      writeFileSync(join(dirname(await wrap()), 'record.json'), record);
      expect(await unwrapFile(file)).toMatchObject({ kind: 'edited' });
      expect(read()).toBe(before);
    },
  );

  it('that was wrapped with other options for the gate has it already', async () => {
    writeFileSync(file, ONE);
    const plan = planWrap(file, { command: '/opt/gate', args: ['gate', '--policy', '/p.yaml'] });
    if ('kind' in plan) throw new Error('planned');
    await applyWrap(plan);
    const again = planWrap(file, gate);
    expect(again).toMatchObject({ result: { skipped: [{ name: 'a', why: 'already-wrapped' }] } });
    writeFileSync(file, read().replace('/p.yaml', '/evil.yaml'));
    expect(planWrap(file, gate)).toMatchObject({ result: { servers: [{ name: 'a' }] } });
    writeFileSync(file, read().replace('/evil.yaml', '/p.yaml').replace('"x"]', '"x", "-v"]'));
    expect(await unwrapFile(file)).toMatchObject({ servers: [{ name: 'a', exact: false }] });
    expect(read()).toBe(ONE.replace('"x"', '"x", "args": ["-v"]'));
  });
});

describe('nothing is written', () => {
  it.each(['link.json', 'link/mcp.json'])('through a link: %s', async (name) => {
    writeFileSync(file, ONE);
    symlinkSync(file, join(scratch, 'link.json'));
    symlinkSync(scratch, join(scratch, 'link'));
    const path = join(scratch, name);
    const refused = { kind: 'faults', faults: [expect.stringMatching(/link(\.json)? is a link/)] };
    expect(planWrap(path, gate)).toEqual(refused);
    expect(await unwrapFile(path)).toEqual(refused);
  });

  it('when a link takes the place of the file after the look', async () => {
    writeFileSync(file, ONE);
    const plan = planWrap(file, gate);
    if ('kind' in plan) throw new Error('planned');
    const other = join(home, 'other.json');
    writeFileSync(other, ONE);
    rmSync(file);
    symlinkSync(other, file);
    expect(await applyWrap(plan)).toMatchObject({ kind: 'faults' });
    expect(readFileSync(other, 'utf8')).toBe(ONE);
  });

  it('to what is not a plain file', () => {
    mkdirSync(file);
    expect(planWrap(file, gate)).toEqual({ kind: 'faults', faults: ['it is not a plain file'] });
  });

  it('when the file changed between the look and the yes', async () => {
    writeFileSync(file, ONE);
    const plan = planWrap(file, gate);
    writeFileSync(file, `${ONE} `);
    if ('kind' in plan) throw new Error('planned');
    expect(await applyWrap(plan)).toMatchObject({ kind: 'faults' });
    expect(read()).toBe(`${ONE} `);
    expect(readdirSync(scratch)).toEqual(['mcp.json']);
  });

  it('when the file is missing or not UTF-8', () => {
    expect(planWrap(file, gate)).toMatchObject({ kind: 'faults' });
    writeFileSync(file, Buffer.from(ONE, 'utf16le'));
    expect(planWrap(file, gate)).toMatchObject({ kind: 'faults' });
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(planWrap(file, gate)).toEqual({ kind: 'faults', faults: ['it is not UTF-8'] });
  });

  it('by unwrapping what was never wrapped', async () => {
    writeFileSync(file, ONE);
    expect(await unwrapFile(file)).toMatchObject({ kind: 'edited', servers: [] });
    expect(read()).toBe(ONE);
    expect(kept()).toEqual([]);
  });
});
