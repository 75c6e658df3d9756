/** `plimsoll wrap` and `plimsoll unwrap` as a person runs them. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VERSION } from '../lib/version.ts';
import { unwrapCommand } from './unwrap.ts';
import { wrapCommand } from './wrap.ts';

const TEXT = `{
  "mcpServers": {
    "notes": { "command": "notes-mcp" }, // ours
    "old": { "type": "sse", "url": "https://old.example/sse" },
  }
}`;

/** Instead of a file. */
const ALL = 'all hosts';

let home = '';
let scratch = '';
let file = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-wrap-'));
  scratch = join(home, 'project');
  mkdirSync(scratch);
  vi.stubEnv('XDG_STATE_HOME', join(home, 'state'));
  file = join(scratch, 'mcp.json');
  writeFileSync(file, TEXT);
});

afterEach(() => {
  rmSync(home, { recursive: true });
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function run(command: Command, ...flags: readonly string[]): Promise<string> {
  let out = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  const files = flags.includes(ALL) ? [] : [file];
  const words = flags.filter((flag) => flag !== ALL);
  await command.parseAsync([...files, ...words], { from: 'user' });
  vi.restoreAllMocks();
  return out;
}

function read(): string {
  return readFileSync(file, 'utf8');
}

function commandOf(name: string): { readonly command: string; readonly args: readonly string[] } {
  const text = read()
    .replaceAll(/ \/\/.*$/gm, '')
    .replaceAll(/,(?=\s*\})/g, '');
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: Record<string, { command: string; args: readonly string[] }>;
  };
  return mcpServers[name] ?? { command: '', args: [] };
}

describe('plimsoll wrap', () => {
  it('shows the diff and what is left, writes, and unwrap restores', async () => {
    const out = await run(wrapCommand(), '--yes', '--gate-command', 'plimsoll');
    expect(out).toContain('-    "notes": { "command": "notes-mcp" }, // ours\n');
    expect(out).toContain(
      '+    "notes": { "command": "plimsoll", "args": ["gate", "--name", "notes", "--", "notes-mcp"] }, // ours\n',
    );
    expect(out).toContain('mcpServers.old is skipped: it uses the old SSE transport');
    expect(out).toContain(
      `the original file is in ${join(home, 'state/plimsoll/wraps/mcp.json-')}`,
    );
    expect(read()).toContain('"--", "notes-mcp"');
    expect(await run(unwrapCommand(), '--yes')).toBe('restored byte for byte\n');
    expect(read()).toBe(TEXT);
  });

  it('says in which form an entry must be that it cannot edit', async () => {
    file = join(scratch, 'config.toml');
    writeFileSync(file, '[mcp_servers]\na = { command = "notes-mcp" }\n');
    const out = await run(wrapCommand(), '--yes');
    expect(out).toContain(
      'mcp_servers.a is skipped: wrap cannot edit it in this form (an inline table,',
    );
    expect(out).toContain('such as [mcp_servers.NAME] in TOML');
    writeFileSync(file, '[mcp_servers.a]\ncommand = "notes-mcp"\n');
    expect(await run(wrapCommand(), '--yes')).toContain('wrapped 1 in');
  });

  it('writes nothing with --dry-run, or when nobody can be asked', async () => {
    expect(await run(wrapCommand(), '--dry-run')).toContain('nothing was written');
    await expect(run(wrapCommand())).rejects.toThrow(/--yes/);
    expect(read()).toBe(TEXT);
    expect(readdirSync(scratch)).toEqual(['mcp.json']);
  });

  it('hands on words for the gate', async () => {
    await run(
      wrapCommand(),
      '--yes',
      '--gate-command',
      '/opt/plimsoll',
      '--gate-arg=--mode',
      '--gate-arg=live',
    );
    expect(read()).toContain(
      '"/opt/plimsoll", "args": ["gate", "--mode", "live", "--name", "notes", "--", "notes-mcp"]',
    );
    expect(await run(wrapCommand(), '--yes')).toContain('there is nothing to wrap');
  });

  it('writes a command that starts from anywhere, unless it is told another one', async () => {
    await run(wrapCommand(), '--yes');
    const { command } = commandOf('notes');
    expect(isAbsolute(command)).toBe(true);
    const { stdout } = await promisify(execFile)(command, ['--version'], { cwd: '/', env: {} });
    expect(stdout).toBe(`${VERSION}\n`);
  });

  it('takes a command of several words', async () => {
    await run(wrapCommand(), '--yes', '--gate-command', 'npx -y "plimsoll@0.1.0"');
    expect(commandOf('notes')).toEqual({
      command: 'npx',
      args: ['-y', 'plimsoll@0.1.0', 'gate', '--name', 'notes', '--', 'notes-mcp'],
    });
    writeFileSync(file, `${read()}\n`);
    expect(await run(unwrapCommand())).toContain('notes: restored');
    expect(read()).toBe(`${TEXT}\n`);
  });

  it('takes a path with spaces for one word', async () => {
    const program = join(home, 'my plimsoll');
    writeFileSync(program, '');
    await run(wrapCommand(), '--yes', '--gate-command', program);
    expect(commandOf('notes').command).toBe(program);
  });

  it('says what to do next, also where a server may want a sign-in', async () => {
    writeFileSync(file, '{"mcpServers":{"crm":{"url":"https://crm.example/mcp"}}}');
    const out = await run(wrapCommand(), '--yes');
    expect(out).toContain('Restart the host.');
    expect(out).toContain('If crm wants you to sign in: plimsoll login https://crm.example/mcp');
    expect(out).toContain('plimsoll approve --watch');
    expect(out).toContain('plimsoll unwrap');
  });

  it('prints JSON', async () => {
    expect(JSON.parse(await run(wrapCommand(), '--yes', '--json'))).toMatchObject({
      layout: 'mcpServers',
      written: true,
      wrapped: [{ name: 'notes' }],
      skipped: [{ name: 'old', why: 'sse' }],
    });
    expect(JSON.parse(await run(unwrapCommand(), '--json'))).toMatchObject({ kind: 'restored' });
  });

  it('says what is wrong with a file, and where', async () => {
    writeFileSync(file, '{ "mcpServers": { oops } }');
    await expect(run(wrapCommand(), '--yes')).rejects.toThrow(/line 1, column 19/);
    await expect(run(unwrapCommand())).rejects.toThrow(/line 1, column 19/);
  });

  it('keeps what steers a terminal out of it', async () => {
    writeFileSync(file, '{"mcpServers":{"a":{"command":"x"}}} // \u{1b}[2J');
    expect(await run(wrapCommand(), '--dry-run')).not.toContain('\u{1b}');
  });

  it('tells of servers that were changed since', async () => {
    await run(wrapCommand(), '--yes');
    writeFileSync(file, read().replace('"notes-mcp"]', '"notes-mcp", "-v"]'));
    expect(await run(unwrapCommand())).toContain('notes: changed since');
    expect(read()).toContain('"notes": { "command": "notes-mcp", "args": ["-v"] }, // ours');
  });
});

