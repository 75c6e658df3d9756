/** Ordinary mistakes at the command line, as real processes: one sentence that says what to do, and no stack. */
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-mistakes-'));
const plimsoll = resolve('bin/plimsoll');
const catalog = resolve('examples/catalog');
const CLIENT =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}';
const taken = createServer();
let port = '';

beforeAll(async () => {
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  port = String((taken.address() as { readonly port: number }).port);
});

afterAll(async () => {
  await new Promise((done) => taken.close(done));
  rmSync(scratch, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: string, ...args: readonly string[]): Promise<Ran> {
  const env = { ...process.env, HOME: scratch, XDG_STATE_HOME: join(scratch, 'state') };
  const ran = await new Promise<Ran>((done) => {
    const child = execFile(
      command,
      args,
      { env, cwd: scratch, timeout: 60_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        done({ code, stdout, stderr });
      },
    );
    child.stdin?.end();
  });
  expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/^ {4}at /m);
  return ran;
}

describe('an address', () => {
  it('that is in use is named, with what to do', async () => {
    const sentence = `port ${port} of 127.0.0.1 is in use; stop the program that uses it, or choose another port`;
    await run(plimsoll, 'gate', '--', 'true'); // makes the ledger that the console opens
    for (const args of [
      ['serve', catalog, '--port', port],
      ['gate', '--http', `127.0.0.1:${port}`, '--', 'cat'],
      ['console', '--port', port],
    ]) {
      const { code, stderr } = await run(plimsoll, ...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    }
  });

  it('that is not one of this machine is named', async () => {
    const { code, stderr } = await run(plimsoll, 'serve', catalog, '--host', '192.0.2.1');
    expect([code, stderr]).toEqual([
      1,
      'plimsoll: 192.0.2.1 is not an address of this machine; 127.0.0.1 always is\n',
    ]);
  });

  it('that others can reach is refused without tokens', async () => {
    const { code, stderr } = await run(plimsoll, 'gate', '--http', '0.0.0.0:0', '--', 'cat');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('listen on 127.0.0.1, or name tokens'),
    ]);
  });
});

describe('a ledger', () => {
  it.each([
    ['of a newer program', 'newer', 'which is newer than this program supports; use the Plimsoll'],
    ['that is something else', 'other', 'file is not a database'],
  ])('%s is named, with the reason', async (_, name, reason) => {
    const file = join(scratch, `${name}.sqlite`);
    if (name === 'other') writeFileSync(file, 'this is no database, whatever its name says');
    else {
      using database = new DatabaseSync(file);
      database.exec('CREATE TABLE ledger_version (version BIGINT PRIMARY KEY)');
      database.exec('INSERT INTO ledger_version VALUES (9999)');
    }
    for (const args of [
      ['gate', '--ledger', `sqlite:${file}`, '--', 'cat'],
      ['serve', catalog, '--ledger', `sqlite:${file}`, '--port', '0'],
    ]) {
      const { code, stderr } = await run(plimsoll, ...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
      expect(stderr).toMatch(/^plimsoll: sqlite:\S+ cannot be opened: /);
    }
  });
});

describe('a lock', () => {
  it('that was named and does not exist is an error', async () => {
    const gate = await run(plimsoll, 'gate', '--lock', 'none.json', '--', 'cat');
    expect([gate.code, gate.stderr]).toEqual([
      2,
      'plimsoll: none.json does not exist; create it with plimsoll pin --server server --lock none.json --accept -- cat\n',
    ]);
    const pages = await run(plimsoll, 'console', '--lock', 'none.json');
    expect([pages.code, pages.stderr]).toEqual([2, 'plimsoll: none.json does not exist\n']);
  });

  it('that is none is an error', async () => {
    writeFileSync(join(scratch, 'bad.json'), '{"servers":');
    const { code, stderr } = await run(plimsoll, 'gate', '--lock', 'bad.json', '--', 'cat');
    expect([code, stderr]).toEqual([2, expect.stringContaining('bad.json')]);
  });
});

describe('a server of the kit', () => {
  it.each([
    ['{}', 'notes.json', 'is no module; name one that ends in .js, .mjs or .ts, or a folder'],
    ['text', 'notes.txt', 'is no module; name one that ends in .js, .mjs or .ts, or a folder'],
    ['\nhere (', 'syntax.mjs', 'cannot be loaded: Unexpected end of input; node /'],
    ['\nthrow new Error("no KEY")', 'throws.mjs', 'cannot be loaded: no KEY (/'],
    [
      'import "no-such-one"',
      'imports.mjs',
      "cannot be loaded: Cannot find package 'no-such-one'\n",
    ],
    ['{"main":', 'cut/package.json', 'package.json cannot be read: The text is not JSON.'],
    ['{"main":"x.js"}', 'unbuilt/package.json', 'names x.js, which does not exist; build it first'],
  ])('that cannot be loaded is named, with the place: %j as %s', async (text, path, sentence) => {
    const [folder = '', inner] = path.split('/');
    if (inner !== undefined) mkdirSync(join(scratch, folder));
    writeFileSync(join(scratch, path), text);
    for (const command of ['serve', 'docs']) {
      if (command === 'docs' && /\.(?:json|txt)$/.test(folder)) continue; // it takes saved lists
      const { code, stderr } = await run(plimsoll, command, folder);
      expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
      expect(stderr).toMatch(/^plimsoll: [^\n]*\n$/);
      expect(stderr).not.toContain('load-server');
    }
  });
});

describe('a module that listens', () => {
  it.each(['tools', 'check', 'docs'])('does not keep plimsoll %s', async (command) => {
    const listens =
      "import { createServer } from 'node:http';\ncreateServer().listen(0, '127.0.0.1');\n";
    writeFileSync(join(scratch, 'listens.mjs'), listens);
    const { code, stdout, stderr } = await run(plimsoll, command, './listens.mjs');
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('does not export a server');
  });
});

describe('a policy', () => {
  it('is checked and tested before there is a ledger', async () => {
    const ledger = join(scratch, 'state', 'plimsoll', 'ledger.sqlite');
    renameSync(ledger, `${ledger}.aside`);
    writeFileSync(
      join(scratch, 'good.yaml'),
      'rules:\n  - name: a\n    match: { server: x }\n    then: ask\n',
    );
    writeFileSync(join(scratch, 'cases.yaml'), '- { server: x, tool: get_note, then: ask }\n');
    const check = await run(plimsoll, 'policy', 'check', 'good.yaml');
    const test = await run(plimsoll, 'policy', 'test', 'cases.yaml', '--policy', 'good.yaml');
    const named = ['--ledger', 'sqlite:none.sqlite'];
    const other = await run(plimsoll, 'policy', 'check', 'good.yaml', ...named);
    renameSync(`${ledger}.aside`, ledger);
    expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('no faults')]);
    expect([test.code, test.stdout]).toEqual([0, expect.stringContaining('1 of 1 as expected')]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('there is no ledger')]);
  });
});

