import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { ChildServer, followStderr, serverEnvironment } from './child-server.ts';

async function follow(...chunks: readonly Buffer[]): Promise<readonly string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  followStderr(stream, 'no\ntes', (line) => lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await finished(stream);
  return lines;
}

describe('what a server writes to standard error', () => {
  it('comes as whole lines that bear its name, the last one too', async () => {
    const bytes = Buffer.from('one\r\n\n\tgrüße\nend');
    const split = [...bytes].map((byte) => Buffer.from([byte]));
    const lines = ['one', '', '\tgrüße', 'end'].map((line) => `[no⟨U+000A⟩tes] ${line}\n`);
    expect(await follow(bytes)).toEqual(lines);
    expect(await follow(...split)).toEqual(lines);
  });

  it('has nothing in it that steers a terminal', async () => {
    const [line] = await follow(Buffer.from('a\r\u{1b}[2J\u{202e}b\n'));
    expect(line).toBe('[no⟨U+000A⟩tes] a⟨U+000D⟩⟨U+001B⟩[2J⟨U+202E⟩b\n');
  });

  it('is cut where a line has no end', async () => {
    const chunks = Array.from({ length: 100 }, () => Buffer.alloc(1000, 'x'));
    const [line, next] = await follow(...chunks, Buffer.from('\nnext\n'));
    expect(line).toBe(`[no⟨U+000A⟩tes] ${'x'.repeat(2000)} … and 98000 more characters\n`);
    expect(next).toBe('[no⟨U+000A⟩tes] next\n');
  });
});

describe('the environment of a server', () => {
  it('has what programs need, and no other variable', () => {
    const needed = { PATH: '/bin', HOME: '/home/mia', LANG: 'C', TMPDIR: '/tmp' };
    const others = { PLIMSOLL_LEDGER_KEY: 'a', GITHUB_TOKEN: 'b', NODE_OPTIONS: '--import=x' };
    expect(serverEnvironment({ ...needed, ...others, USER: undefined })).toEqual(needed);
  });

  it('has a proxy, unless a password is in it', () => {
    const plain = { https_proxy: 'http://proxy.example:3128', NO_PROXY: 'localhost' };
    const secret = { HTTP_PROXY: 'http://mia:secret@proxy.example:3128' };
    expect(serverEnvironment({ ...plain, ...secret })).toEqual(plain);
    expect(serverEnvironment(secret, {}, { HTTP_PROXY: 'HTTP_PROXY' })).toEqual(secret);
  });

  it('has its own variables before those that are needed, and those passed by name before both', () => {
    const environment = { PATH: '/bin', GATE_TOKEN: 'secret', GATE_PATH: '/opt' };
    expect(serverEnvironment(environment, { PATH: '/usr/bin', TOKEN: 'x' })).toEqual({
      PATH: '/usr/bin',
      TOKEN: 'x',
    });
    const passed = { TOKEN: 'GATE_TOKEN', PATH: 'GATE_PATH', MISSING: 'GATE_MISSING' };
    expect(serverEnvironment(environment, { TOKEN: 'x' }, passed)).toEqual({
      PATH: '/opt',
      TOKEN: 'secret',
    });
  });
});

describe('a server that ends by itself', () => {
  it.each([
    ['console.error("need API_KEY=hunter2"); process.exit(3)', true],
    ['process.exit(3)', false],
    ['console.error("bye")', false],
  ])('%s: is said to have told why on standard error: %s', async (code, told) => {
    const options = { command: process.execPath, args: ['-e', code], name: 'notes' };
    const ended = await new Promise<string>((done) => {
      const child = new ChildServer(options, { line: () => {}, exited: () => {}, ended: done });
      expect(child.hasRun).toBe(true);
    });
    expect(ended.includes('on the standard error of plimsoll, after [notes]')).toBe(told);
    expect(ended).not.toContain('hunter2');
  });
});

describe('a server that cannot be started', () => {
  it.each([
    [{ command: 'no-such-program' }, 'no-such-program could not be started: no such program'],
    [
      { command: process.execPath, cwd: '/no/such/folder' },
      `${process.execPath} could not be started: its folder /no/such/folder does not exist`,
    ],
    [{ command: import.meta.dirname }, 'this user is not allowed to run it'],
  ])('says why: %j', async (options, reason) => {
    const ended = await new Promise((done) => {
      const child = new ChildServer(options, { line: () => {}, exited: () => {}, ended: done });
      expect(child.hasRun).toBe(false);
    });
    expect(ended).toContain(reason);
  });
});