describe('plimsoll wrap without a file', () => {
  const cursor = (): string => join(home, '.cursor/mcp.json');
  const codex = (): string => join(home, '.codex/config.toml');
  const CODEX = '# mine\n[mcp_servers.shop]\ncommand = "shop-mcp" # ours\n';

  beforeEach(() => {
    for (const path of [cursor(), codex()]) mkdirSync(dirname(path));
    writeFileSync(cursor(), TEXT);
    writeFileSync(codex(), CODEX);
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'));
    vi.stubEnv('CODEX_HOME', '');
    vi.spyOn(process, 'cwd').mockReturnValue(scratch);
  });

  it('finds the hosts, shows what it would do, and writes nothing', async () => {
    const out = await run(wrapCommand(), ALL);
    expect(out).toContain(`Cursor: ${cursor()}\n`);
    expect(out).toContain(`Codex: ${codex()}\n`);
    expect(out).toContain('+command = ');
    expect(out).toContain('nothing was written; plimsoll wrap --yes writes all of it');
    expect(readFileSync(cursor(), 'utf8')).toBe(TEXT);
  });

  it('wraps all with --yes, and unwrap brings all back', async () => {
    const out = await run(wrapCommand(), ALL, '--yes');
    expect(out).toContain('Restart Cursor, Codex.');
    expect(readFileSync(codex(), 'utf8')).toContain('"--", "shop-mcp"] # ours');
    const back = await run(unwrapCommand(), ALL);
    expect(back).toContain(`${cursor()}: restored byte for byte\n`);
    expect(back).toContain(`${codex()}: restored byte for byte\n`);
    expect(readFileSync(cursor(), 'utf8')).toBe(TEXT);
    expect(readFileSync(codex(), 'utf8')).toBe(CODEX);
    expect(await run(unwrapCommand(), ALL)).toBe('nothing is wrapped\n');
  });

  it('leaves a link alone and goes on with the others', async () => {
    rmSync(cursor());
    symlinkSync(codex(), cursor());
    const out = await run(wrapCommand(), ALL, '--yes');
    expect(out).toContain(`Cursor: ${cursor()} was not changed: ${cursor()} is a link`);
    expect(readFileSync(codex(), 'utf8')).toContain('"--", "shop-mcp"] # ours');
  });

  it('prints all of it as JSON', async () => {
    expect(JSON.parse(await run(wrapCommand(), ALL, '--json', '--dry-run'))).toMatchObject({
      files: [
        { host: 'Cursor', file: cursor(), written: false, wrapped: [{ name: 'notes' }] },
        { host: 'Codex', file: codex(), written: false, wrapped: [{ name: 'shop' }] },
      ],
    });
  });
});

