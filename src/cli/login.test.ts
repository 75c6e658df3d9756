/** Sign-in as people do it: a real process, a stand-in authorization server, a browser played by fetch. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuthorizationServer } from '../../test/support/authorization-server.ts';
import { openAuthorizationServer } from '../../test/support/authorization-server.ts';
import type { GuardedServer } from '../../test/support/guarded-server.ts';
import { openGuardedServer } from '../../test/support/guarded-server.ts';
import { openAuthorizer } from '../gate/auth/authorize.ts';
import { openTokenStore } from '../gate/auth/token-store.ts';

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  /** The address of the sign-in page, once it is printed. */
  readonly page: Promise<string>;
  readonly end: Promise<Ran>;
}

let issuer: AuthorizationServer;
let server: GuardedServer;
let home: string;
let file: string;

beforeAll(async () => {
  issuer = await openAuthorizationServer();
  server = await openGuardedServer(issuer.url);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-login-'));
  file = join(home, 'plimsoll', 'tokens.json');
});
afterEach(() => {
  delete issuer.behaviour.deny;
  delete issuer.behaviour.authorizationEndpoint;
  rmSync(home, { recursive: true });
});

function run(...args: readonly string[]): Running {
  const script = resolve('src/cli/bin.ts');
  const child = spawn(
    process.execPath,
    ['--conditions=plimsoll-source', '--disable-warning=ExperimentalWarning', script, ...args],
    { env: { ...process.env, XDG_STATE_HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const page = Promise.withResolvers<string>();
  page.promise.catch(() => undefined); // not every run prints one
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
    const found = /^ {2}(https?:\S+)\n/m.exec(stderr)?.[1];
    if (found !== undefined) page.resolve(found);
  });
  const end = new Promise<Ran>((done) => {
    child.once('close', (code) => {
      page.reject(new Error(`no page was printed: ${stderr}`));
      done({ code, stdout, stderr });
    });
  });
  return { page: page.promise, end };
}

/** Says yes, and tells where the browser is sent to. */
async function consent(page: string): Promise<URL> {
  const answer = await fetch(page, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

async function login(...args: readonly string[]): Promise<Ran> {
  const { page, end } = run('login', server.mcpUrl, '--no-browser', ...args);
  await fetch(await page);
  return await end;
}

function expectNoSecret({ stdout, stderr }: Ran): void {
  for (const secret of issuer.secrets) expect(stdout + stderr).not.toContain(secret);
  expect(issuer.secrets.length).toBeGreaterThan(0);
}

describe('a server that wants a sign-in', () => {
  it('is named with the command that signs in, by the gate and by plimsoll tools', async () => {
    const command = `plimsoll login ${server.mcpUrl}`;
    const transport = new StdioClientTransport({
      command: resolve('bin/plimsoll'),
      args: ['gate', '--url', server.mcpUrl],
      env: { XDG_STATE_HOME: home, XDG_CONFIG_HOME: home, PATH: process.env['PATH'] ?? '' },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await expect(client.connect(transport)).rejects.toThrow(command);
    await client.close();
    const listed = await run('tools', server.mcpUrl).end;
    expect(listed).toMatchObject({ code: 1, stderr: expect.stringContaining(command) });
  });

  it('is not named by an address that may hold a secret', async () => {
    const listed = await run('tools', `${server.mcpUrl}?key=abc`).end;
    expect(listed.stderr).toContain('plimsoll login and its URL');
    expect(listed.stderr).not.toContain('abc');
  });
});

describe('plimsoll login', () => {
  it('gets tokens that open the server, keeps them private and shows none', async () => {
    const ran = await login('--json');
    expect(ran).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      server: server.mcpUrl,
      scopes: ['notes:read'],
      renews: true,
    });
    expectNoSecret(ran);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'plimsoll')).mode & 0o777).toBe(0o700);
    // What was only for the flow is not kept.
    expect(readFileSync(file, 'utf8')).not.toMatch(/verifier|"state"|code-/);

    const token = await openAuthorizer(server.mcpUrl, openTokenStore(file))();
    const client = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    const url = new URL(server.mcpUrl);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });

  it('finds a server by its name, and asks for the scopes it is told', async () => {
    const config = join(home, 'gate.yaml');
    writeFileSync(
      config,
      `mcpServers:\n  notes: { url: '${server.mcpUrl}', oauth: { scopes: [one] } }\n  own: { command: x }\n`,
    );
    const { page, end } = run('login', 'notes', '--config', config, '--no-browser');
    expect(new URL(await page).searchParams.get('scope')).toBe('one');
    await fetch(await page);
    expect(await end).toMatchObject({ code: 0 });
    const other = run('login', 'notes', '--config', config, '--no-browser', '--scope', 'two,three');
    expect(new URL(await other.page).searchParams.get('scope')).toBe('two three');
    await fetch(await other.page);
    await other.end;

    const unknown = await run('login', 'nots', '--config', config).end;
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it has notes, own'),
    });
    const own = await run('login', 'own', '--config', config).end;
    expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining('started by the gate') });
  });

  it('refuses a redirect with another state, and takes the right one after it', async () => {
    const { page, end } = run('login', server.mcpUrl, '--no-browser');
    const back = await consent(await page);
    const tampered = new URL(back);
    tampered.searchParams.set('state', `${back.searchParams.get('state')?.slice(0, -1)}_`);
    const before = issuer.events.length;
    expect((await fetch(tampered)).status).toBe(400);
    expect(issuer.events.slice(before)).toEqual([]);
    expect((await fetch(back)).status).toBe(200);
    expect(await end).toMatchObject({ code: 0 });
    await expect(fetch(back)).rejects.toThrow('fetch failed');
  });

  it('cannot be given the code of another flow: its verifier does not fit', async () => {
    const mine = run('login', server.mcpUrl, '--no-browser');
    const back = await consent(await mine.page);
    const stolen = new URL(await mine.page);
    stolen.searchParams.set('code_challenge', 'challenge-of-somebody-else');
    const foreign = await consent(stolen.href);
    back.searchParams.set('code', foreign.searchParams.get('code') ?? '');
    await fetch(back);
    const ran = await mine.end;
    expect(ran.code).toBe(1);
    expect(issuer.events.at(-1)).toBe('refused token');
    expectNoSecret(ran);
    expect(await openTokenStore(file).read(server.mcpUrl)).not.toHaveProperty('tokens');
  });

  it('refuses an answer that another issuer gave', async () => {
    const { page, end } = run('login', server.mcpUrl, '--no-browser');
    const back = await consent(await page);
    back.searchParams.set('iss', 'https://evil.example');
    const before = issuer.events.length;
    await fetch(back);
    expect(await end).toMatchObject({ code: 1 });
    expect(issuer.events.slice(before)).toEqual([]);
  });

  it('ends when the person says no', async () => {
    issuer.behaviour.deny = true;
    const ran = await login();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('the sign-in was refused: access_denied');
  });

  it.each(['javascript:alert(1)', 'http://evil.example/authorize', 'file:///etc/passwd'])(
    'does not open %s',
    async (endpoint) => {
      issuer.behaviour.authorizationEndpoint = endpoint;
      const ran = await run('login', server.mcpUrl, '--no-browser').end;
      expect(ran.code).toBe(1);
      expect(ran.stderr).not.toMatch(/Sign in here/);
    },
  );

  it('sends no token over plain http', async () => {
    const ran = await run('login', 'http://notes.example/mcp', '--no-browser').end;
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('https only') });
  });

  it('registers again only when its address has changed', async () => {
    const registrations = (): number =>
      issuer.events.filter((event) => event === 'register').length;
    const first = registrations();
    const { page, end } = run('login', server.mcpUrl, '--no-browser');
    const port = new URL(new URL(await page).searchParams.get('redirect_uri') ?? '').port;
    await fetch(await page);
    await end;
    expect(registrations()).toBe(first + 1);
    expect(await login('--port', port)).toMatchObject({ code: 0 });
    expect(registrations()).toBe(first + 1);
    expect(await login()).toMatchObject({ code: 0 });
    expect(registrations()).toBe(first + 2);
  });
});

describe('plimsoll logout', () => {
  it('deletes the tokens, and says when there are none', async () => {
    await login();
    const ran = await run('logout', server.mcpUrl, '--json').end;
    expect(JSON.parse(ran.stdout)).toEqual({ server: server.mcpUrl, forgotten: true });
    expect(readFileSync(file, 'utf8')).toBe('{}\n');
    const again = await run('logout', server.mcpUrl).end;
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('There are no tokens'),
    });
  });
});