describe('a file', () => {
  it.each([
    [['gate', '--config', 'none.yaml'], 'none.yaml cannot be read: it does not exist'],
    [['gate', '--config', '.'], '. cannot be read: it is a folder'],
    [['gate', '--policy', 'none.yaml', '--', 'cat'], 'none.yaml cannot be read: it does not exist'],
    [['gate', '--together', 'none.json'], 'none.json cannot be read: it does not exist'],
    [['policy', 'check', 'none.yaml'], 'none.yaml cannot be read: it does not exist'],
    [['status', '--ledger', 'none.yaml'], 'none.yaml cannot be read: it does not exist'],
    [['tools', 'none.json'], 'none.json cannot be read: it does not exist'],
    [['pin', 'none.json'], 'none.json cannot be read: it does not exist'],
    [['diff', 'none.json', 'none.json'], 'none.json cannot be read: it does not exist'],
    [
      ['check', 'none.json', '--config', 'none.yaml'],
      'none.yaml cannot be read: it does not exist',
    ],
    [['wrap', 'none.json'], 'none.json: it does not exist'],
    [['docs', catalog, '--check', 'none.md'], 'none.md cannot be used: it does not exist'],
    [['docs', catalog, '--check', '.'], '. cannot be used: it is a folder'],
    [['project', 'bad.json'], 'bad.json is not JSON; pass an OpenAPI document'],
    [['wrap', 'empty-object.json'], 'plimsoll wrap --help names the hosts'],
    [['tools', 'empty-object.json', 'x'], 'so that x behind it has no meaning'],
    [['tools', 'https://'], 'https:// is not a URL; write https://HOST/PATH'],
    [['pin', 'https://'], 'https:// is not a URL; write https://HOST/PATH'],
    [['audit', 'list', '--ledger', 'sqlite:other.sqlite'], 'used: file is not a database\n'],
    [['gate', '--ledger', 'sqlite:no/x', '--', 'cat'], 'no; create it, or name another file'],
    [['gate', '--ledger', 'sqlite:.', '--', 'cat'], 'it is a folder; name a file'],
  ])('that cannot be read is named in words: %j', async (args, sentence) => {
    writeFileSync(join(scratch, 'empty-object.json'), '{}');
    const { code, stderr } = await run(plimsoll, ...args);
    expect(code).toBe(args.includes('--ledger') && !args.includes('none.yaml') ? 1 : 2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/E[A-Z]{4,}/);
  });

  it('of variables for a server is not read by Node for the gate itself', async () => {
    const ran = join(scratch, 'ran.txt');
    const code = `require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`;
    writeFileSync(join(scratch, 'evil.cjs'), code);
    const evil = `NODE_OPTIONS=--require=${join(scratch, 'evil.cjs')}\n`;
    writeFileSync(join(scratch, 'server.env'), `${evil}NAME=ann\n`);
    const gate = [
      'gate',
      '--server-env-file',
      'server.env',
      '--',
      'sh',
      '-c',
      'echo name $NAME >&2',
    ];
    const { stderr } = await run(
      'sh',
      '-c',
      `echo '${CLIENT}' | { cat; sleep 3; } | "$@"`,
      'sh',
      plimsoll,
      ...gate,
    );
    expect(stderr).toContain('name ann');
    expect(existsSync(ran)).toBe(false);
    const old = await run(plimsoll, 'gate', '--env-file', 'server.env', '--', 'cat');
    expect([old.code, old.stderr]).toEqual([
      2,
      expect.stringContaining('write --server-env-file, or -- before its command'),
    ]);
  });
});