describe('plimsoll wrap --together', () => {
  const server = (...tools: readonly string[]): readonly string[] => [
    process.execPath,
    '-e',
    `const names = ${JSON.stringify(tools)};
     const say = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
     require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
       const { id, method, params } = JSON.parse(line);
       if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
       else if (method === 'tools/list') say({ id, result: { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) } });
       else if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: process.env.WHO + ' ran ' + params.name }] } });
     }).on('close', () => process.exit());`,
  ];

  function write(servers: Readonly<Record<string, readonly string[]>>): string {
    const entries = Object.entries(servers).map(([name, [command, ...args]]) => {
      const entry = JSON.stringify({ command, args, env: { WHO: name } });
      return `    "${name}": ${entry}, // ${name}\n`;
    });
    const text = `{\n  "mcpServers": {\n${entries.join('')}    "far": { "url": "https://far.example/mcp" },\n  },\n}\n`;
    writeFileSync(file, text);
    return text;
  }

  it('starts one gate for several servers, with the tool names that they have, and unwrap restores', async () => {
    const text = write({ notes: server('get_note', 'list_notes'), shop: server('get_price') });
    const out = await run(wrapCommand(), '--yes', '--together');
    expect(out).toContain('notes, shop share one gate, plimsoll, under the same tool names');
    expect(out).toContain('wrapped 3 in');
    const { command, args } = commandOf('plimsoll');
    expect(args).toContain('--together');
    expect(commandOf('far').args).toContain('--url-env');
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['get_note', 'list_notes', 'get_price']);
    const { content } = await client.callTool({ name: 'get_price', arguments: {} });
    expect(JSON.stringify(content)).toContain('shop ran get_price');
    await client.close();

    expect(await run(wrapCommand(), '--yes', '--together')).toContain('there is nothing to wrap');
    expect(await run(unwrapCommand())).toContain('restored byte for byte');
    expect(read()).toBe(text);
    expect(readdirSync(join(home, 'state/plimsoll/wraps'), { recursive: true })).not.toContainEqual(
      expect.stringContaining('together'),
    );
  }, 60_000);

  it('restores each entry in place when the file was changed since', async () => {
    write({ notes: server('get_note'), shop: server('get_price') });
    await run(wrapCommand(), '--yes', '--together');
    writeFileSync(file, read().replace('"far"', '"remote"'));
    expect(await run(unwrapCommand())).toContain('shop: restored');
    expect(commandOf('notes')).toMatchObject({ command: process.execPath });
    expect(commandOf('shop')).toMatchObject({ command: process.execPath });
    expect(read()).not.toContain('together');
  }, 60_000);

  it('restores the servers of a gate that was given another name', async () => {
    write({ notes: server('get_note'), shop: server('get_price') });
    await run(wrapCommand(), '--yes', '--together');
    writeFileSync(file, read().replace('"plimsoll"', '"all"'));
    expect(await run(unwrapCommand())).toContain('shop: restored');
    expect(commandOf('notes')).toMatchObject({ command: process.execPath });
    expect(read()).not.toContain('together');
  }, 60_000);

  it('keeps what a gate that was moved elsewhere in the file still reads', async () => {
    write({ notes: server('get_note'), shop: server('get_price') });
    await run(wrapCommand(), '--yes', '--together');
    const { args } = commandOf('plimsoll');
    const shared = args.at(-1) ?? '';
    const moved = JSON.stringify({ mcpServers: {}, elsewhere: { command: 'x', args } });
    writeFileSync(file, moved);
    await run(unwrapCommand()).catch(() => {});
    expect(read()).toBe(moved);
    expect(JSON.parse(readFileSync(shared, 'utf8'))).toMatchObject({ version: 1 });
    write({ one: server('get_one'), two: server('get_two') });
    await run(wrapCommand(), '--yes', '--together');
    expect(commandOf('plimsoll').args.at(-1)).not.toBe(shared);
  }, 60_000);

  it('gives a gate of its own to a server whose name differs from another by letter case alone', async () => {
    write({ notes: server('get_note'), shop: server('get_price'), Notes: server('other') });
    const out = await run(wrapCommand(), '--yes', '--together');
    expect(out).toContain('Notes gets a gate of its own: two servers are named “Notes”');
    expect(commandOf('Notes').args).toContain('--name');
    const { command, args } = commandOf('plimsoll');
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toEqual(['get_note', 'get_price']);
  }, 60_000);

  it('refuses two servers with a tool of the same name, and writes nothing', async () => {
    const text = write({ notes: server('get', 'search'), shop: server('search') });
    await expect(run(wrapCommand(), '--yes', '--together')).rejects.toThrow(
      'notes and shop both have a tool named search, so they cannot share a gate; nothing was written. Wrap the file without --together.',
    );
    expect(read()).toBe(text);
  }, 60_000);

  it('gives a gate of its own to what cannot be listed or has settings of its own', async () => {
    write({ notes: server('get_note'), shop: server('get_price'), gone: ['no-such-command'] });
    writeFileSync(
      file,
      read().replace('"far": {', '"own": { "command": "x", "cwd": "/" },\n    "far": {'),
    );
    const out = await run(wrapCommand(), '--yes', '--together');
    expect(out).toMatch(/gone gets a gate of its own: its tools cannot be listed/);
    expect(commandOf('gone').args).toContain('--name');
    expect(commandOf('own').args).toContain('--name');
    expect(commandOf('plimsoll').args).toContain('--together');
  }, 60_000);
});
