/** The embedded store under attack: accounts beside each other, odd names, links that outlive files. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../backend.ts';
import { fetchPageFrom } from './fetch-page.ts';
import type { Embedded } from './open-embedded.ts';
import { openEmbedded } from './open-embedded.ts';

let folder: string;
let store: Embedded;
let mara: Account;

async function open(user: string): Promise<Account> {
  await store.prepare(user);
  return store.account(user);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-test-'));
  store = openEmbedded({ folder: join(folder, 'data') });
  mara = await open('mara');
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe('accounts', () => {
  it.each(['.', '..', '...', '%2E', 'a/../mara', ''])(
    'with the id %j see no others',
    async (id) => {
      const { files } = await open(id);
      expect((await files.list('')).map(({ name }) => name)).toEqual(['Documents']);
      await files.write('own.txt', Buffer.from(id));
      expect((await mara.files.list('')).map(({ name }) => name)).not.toContain('own.txt');
      expect(String((await files.read('own.txt')).content)).toBe(id);
    },
  );

  it('cannot take the recipes of others out of the index', async () => {
    const recipe = await mara.recipes.create({
      name: 'Leek soup',
      description: '',
      ingredients: [],
      instructions: [],
      url: '',
      prep_time: null,
      cook_time: null,
      total_time: null,
      recipe_yield: 1,
      category: '',
      keywords: [],
    });
    expect(await (await open('ines')).recipes.remove(recipe.id)).toBe(false);
    expect(await mara.recipes.search('leek')).toHaveLength(1);
    expect(await mara.recipes.remove(recipe.id)).toBe(true);
    expect(await mara.recipes.search('leek')).toEqual([]);
  });

  it('are not told of shares with a group or a mail address of their name', async () => {
    await mara.files.write('shared.txt', Buffer.from('x'));
    for (const share_type of [0, 1, 4]) {
      const fields = { path: 'shared.txt', share_type, share_with: 'ines', permissions: 1 };
      await mara.shares.create(fields);
    }
    const received = await (await open('ines')).shares.list({ withMe: true });
    expect(received.map(({ share_type }) => share_type)).toEqual([0]);
  });

  it('whose set-up was interrupted are set up again', async () => {
    const place = join(folder, 'data', 'files', 'late');
    writeFileSync(place, 'in the way');
    await expect(store.prepare('late')).rejects.toThrow('EEXIST');
    rmSync(place);
    const late = await open('late');
    expect(await late.calendars.list()).toHaveLength(1);
    expect(await late.tables.list()).toHaveLength(1);
  });

  it('are set up once by two processes at the same time', async () => {
    await using other = openEmbedded({ folder: join(folder, 'data') });
    await Promise.all([store.prepare('both'), other.prepare('both')]);
    for (const each of [store, other]) {
      expect(await each.account('both').tables.list()).toHaveLength(1);
      expect(await each.account('both').news.feeds()).toHaveLength(3);
    }
  });

  it.skipIf(process.platform === 'win32')('are readable for the owner of the process alone', () => {
    const modeOf = (path: string): number => statSync(path).mode & 0o077;
    expect(modeOf(join(folder, 'data'))).toBe(0);
    expect(modeOf(join(folder, 'data', 'groupware.sqlite'))).toBe(0);
  });
});

describe('files', () => {
  it('keep the type that was stated for them when they are moved', async () => {
    await mara.files.makeDirectory('😀');
    await mara.files.write('😀/x.bin', Buffer.from('x'), 'text/special');
    await mara.files.move({ source: '😀', destination: '😀😀', overwrite: false });
    expect((await mara.files.list('😀😀'))[0]?.content_type).toBe('text/special');
  });

  it('with names that no caller can write are left out of lists', async () => {
    const place = join(folder, 'data', 'files', 'mara', 'odd');
    mkdirSync(place);
    writeFileSync(join(place, String.raw`a\b`), 'x');
    writeFileSync(join(place, 'fine'), 'x');
    expect((await mara.files.list('odd')).map(({ name }) => name)).toEqual(['fine']);
    await expect(mara.files.read(String.raw`odd/a\b`)).rejects.toThrow('not allowed');
  });

  it('are found by patterns in a time that does not grow with their signs', async () => {
    const name = 'a'.repeat(240);
    await mara.files.write(name, Buffer.from('x'));
    const find = (pattern: string) => mara.files.find({ scope: '', name: pattern, limit: 9 });
    expect(await find(`${'%a'.repeat(120)}b`)).toEqual([]);
    expect(await find(`${'%a'.repeat(120)}%`)).toHaveLength(1);
    await mara.files.write('Plan.md.md', Buffer.from('x'));
    for (const [pattern, count] of [
      ['plan%', 1],
      ['%.md', 2],
      ['plan.md.md%.md', 0],
      ['plan%md', 1],
      ['plan', 0],
      ['%lan%d%', 1],
      ['PLAN.MD.MD', 1],
    ] as const) {
      expect([pattern, (await find(pattern)).length]).toEqual([pattern, count]);
    }
  });
});

describe('boards', () => {
  it('take a label that is deleted off their cards', async () => {
    const { deck } = mara;
    const board = await deck.createBoard({ title: 'B', color: '000000' });
    const stack = await deck.createStack(board.id, { title: 'S', order: 1 });
    const label = await deck.createLabel(board.id, { title: 'L', color: '000000' });
    const fields = { title: 'C', description: '', type: 'plain', order: 1, duedate: null };
    const card = await deck.createCard(board.id, stack.id, fields);
    const place = { boardId: board.id, stackId: stack.id, cardId: card.id };
    await deck.setLabel(place, label.id, true);
    expect(await deck.removeLabel(board.id, label.id)).toBe(true);
    expect((await deck.card(place))?.labels).toEqual([]);
  });
});

describe('public links', () => {
  async function link(path: string): Promise<{ readonly id: number; readonly url: string }> {
    const fields = { path, share_type: 3, share_with: null, permissions: 1 };
    const { share, url = '' } = await mara.shares.create(fields);
    return { id: share.id, url };
  }
  const read = async (url: string): Promise<string | number> => {
    const response = await fetch(url);
    return response.ok ? response.text() : response.status;
  };

  it('end with what they share, and never open what comes to its place', async () => {
    await mara.files.write('minutes.txt', Buffer.from('public'));
    const { url } = await link('minutes.txt');
    expect(await read(url)).toBe('public');
    await mara.files.remove('minutes.txt');
    await mara.files.write('minutes.txt', Buffer.from('secret'));
    expect(await read(url)).toBe(404);
  });

  it('follow what they share when it is moved', async () => {
    await mara.files.makeDirectory('from');
    await mara.files.write('from/a.txt', Buffer.from('public'));
    const { url } = await link('from/a.txt');
    await mara.files.move({ source: 'from', destination: 'to', overwrite: false });
    await mara.files.makeDirectory('from');
    await mara.files.write('from/a.txt', Buffer.from('secret'));
    expect(await read(url)).toBe('public');
  });

  it('open nothing while they permit no reading, and nothing when guessed', async () => {
    await mara.files.write('drop.txt', Buffer.from('public'));
    const { id, url } = await link('drop.txt');
    await mara.shares.update(id, 4);
    expect(await read(url)).toBe(404);
    await mara.shares.update(id, 5);
    expect(await read(url)).toBe('public');
    expect(await read(`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`)).toBe(404);
    expect(await read(`${url}/../x`)).toBe(404);
  });
});

describe('words', () => {
  it.each([
    '한국어',
    'がんばる',
    'हिन्दी',
    'น้ำ',
    'ﬁsh',
    'Łódź',
    'Straße',
    'שָׁלוֹם',
    'ἀρχή',
    'e\u0301tude',
    'foo_bar',
    '"quoted" OR NEAR(a b)',
    'title:x AND *',
  ])('%s are found in the note that has them', async (words) => {
    const { id } = await mara.notes.create({ title: words, content: '', category: '' });
    expect((await mara.notes.search(words)).map((note) => note.id)).toContain(id);
  });

  it.each(['"', '*', '()', '\u0301', "'"])('%j are none, and find nothing', async (query) => {
    expect(await mara.notes.search(query)).toEqual([]);
  });
});

describe('pages to import', () => {
  it.each([
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[::127.0.0.1]/',
    'http://224.0.0.1/',
    'http://0x7f.1/',
    'http://2130706433/',
  ])('at %s are not fetched', async (url) => {
    await expect(fetchPageFrom()(url)).rejects.toThrow('private');
  });

  it('come from the address that was checked, whatever the name leads to later', async () => {
    let requests = 0;
    const inside = createServer((_, response) => void response.end(`${(requests += 1)}`));
    await once(inside.listen(0, '127.0.0.1'), 'listening');
    const { port } = inside.address() as AddressInfo;
    const answers = ['192.0.2.1', '127.0.0.1'];
    const fetchPage = fetchPageFrom({
      allow: [`rebinding.example:${port}`],
      resolve: async () => [{ address: answers.pop() ?? '', family: 4 }],
    });
    expect(await fetchPage(`http://rebinding.example:${port}/`)).toBe('1');
    const refuse = fetchPageFrom({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    await expect(refuse(`http://rebinding.example:${port}/`)).rejects.toThrow('private');
    expect([requests, answers]).toEqual([1, ['192.0.2.1']]);
    inside.close();
  });

  it('that break off, or are too large, are not imported', async () => {
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-length': 5_000_000 });
      response.write('x'.repeat(request.url === '/large' ? 4_000_000 : 10));
      if (request.url !== '/large') setTimeout(() => request.socket.destroy(), 20);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fetchPage = fetchPageFrom({ allow: [host] });
    await expect(fetchPage(`http://${host}/large`)).rejects.toThrow('larger');
    await expect(fetchPage(`http://${host}/cut`)).rejects.toThrow('did not answer');
    server.close();
    server.closeAllConnections();
  });
});