describe('a server', () => {
  it('that crashes at its start is started once, and its last lines are shown', async () => {
    const file = join(scratch, 'crash.mjs');
    const log = join(scratch, 'crash.log');
    writeFileSync(
      file,
      `import { appendFileSync } from 'node:fs';
       appendFileSync(${JSON.stringify(log)}, 'start ');
       console.error('the variable KEY is not set');
       process.exit(3);`,
    );
    const { code, stderr } = await run(plimsoll, 'tools', 'node', file);
    expect([code, stderr]).toEqual([
      1,
      '[node] the variable KEY is not set\nplimsoll: the tools cannot be listed: node ended (exit code 3); what it wrote is on the standard error of plimsoll, after [node]\n',
    ]);
    expect(readFileSync(log, 'utf8')).toBe('start ');
  });

  it('that cannot be found is named', async () => {
    const url = 'https://no-such-host.invalid/mcp';
    const listed = await run(plimsoll, 'tools', url);
    expect([listed.code, listed.stderr]).toEqual([
      1,
      expect.stringContaining('no-such-host.invalid'),
    ]);
    const signedIn = await run(plimsoll, 'login', url, '--no-browser');
    expect([signedIn.code, signedIn.stderr]).toEqual([
      1,
      `plimsoll: ${url}: no-such-host.invalid cannot be found; check its name, and that this machine is online\n`,
    ]);
  });

  it('whose program is missing is told with what to install, and that a retry does not help', async () => {
    const words = `echo '${CLIENT}' | { cat; sleep 2; } | ${plimsoll} gate -- /none/uvx mcp-server-time`;
    const { stdout } = await run('sh', '-c', words);
    const { error } = JSON.parse(stdout) as { error: { data: { code: string; remedy: string } } };
    expect(error).toMatchObject({
      message: expect.stringContaining('install uv (docs.astral.sh/uv), or write its full path'),
      data: { code: 'server-not-started' },
    });
    expect(error.data.remedy).not.toContain('later');
  });

  it('may be named without two dashes before its command', async () => {
    const server = resolve('node_modules/@modelcontextprotocol/server-memory/dist/index.js');
    const words = `echo '${CLIENT}' | { cat; sleep 3; } | ${plimsoll} gate node --no-warnings ${server} --name x`;
    const { stdout } = await run('sh', '-c', words);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: {} } });
  });
});

describe('the terminal', () => {
  it('is told what the gate is and what it waits for', async () => {
    const env = { ...process.env, HOME: scratch, XDG_STATE_HOME: join(scratch, 'state') };
    const gate = spawn('script', ['-qefc', `${plimsoll} gate -- cat`, '/dev/null'], { env });
    let stdout = '';
    for await (const chunk of gate.stdout) {
      stdout += String(chunk);
      if (stdout.includes('plimsoll wrap')) break;
    }
    gate.kill();
    expect(stdout).toContain('waiting for an MCP client on standard input');
    expect(stdout).toContain('plimsoll wrap');
  });

  it('that stops reading ends a command quietly', async () => {
    const list = resolve('test/fixtures/twelve-tools.json');
    for (const command of ['check', 'tools']) {
      const { stderr } = await run('sh', '-c', `${plimsoll} ${command} ${list} | true`);
      expect(stderr).toBe('');
    }
  });
});

describe('an old Node', () => {
  it('is named with the version that is needed, before anything else is loaded', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`;
    const { code, stderr } = await run(
      resolve('node_modules/.bin/node'),
      `--import=data:text/javascript,${encodeURIComponent(older)}`,
      resolve('src/cli/bin.ts'),
      '--version',
    );
    expect([code, stderr]).toEqual([
      1,
      'plimsoll: Node 22.18 or newer is needed, and this is 20.19.0; install a newer one from nodejs.org, or run: npx -y -p node@24 -p plimsoll plimsoll\n',
    ]);
  });
});
