/** The edges of the embedded store: paths, links in the file system, pages to import, ranks. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGroupware } from './create-groupware.ts';
import { fetchPageFrom } from './embedded/fetch-page.ts';
import { readRecipePage } from './recipe-page.ts';
import { fuse } from './semantic/fuse.ts';
import type { TestGroupware } from './test-groupware.ts';
import { openTestGroupware } from './test-groupware.ts';

let groupware: TestGroupware;
beforeAll(async () => {
  groupware = await openTestGroupware();
});
afterAll(() => groupware[Symbol.asyncDispose]());

describe('paths', () => {
  it.each(['../secret', 'a/../../secret', './x', 'a\0b', 'x'.repeat(251)])(
    '%j is refused before anything is done',
    async (path) => {
      for (const name of ['nc_webdav_read_file', 'nc_webdav_delete_resource']) {
        expect((await groupware.call(name, { path })).status).toBe(422);
      }
      const written = await groupware.call('nc_webdav_write_file', { path, content: 'x' });
      expect(written.status).toBe(422);
    },
  );

  it('behind a link in the file system lead nowhere', async () => {
    const outside = join(groupware.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    await groupware.call('nc_webdav_list_directory');
    symlinkSync(outside, join(groupware.folder, 'files', 'mara', 'link'));
    const read = await groupware.call('nc_webdav_read_file', { path: 'link/secret.txt' });
    expect(read.status).toBe(404);
    const written = await groupware.call('nc_webdav_write_file', { path: 'link/x', content: 'x' });
    expect(written.status).toBe(409);
    const { body } = await groupware.call('nc_webdav_list_directory');
    expect(JSON.stringify(body)).not.toContain('link');
  });

  it('of the root cannot be deleted, moved or shared', async () => {
    for (const [name, args] of [
      ['nc_webdav_delete_resource', { path: '/' }],
      ['nc_webdav_move_resource', { source_path: '/', destination_path: 'x' }],
      ['nc_share_create', { path: '/', share_with: '', share_type: 3 }],
    ] as const) {
      expect((await groupware.call(name, args)).status).toBeGreaterThanOrEqual(400);
    }
  });

  it('moved into themselves, or onto what exists, change nothing', async () => {
    await groupware.call('nc_webdav_create_directory', { path: 'a' });
    await groupware.call('nc_webdav_write_file', { path: 'b.txt', content: 'b' });
    await groupware.call('nc_webdav_write_file', { path: 'c.txt', content: 'c' });
    for (const [source_path, destination_path] of [
      ['a', 'a/b'],
      ['b.txt', 'c.txt'],
      ['b.txt', 'missing/b.txt'],
    ]) {
      const moved = await groupware.call('nc_webdav_move_resource', {
        source_path,
        destination_path,
      });
      expect(moved.status).toBe(409);
    }
    const read = await groupware.call('nc_webdav_read_file', { path: 'c.txt' });
    expect(read.body['content']).toBe('c');
  });
});

describe('pages to import', () => {
  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'not an address',
  ])('at %s are not fetched', async (url) => {
    await expect(fetchPageFrom()(url)).rejects.toThrow(/private|http or https|does not exist/);
  });

  it('may hold the recipe in a graph, with sections of steps, or none', () => {
    const page = (data: unknown): string =>
      `<script type='application/ld+json'>{bad</script><script type="application/ld+json">${JSON.stringify(data)}</script>`;
    const recipe = {
      '@type': ['Thing', 'Recipe'],
      name: 'Stew',
      recipeInstructions: [{ itemListElement: [{ text: 'Cut.' }, { text: 'Cook.' }] }],
      recipeYield: ['6', '6 bowls'],
      keywords: ['warm', 'winter, slow'],
    };
    expect(readRecipePage(page({ '@graph': [{ '@type': 'WebPage' }, recipe] }), 'u')).toMatchObject(
      {
        name: 'Stew',
        instructions: ['Cut.', 'Cook.'],
        recipe_yield: 6,
        keywords: ['warm', 'winter', 'slow'],
      },
    );
    expect(readRecipePage(page({ '@type': 'Article' }), 'u')).toBeUndefined();
    expect(readRecipePage('<p>nothing</p>', 'u')).toBeUndefined();
  });
});

describe('bulk operations', () => {
  it('without any filter are refused, so that nobody deletes everything by mistake', async () => {
    const refused = await groupware.call('nc_calendar_bulk_operations', { operation: 'delete' });
    expect(refused.status).toBe(422);
  });
});

describe('calendars and address books', () => {
  const FROM = { calendar_name: 'personal' };
  const make = async (calendar_name: string, title: string): Promise<string> => {
    const event = { calendar_name, title, start_datetime: '2026-03-02T10:00Z' };
    const { body } = await groupware.call('nc_calendar_create_event', event);
    return String(body['uid']);
  };

  it('are listed without the entries that cannot be read', async () => {
    const { calendars, addressBooks } = groupware.backend.account('mara');
    const uid = await make('personal', 'Readable');
    await calendars.put('personal', 'bad', 'nonsense', 'new');
    await calendars.put('personal', 'empty', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', 'new');
    await addressBooks.put('contacts', 'bad', 'nonsense', 'new');
    const listed = await groupware.call('nc_calendar_list_events', FROM);
    expect(listed.body['events']).toMatchObject([{ uid }]);
    expect((await groupware.call('nc_calendar_list_todos', FROM)).body['todos']).toEqual([]);
    const contacts = await groupware.call('nc_contacts_list_contacts', { addressbook: 'contacts' });
    expect(contacts.body['contacts']).toEqual([]);
  });

  it('keep an event that the target of a move has changed', async () => {
    const { calendars } = groupware.backend.account('mara');
    const target = { action: 'create', calendar_name: 'target' };
    await groupware.call('nc_calendar_manage_calendar', target);
    const uid = await make('personal', 'Contested');
    const source = await calendars.find('personal', uid);
    await calendars.put('target', uid, source?.text.replace('Contested', 'Edited') ?? '', 'new');
    const move = { operation: 'move', ...FROM, title_contains: 'Contested' };
    const moved = await groupware.call('nc_calendar_bulk_operations', {
      ...move,
      target_calendar: 'target',
    });
    expect(moved.status).toBe(409);
    expect((await calendars.find('personal', uid))?.etag).toBe(source?.etag);
    // A move that was interrupted after it had copied is finished.
    await calendars.removeText('target', uid);
    await calendars.put('target', uid, source?.text ?? '', 'new');
    const again = { ...move, target_calendar: 'target' };
    const done = await groupware.call('nc_calendar_bulk_operations', again);
    expect(done.body['changed']).toEqual([uid]);
    expect(await calendars.find('personal', uid)).toBeUndefined();
  });

  it('refuse to delete an entry under a tag that is stale', async () => {
    const { calendars } = groupware.backend.account('mara');
    const uid = await make('personal', 'Tagged');
    const etag = (await calendars.find('personal', uid))?.etag;
    await expect(calendars.removeText('personal', uid, 'old')).rejects.toThrow('not the current');
    expect(await calendars.removeText('personal', uid, etag)).toBe(true);
    expect(await calendars.removeText('personal', uid, etag)).toBe(false);
  });

  it('change the same event in every calendar that has it', async () => {
    const { calendars } = groupware.backend.account('mara');
    const uid = await make('personal', 'Twin');
    const text = (await calendars.find('personal', uid))?.text ?? '';
    await calendars.put('target', uid, text, 'new');
    const rename = { operation: 'update', title_contains: 'Twin', new_title: 'Renamed' };
    const { body } = await groupware.call('nc_calendar_bulk_operations', rename);
    expect(body['changed']).toEqual([uid, uid]);
  });
});

describe('the zone of the account', () => {
  it('has to exist before the server starts', () => {
    const { backend } = groupware;
    expect(() => createGroupware({ backend, zone: 'Mars/Olympus' })).toThrow('no time zone');
  });
});

describe('contents', () => {
  it.each([
    [{ content: 'not base64!', content_type: 'image/png;base64' }, '/content'],
    [{ content: 'x', content_type: 'text/plain\r\nx-evil: 1' }, '/content_type'],
    [{ content: 'x', content_type: 'text' }, '/content_type'],
  ])('%j are refused', async (args, pointer) => {
    const { status, body } = await groupware.call('nc_webdav_write_file', { path: 'c', ...args });
    expect([status, body['errors']]).toMatchObject([422, [{ pointer }]]);
  });
});

describe('fusion', () => {
  it.each(['rrf', 'dbsf'] as const)('by %s ranks what is good in both lists first', (fusion) => {
    const [both, one, none] = fuse(fusion, [
      [0.9, 0.8, 0.1],
      [1, 0, 0],
    ]);
    expect(both).toBeGreaterThan(one ?? 0);
    expect(one).toBeGreaterThan(none ?? 0);
    expect(fuse(fusion, [[], []])).toEqual([]);
  });
});
