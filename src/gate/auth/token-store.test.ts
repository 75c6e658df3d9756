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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerTokens } from './token-store.ts';
import { openTokenStore, tokenFile } from './token-store.ts';

const URL_A = 'https://a.example/mcp';
const URL_B = 'https://b.example/mcp';
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-tokens-'));
  file = join(folder, 'state', 'plimsoll', 'tokens.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function tokensOf(text: string): ServerTokens {
  return { tokens: { access_token: text, token_type: 'Bearer' } };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe('the token file', () => {
  it('is made for its owner alone, with nothing beside it but an empty lock', async () => {
    const store = openTokenStore(file);
    expect(await store.read(URL_A)).toBeUndefined();
    await store.update(URL_A, () => tokensOf('one'));
    await store.update(URL_A, () => tokensOf('two'));
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(dirname(file))).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(['tokens.json', 'tokens.json.lock']);
    expect(modeOf(`${file}.lock`)).toBe(0o600);
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe('');
    expect(await openTokenStore(file).read(URL_A)).toEqual(tokensOf('two'));
  });

  it('keeps servers apart by URL', async () => {
    const store = openTokenStore(file);
    await store.update(URL_A, () => tokensOf('a'));
    expect(await store.read(`${URL_A}#part`)).toEqual(tokensOf('a'));
    for (const other of [URL_B, `${URL_A}/`, `${URL_A}?x=1`, 'http://a.example/mcp']) {
      expect(await store.read(other)).toBeUndefined();
    }
    await store.update(URL_A, () => undefined);
    expect(readFileSync(file, 'utf8')).toBe('{}\n');
  });

  it('shows at once what another process wrote', async () => {
    const [one, other] = [openTokenStore(file), openTokenStore(file)];
    await one.update(URL_A, () => tokensOf('old'));
    expect(await other.read(URL_A)).toEqual(tokensOf('old'));
    await one.update(URL_A, () => tokensOf('new'));
    expect(await other.read(URL_A)).toEqual(tokensOf('new'));
  });

  it('counts as absent when it is deleted while it is read', async () => {
    const writer = openTokenStore(file);
    for (let round = 0; round < 200; round += 1) {
      await writer.update(URL_A, () => tokensOf('a'));
      const reads = Array.from({ length: 20 }, async () => openTokenStore(file).read(URL_A));
      for (let turn = 0; turn < round % 4; turn += 1) await new Promise(setImmediate);
      rmSync(file);
      for (const read of await Promise.all(reads))
        expect([undefined, tokensOf('a')]).toContainEqual(read);
    }
  });

  it.each([0o640, 0o604, 0o660, 0o644])(
    'is refused with mode %o, with what to do',
    async (mode) => {
      const store = openTokenStore(file);
      await store.update(URL_A, () => tokensOf('secret-text'));
      chmodSync(file, mode);
      await expect(store.read(URL_A)).rejects.toThrow(`run: chmod 600 ${file}`);
      await expect(store.update(URL_A, () => undefined)).rejects.toThrow('chmod 600');
      expect(readFileSync(file, 'utf8')).toContain('secret-text');
      chmodSync(file, 0o600);
      expect(await store.read(URL_A)).toEqual(tokensOf('secret-text'));
    },
  );

  it('is refused when it is a link, or when others can change its folder', async () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'elsewhere'), '{}', { mode: 0o600 });
    symlinkSync(join(folder, 'elsewhere'), file);
    await expect(openTokenStore(file).read(URL_A)).rejects.toThrow('not a plain file');
    rmSync(file);
    chmodSync(dirname(file), 0o777);
    const write = openTokenStore(file).update(URL_A, () => tokensOf('x'));
    await expect(write).rejects.toThrow(`run: chmod 700 ${dirname(file)}`);
    expect(existsSync(file)).toBe(false);
  });

  it('is refused when damaged, without quoting it', async () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{"https://a.example/mcp": {"tokens": secret-text', { mode: 0o600 });
    const error = await openTokenStore(file)
      .read(URL_A)
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/damaged; delete it and run plimsoll login/);
    expect(String(error)).not.toContain('secret-text');
  });

  it('loses no change of many at once', async () => {
    const stores = [openTokenStore(file), openTokenStore(file), openTokenStore(file)];
    const urls = Array.from({ length: 30 }, (_, index) => `https://s${index}.example/`);
    await Promise.all(
      urls.map(async (url, index) => stores[index % 3]?.update(url, () => tokensOf(url))),
    );
    const all = await Promise.all(urls.map(async (url) => openTokenStore(file).read(url)));
    expect(all).toEqual(urls.map(tokensOf));
  });

  it('is not held up by a lock that a dead process left', async () => {
    const store = openTokenStore(file);
    await store.update(URL_A, () => tokensOf('a'));
    writeFileSync(`${file}.lock`, '');
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    await store.update(URL_A, () => tokensOf('b'));
    expect(await store.read(URL_A)).toEqual(tokensOf('b'));
  });

  it('loses no change of many that find the lock of a dead process', async () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.lock`, '');
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    const urls = Array.from({ length: 30 }, (_, index) => `https://s${index}.example/`);
    await Promise.all(
      urls.map(async (url) => openTokenStore(file).update(url, () => tokensOf(url))),
    );
    const all = await Promise.all(urls.map(async (url) => openTokenStore(file).read(url)));
    expect(all).toEqual(urls.map(tokensOf));
  });

  it('is free as soon as a process that held it was killed, and not before', async () => {
    const holder = `
      const { openTokenStore } = await import(${JSON.stringify(pathToFileURL(resolve('src/gate/auth/token-store.ts')).href)});
      await openTokenStore(process.argv[1]).update(${JSON.stringify(URL_B)}, async () => {
        console.log('held');
        await new Promise((done) => setTimeout(done, 60_000));
      });`;
    const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', holder];
    const child = spawn(process.execPath, [...flags, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    let isDone = false;
    const update = openTokenStore(file)
      .update(URL_A, () => tokensOf('a'))
      .then(() => (isDone = true));
    await setTimeout(300);
    expect(isDone).toBe(false);
    child.kill('SIGKILL');
    await Promise.race([update, setTimeout(5000)]);
    expect(isDone).toBe(true);
    expect(await openTokenStore(file).read(URL_A)).toEqual(tokensOf('a'));
  });

  it('lies where the state of programs lies', () => {
    expect(tokenFile({ XDG_STATE_HOME: '/s', HOME: '/h' })).toBe('/s/plimsoll/tokens.json');
    expect(tokenFile({ HOME: '/h' })).toBe('/h/.local/state/plimsoll/tokens.json');
  });
});
