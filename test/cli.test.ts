/** The command line as people and hosts use it: real processes, the Inspector, both SDK generations. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, expect, it } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-cli-'));
const plimsoll = resolve('bin/plimsoll');
const catalog = resolve('examples/catalog');

afterAll(() => rmSync(scratch, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: string, ...args: readonly string[]): Promise<Ran> {
  const env = { ...process.env, HOME: scratch };
  return new Promise((done) => {
    execFile(command, args, { env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      done({ code, stdout, stderr });
    });
  });
}

describe('plimsoll tools', () => {
  const tools = [
    { name: 'list_notes' },
    { name: 'delete\u001B[2J_note', annotations: { readOnlyHint: true } },
  ];

  it.each([
    ['an object with tools', { tools }],
    ['a JSON-RPC answer', { jsonrpc: '2.0', id: 1, result: { tools } }],
  ])('reads %s', async (_, answer) => {
    const file = join(scratch, 'tools.json');
    writeFileSync(file, JSON.stringify(answer));
    const { code, stdout } = await run(plimsoll, 'tools', file, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      tools: [
        { name: 'list_notes', tier: 'read', act: 'read', asks: false },
        { name: tools[1]?.name, tier: 'destructive', act: 'delete', asks: true },
      ],
    });
  });

  it('prints a table, the gravest first, that no name can steer', async () => {
    const { stdout } = await run(plimsoll, 'tools', join(scratch, 'tools.json'));
    expect(stdout).toMatch(
      /^tool +tier +act +asks +why\ndelete\S+ +destructive +delete +asks .*\nlist_notes +read/,
    );
    expect(stdout).not.toContain('\u001B');
  });

  it('says why a tool asks that its tier would let run', async () => {
    const file = join(scratch, 'open-world.json');
    const annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
    writeFileSync(file, JSON.stringify({ tools: [{ name: 'update_page', annotations }] }));
    const because = 'it goes out to others, and this is live';
    const json = await run(plimsoll, 'tools', file, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ tools: [{ tier: 'compute', because }] });
    const { stdout } = await run(plimsoll, 'tools', file);
    expect(stdout).toContain(`means update; asks since ${because}`);
  });

  it('refuses what is no list of tools', async () => {
    const file = join(scratch, 'no-tools.json');
    writeFileSync(file, '{"tool":[]}');
    const { code, stderr } = await run(plimsoll, 'tools', file);
    expect(code).toBe(2);
    expect(stderr).toContain('is neither a saved tools/list answer nor');
  });
});

describe('plimsoll tools of a host', () => {
  const memory = resolve('node_modules/@modelcontextprotocol/server-memory/dist/index.js');
  const file = join(scratch, 'config.toml');

  it('lists every server of its configuration, behind the gate or not', async () => {
    writeFileSync(
      file,
      `[mcp_servers.memory]\ncommand = "node"\nargs = ["${memory}"]\n[mcp_servers.gone]\ncommand = "no-such-program"\n`,
    );
    await run(plimsoll, 'wrap', file, '--yes');
    const { code, stdout, stderr } = await run(plimsoll, 'tools', file, '--json');
    expect([code, stderr]).toEqual([1, expect.stringContaining('gone: no-such-program could not')]);
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('delete_entities');
  });

  it('starts only the server that is named, before the file or behind it', async () => {
    for (const words of [
      ['--json', '--server', 'memory', file],
      [file, '--server', 'memory', '--json'],
      [file, '--json', '--server=memory'],
    ]) {
      const { code, stdout, stderr } = await run(plimsoll, 'tools', ...words);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('gone')]);
      const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
      expect(tools.map(({ name }) => name)).toContain('delete_entities');
    }
  });

  it.each([
    [[file, '--server', 'notes'], 'there is no server notes in it; it has memory, gone'],
    [[file, '--all'], 'config.toml is a file, so that --all behind it has no meaning'],
    [[file, 'memory'], 'config.toml is a file, so that memory behind it has no meaning'],
    [['none.yaml', '--server', 'notes'], 'none.yaml cannot be read: it does not exist'],
    [['https://host.invalid/mcp', 'x'], '/mcp is a URL, so that x behind it has no meaning'],
  ])('refuses %j and says what is wrong', async (words, said) => {
    const { code, stderr } = await run(plimsoll, 'tools', ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it('saves the list of one server, as the server sent it', async () => {
    const saved = join(scratch, 'memory.json');
    const source = ['tools', '--server', 'memory', '--save', saved, file];
    expect((await run(plimsoll, ...source)).code).toBe(0);
    const { stdout } = await run(plimsoll, 'tools', saved, '--json');
    expect(stdout).toBe((await run(plimsoll, 'tools', 'node', memory, '--json')).stdout);
    expect((await run(plimsoll, 'check', saved)).stderr).toBe('');
  });
});

describe('plimsoll', () => {
  it('lists every command with --help', async () => {
    const { code, stdout } = await run(plimsoll, '--help');
    expect(code).toBe(0);
    for (const command of ['serve', 'docs', 'project', 'audit', 'ledger', 'tools'])
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  it.each([
    [['serv'], "unknown command 'serv'", 'Did you mean serve?'],
    [['serve', catalog, '--prot', '1'], "unknown option '--prot'", 'Did you mean --port?'],
    [['serve', catalog, '--port', 'many'], 'must be a whole number', '--help'],
    [['serve', 'nowhere'], 'nowhere does not exist', ''],
    [['serve', catalog, '--stdio', '--check'], 'omit --stdio', ''],
  ])('refuses %j', async (args, message, hint) => {
    const { code, stdout, stderr } = await run(plimsoll, ...args);
    expect(code).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it('says what a module must export', async () => {
    const file = join(scratch, 'empty.ts');
    writeFileSync(file, 'export default 7;');
    const { code, stderr } = await run(plimsoll, 'serve', file);
    expect([code, stderr]).toEqual([2, expect.stringContaining('export default createServer')]);
  });

  it.each([
    ['export default { operations: [defineOperation({ ...op, title: "" })] };', /^plimsoll: pay: /],
    [
      'export default () => createServer({ name: "a", version: "1", operations: [defineOperation(op)] });',
      /^plimsoll: pay: it takes an idempotency key.*--ledger/,
    ],
  ])('says without a stack what is wrong with the operations: %s', async (code, message) => {
    const folder = mkdtempSync(join(scratch, 'faulty-'));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const file = join(folder, 'server.ts');
    writeFileSync(
      file,
      `import { createServer, defineOperation, spends } from 'plimsoll/server';
      import * as z from 'zod';
      const op = { name: 'pay', title: 'Pay It', description: 'Pays.', input: z.object({}),
        effect: spends('EUR'), run: () => undefined };
      ${code}`,
    );
    const ran = await run(plimsoll, 'serve', file);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(ran.stderr).not.toContain('    at ');
  });

  it('proves with --check that a server answers', async () => {
    const { code, stdout } = await run(plimsoll, 'serve', catalog, '--check');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^ok: catalog 1\.0\.0 listed 5 tools/),
    ]);
  });

  it('R175: fails when the table of tools is stale, and mends it', async () => {
    const page = join(scratch, 'README.md');
    const fresh = readFileSync(join(catalog, 'README.md'), 'utf8');
    writeFileSync(page, fresh.replace(/^\| `ping`.*\n/m, ''));
    const stale = await run(plimsoll, 'docs', catalog, '--check', page);
    expect([stale.code, stale.stderr]).toEqual([1, expect.stringContaining('is stale')]);
    await run(plimsoll, 'docs', catalog, '--write', page);
    expect(readFileSync(page, 'utf8')).toBe(fresh);
    expect((await run(plimsoll, 'docs', catalog, '--check', join(catalog, 'README.md'))).code).toBe(
      0,
    );
  });
});

describe('serve over HTTP', () => {
  it('prints where it is and how to try it, keeps receipts, and stops when told', async () => {
    const ledger = join(scratch, 'ledger.sqlite');
    const child = spawn(plimsoll, [
      'serve',
      catalog,
      '--grant',
      'qr:write',
      '--as',
      'mia',
      '--ledger',
      `sqlite:${ledger}`,
    ]);
    const shown = await firstOutput(child, 'Stop with Ctrl-C.');
    const url = /MCP +(\S+)/.exec(shown)?.[1] ?? '';
    const token = /Bearer (\S+)'/.exec(shown)?.[1] ?? '';
    expect(shown).toContain(`curl -sS ${url}`);
    const [, pasted = ''] = /^Paste into .*\n([^]*?)\n\n/m.exec(shown) ?? [];
    const granted = ['--as', 'mia', '--grant', 'qr:write'];
    expect(JSON.parse(pasted)).toEqual({
      mcpServers: {
        catalog: {
          command: plimsoll,
          args: ['serve', catalog, '--stdio', ...granted, '--ledger', `sqlite:${ledger}`],
        },
      },
    });
    const body = JSON.stringify({ gtin: '09506000134352' });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const made = await fetch(new URL('/op/generate_qr_url', url), {
      method: 'POST',
      headers,
      body,
    });
    expect(made.status).toBe(200);
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    using kept = new DatabaseSync(ledger, { readOnly: true });
    const bodies = kept.prepare('SELECT body FROM receipts').all() as { body: string }[];
    expect(bodies.map((row) => JSON.parse(row.body) as unknown)).toMatchObject([
      { operation: 'generate_qr_url', principal: 'mia', outcome: 'success', via: 'http' },
    ]);
  });
});

describe('serve over stdio', () => {
  const inspector = resolve('node_modules/.bin/mcp-inspector');
  const server = [plimsoll, 'serve', catalog, '--stdio'];

  it('R58 R173: lists for the Inspector', async () => {
    const { code, stdout } = await run(
      inspector,
      '--cli',
      ...server,
      '--method',
      'tools/list',
      '--format',
      'json',
    );
    expect(code).toBe(0);
    const names = [...stdout.matchAll(/"name": ?"(\w+)"/g)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['ping', 'generate_qr_url']));
    expect(stdout).toContain('Look Up Product');
  });

  it('calls for the Inspector', async () => {
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'validate_gtin',
      '--tool-arg',
      'gtin=9506-0001-34352',
    ];
    const { code, stdout } = await run(inspector, '--cli', ...server, ...call);
    expect([code, stdout]).toEqual([0, expect.stringContaining('09506000134352')]);
  });

  it('serves a client of the first SDK generation', async () => {
    const client = new ClientV1({ name: 'old', version: '1' });
    await client.connect(new StdioV1({ command: plimsoll, args: server.slice(1) }));
    try {
      expect((await client.listTools()).tools).toHaveLength(5);
      expect(await client.callTool({ name: 'ping', arguments: {} })).toMatchObject({
        content: [{ type: 'text', text: 'pong' }],
      });
      const refused = await client.callTool({
        name: 'generate_qr_url',
        arguments: { gtin: '09506000134352' },
      });
      expect(refused).toMatchObject({
        isError: true,
        _meta: { 'dev.plimsoll/problem': { code: 'unauthenticated' } },
      });
    } finally {
      await client.close();
    }
  });

  it('knows a caller without scopes by name', async () => {
    const client = new Client({ name: 'new', version: '1' });
    const args = [...server.slice(1), '--as', 'mia'];
    await client.connect(new StdioClientTransport({ command: plimsoll, args }));
    try {
      const refused = await client.callTool({
        name: 'generate_qr_url',
        arguments: { gtin: '09506000134352' },
      });
      expect(refused).toMatchObject({
        _meta: { 'dev.plimsoll/problem': { code: 'scope-missing', missing: ['qr:write'] } },
      });
    } finally {
      await client.close();
    }
  });

  it.each([{ mode: { pin: '2026-07-28' } }, { mode: 'legacy' }] as const)(
    'serves a current client, %j, as the principal it was started for',
    async (versionNegotiation) => {
      const client = new Client({ name: 'new', version: '1' }, { versionNegotiation });
      const args = [...server.slice(1), '--as', 'mia', '--grant', 'qr:write'];
      await client.connect(new StdioClientTransport({ command: plimsoll, args }));
      try {
        expect((await client.listTools()).tools).toHaveLength(5);
        const made = await client.callTool({
          name: 'generate_qr_url',
          arguments: { gtin: '09506000134352' },
        });
        expect(made.structuredContent).toMatchObject({ gtin: '09506000134352' });
      } finally {
        await client.close();
      }
    },
  );

  it('ends when its client goes away', async () => {
    const child = spawn(plimsoll, server.slice(1));
    const ended = new Promise((done) => child.once('exit', done));
    child.stdin.end();
    expect(await ended).toBe(0);
  });
});

async function firstOutput(child: ChildProcessWithoutNullStreams, until: string): Promise<string> {
  let text = '';
  child.stdout.setEncoding('utf8');
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes(until)) return text;
  }
  throw new Error(`the process ended after: ${text}`);
}
