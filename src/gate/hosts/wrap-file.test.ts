import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyWrap, planWrap, unwrapFile } from './wrap-file.ts';

const gate = { command: 'plimsoll', args: ['gate'] };
const FIXTURES = ['claude-desktop.json', 'claude-code-user.json', 'cursor.jsonc', 'vscode.jsonc'];

let scratch = '';
let file = '';

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'plimsoll-wrap-'));
  file = join(scratch, 'mcp.json');
});

afterEach(() => rmSync(scratch, { recursive: true }));

async function wrap(): Promise<string> {
  const plan = planWrap(file, gate);
  if ('kind' in plan) throw new Error(plan.faults.join());
  const backup = await applyWrap(plan);
  if (typeof backup !== 'string') throw new Error(backup.faults.join());
  return backup;
}

function modeOf(name: string): number {
  return statSync(join(scratch, name)).mode & 0o777;
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
    expect(await wrap()).toBe('mcp.json.plimsoll-backup');
    expect(readFileSync(file).equals(bytes)).toBe(false);
    expect(readFileSync(file).subarray(0, 3)).toEqual(bytes.subarray(0, 3));
    expect(modeOf('mcp.json')).toBe(0o660);
    expect(modeOf('mcp.json.plimsoll-backup')).toBe(0o600);
    expect(modeOf('mcp.json.plimsoll-wrap.json')).toBe(0o600);
    expect(readdirSync(scratch)).toHaveLength(3);
    expect(await unwrapFile(file)).toMatchObject({ kind: 'restored' });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(modeOf('mcp.json')).toBe(0o660);
    expect(readdirSync(scratch)).toEqual(['mcp.json']);
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
    expect(readdirSync(scratch)).toEqual(['mcp.json', 'mcp.json.plimsoll-backup']);
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
    expect(await wrap()).toBe('mcp.json.plimsoll-backup');
    expect(readFileSync(join(scratch, 'mcp.json.plimsoll-backup'), 'utf8')).toBe(ONE);
    expect(read().match(/"plimsoll"/g)).toHaveLength(2);
    await unwrapFile(file);
    expect(read()).toBe(ONE.replace(/ } }$/, more));
  });

  it('never writes over a backup', async () => {
    writeFileSync(file, ONE);
    writeFileSync(join(scratch, 'mcp.json.plimsoll-backup'), 'precious');
    expect(await wrap()).toBe('mcp.json.plimsoll-backup-2');
    expect(await unwrapFile(file)).toMatchObject({ kind: 'restored' });
    expect(read()).toBe(ONE);
    expect(readFileSync(join(scratch, 'mcp.json.plimsoll-backup'), 'utf8')).toBe('precious');
  });

  it('is not restored from a backup that somebody changed', async () => {
    writeFileSync(file, ONE);
    writeFileSync(join(scratch, await wrap()), '{"mcpServers":{"a":{"command":"evil"}}}');
    expect(await unwrapFile(file)).toMatchObject({ kind: 'edited' });
    expect(read()).toBe(ONE);
  });

  it.each(['{', '{"backup":"../x","backupSha256":"","servers":[]}', '{"servers":[7]}'])(
    'is unwrapped in place when the record is %s',
    async (record) => {
      writeFileSync(file, '{"mcpServers":{"a":{"command":"x","args":["1"]}}}');
      const before = read();
      await wrap();
      writeFileSync(`${file}.plimsoll-wrap.json`, record);
      expect(await unwrapFile(file)).toMatchObject({ kind: 'edited' });
      expect(read()).toBe(before);
    },
  );

  it('behind a link stays behind it', async () => {
    const link = join(scratch, 'link.json');
    writeFileSync(file, ONE);
    symlinkSync(file, link);
    file = link;
    await wrap();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(scratch, 'mcp.json'), 'utf8')).toContain('plimsoll');
    await unwrapFile(link);
    expect(readFileSync(join(scratch, 'mcp.json'), 'utf8')).toBe(ONE);
  });
});

describe('nothing is written', () => {
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
    expect(existsSync(`${file}.plimsoll-wrap.json`)).toBe(false);
  });
});
