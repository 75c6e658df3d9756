/** What the running server does, kind by kind: etags, repeats, and what an update leaves alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGroupware } from './test-groupware.ts';
import { connect, openTestGroupware } from './test-groupware.ts';

let groupware: TestGroupware;
beforeAll(async () => {
  groupware = await openTestGroupware();
});
afterAll(() => groupware[Symbol.asyncDispose]());

type Fields = Record<string, unknown>;

async function run(name: string, args: object = {}): Promise<Fields> {
  const { status, body } = await groupware.call(name, args);
  expect([name, status, body]).toEqual([name, 200, body]);
  return body;
}

async function makeNote(title = 'Plan'): Promise<Fields> {
  return run('nc_notes_create_note', { title, content: 'First', category: 'Work' });
}

describe('notes', () => {
  it('R78 R111: an update demands an etag, and one with a stale etag changes nothing', async () => {
    const { id: note_id, etag } = await makeNote();
    const without = await groupware.call('nc_notes_update_note', { note_id, title: 'X' });
    expect(without.status).toBe(422);
    const args = { note_id, etag, title: 'Renamed' };
    const updated = await run('nc_notes_update_note', args);
    const repeated = await groupware.call('nc_notes_update_note', args);
    expect([repeated.status, repeated.body]).toMatchObject([
      412,
      { code: 'stale-version', current: updated['etag'] },
    ]);
    expect(await run('nc_notes_get_note', { note_id })).toEqual(updated);
  });

  it('R109: of two updates at once with one etag, the second is refused', async () => {
    const { id: note_id, etag } = await makeNote();
    const both = await Promise.all(
      ['One', 'Two'].map((title) =>
        groupware.call('nc_notes_update_note', { note_id, etag, title }),
      ),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
    const won = both.find(({ status }) => status === 200);
    expect(await run('nc_notes_get_note', { note_id })).toEqual(won?.body);
  });

  it('R110: the etag comes from the get tool', async () => {
    const { id: note_id } = await makeNote();
    await run('nc_notes_append_content', { note_id, content: 'Second' });
    const { etag } = await run('nc_notes_get_note', { note_id });
    const updated = await run('nc_notes_update_note', { note_id, etag, title: 'Taken' });
    expect(updated['title']).toBe('Taken');
  });

  it('R79: an append adds its content again on every call', async () => {
    const { id: note_id } = await makeNote();
    for (let times = 0; times < 2; times += 1) {
      await run('nc_notes_append_content', { note_id, content: 'More' });
    }
    const { content } = await run('nc_notes_get_note', { note_id });
    expect(content).toBe('First\n\nMore\n\nMore');
  });

  it('appends at once are all there in the end', async () => {
    const { id: note_id } = await makeNote();
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map((content) => run('nc_notes_append_content', { note_id, content })));
    const { content } = await run('nc_notes_get_note', { note_id });
    expect(String(content).split('\n\n').toSorted()).toEqual(['First', ...lines].toSorted());
  });

  it('R80 R112: a deleted note is gone for good, and deleting it again leaves it so', async () => {
    const { id: note_id } = await makeNote();
    expect(await run('nc_notes_delete_note', { note_id })).toEqual({ deleted: true });
    expect((await groupware.call('nc_notes_get_note', { note_id })).status).toBe(404);
    expect(await run('nc_notes_delete_note', { note_id })).toEqual({ deleted: false });
    expect((await groupware.call('nc_notes_get_note', { note_id })).status).toBe(404);
    const client = await connect(`${groupware.http.url}/mcp`);
    const { tools } = await client.listTools();
    await client.close();
    const tool = tools.find(({ name }) => name === 'nc_notes_delete_note');
    expect(tool?.annotations).toMatchObject({ destructiveHint: true, idempotentHint: true });
    // An id is never given out again.
    expect((await makeNote())['id']).not.toBe(note_id);
  });

  it('R84 R221: a search covers titles and contents, and returns id, title and category', async () => {
    const byTitle = await run('nc_notes_create_note', {
      title: 'Zeppelin Müller',
      content: 'nothing',
      category: 'Air',
    });
    const byContent = await run('nc_notes_create_note', {
      title: 'Other',
      content: 'A zeppelin "and" more: OR NOT *',
      category: '',
    });
    const { results } = await run('nc_notes_search_notes', { query: 'ZEPP' });
    expect(results).toEqual([
      { id: byTitle['id'], title: 'Zeppelin Müller', category: 'Air' },
      { id: byContent['id'], title: 'Other', category: '' },
    ]);
    const accents = await run('nc_notes_search_notes', { query: 'muller zeppelin' });
    expect(accents['results']).toHaveLength(1);
    const operators = await run('nc_notes_search_notes', { query: '"and" OR NOT *' });
    expect(operators['results']).toMatchObject([{ id: byContent['id'] }]);
    const whole = await run('nc_notes_get_note', { note_id: byContent['id'] });
    expect(whole['content']).toContain('A zeppelin');
  });

  it('belong to one user', async () => {
    const { id: note_id, etag } = await makeNote();
    for (const [name, args] of [
      ['nc_notes_get_note', { note_id }],
      ['nc_notes_update_note', { note_id, etag, title: 'X' }],
    ] as const) {
      expect((await groupware.call(name, args, 'ines')).status).toBe(404);
    }
    const gone = await groupware.call('nc_notes_delete_note', { note_id }, 'ines');
    expect(gone.body).toEqual({ deleted: false });
    await run('nc_notes_get_note', { note_id });
  });
});

describe('repeats', () => {
  it('R37: setting a property again changes nothing', async () => {
    const config = { folder: 'Kitchen', print_image: false };
    const once = await run('nc_cookbook_set_config', config);
    expect(await run('nc_cookbook_set_config', config)).toEqual(once);
    const board = await run('deck_create_board', { title: 'B', color: '000000' });
    const board_id = board['id'];
    const stack = await run('deck_create_stack', { board_id, title: 'S', order: 0 });
    const stack_id = stack['id'];
    const card = await run('deck_create_card', { board_id, stack_id, title: 'C' });
    const label = await run('deck_create_label', { board_id, title: 'L', color: '000000' });
    const args = { board_id, stack_id, card_id: card['id'], label_id: label['id'] };
    const assigned = await run('deck_assign_label_to_card', args);
    expect(assigned['etag']).not.toBe(card['etag']);
    expect(await run('deck_assign_label_to_card', args)).toEqual(assigned);
  });

  it.each([
    ['nc_notes_create_note', { title: 'T', content: '', category: '' }],
    [
      'nc_calendar_create_event',
      { calendar_name: 'personal', title: 'T', start_datetime: '2026-05-01T10:00' },
    ],
    ['nc_calendar_create_todo', { calendar_name: 'personal', summary: 'T' }],
    ['deck_create_board', { title: 'T', color: '000000' }],
    ['nc_tables_insert_row', { table_id: 1, data: { 1: 'T' } }],
  ])('R113: %s twice leaves two objects', async (name, args) => {
    const first = await run(name, args);
    const second = await run(name, args);
    const key = 'uid' in first ? 'uid' : 'id';
    expect(first[key]).toBeDefined();
    expect(second[key]).not.toBe(first[key]);
  });

  it('R112: whatever is deleted twice is gone after the first time', async () => {
    const deletions: [string, object][] = [
      ['nc_webdav_delete_resource', { path: 'Documents/gone.txt' }],
      ['nc_calendar_delete_event', { calendar_name: 'personal', event_uid: 'gone' }],
      ['nc_contacts_delete_contact', { addressbook: 'contacts', uid: 'gone' }],
      ['nc_contacts_delete_addressbook', { name: 'gone' }],
      ['nc_tables_delete_row', { row_id: 9999 }],
      ['nc_share_delete', { share_id: 9999 }],
      ['nc_cookbook_delete_recipe', { recipe_id: 9999 }],
    ];
    for (const [name, args] of deletions) {
      expect([name, await run(name, args)]).toEqual([name, { deleted: false }]);
    }
    expect(await run('revoke_nextcloud_access')).toEqual({ revoked: false });
  });
});

describe('an update', () => {
  /** What is made, the update of one field, and what is changed by any update. */
  const UPDATES: Readonly<Record<string, () => Promise<readonly [Fields, object, Fields]>>> = {
    nc_notes_update_note: async () => {
      const note = await makeNote();
      return [note, { note_id: note['id'], etag: note['etag'] }, { category: 'Moved' }];
    },
    nc_calendar_update_event: async () => {
      const event = await run('nc_calendar_create_event', {
        calendar_name: 'personal',
        title: 'Full',
        start_datetime: '2026-06-01T10:00[America/New_York]',
        recurrence_rule: 'FREQ=DAILY;COUNT=3',
        location: 'Here',
        attendees: 'a@example.com',
        categories: 'One,Two',
        reminder_email: true,
        color: '#112233',
      });
      const args = { calendar_name: 'personal', event_uid: event['uid'] };
      return [event, args, { description: 'Changed' }];
    },
    nc_calendar_update_todo: async () => {
      const todo = await run('nc_calendar_create_todo', {
        calendar_name: 'personal',
        summary: 'Full',
        description: 'Long',
        due: '2026-06-01',
        priority: 3,
        categories: 'One',
      });
      return [todo, { calendar_name: 'personal', todo_uid: todo['uid'] }, { percent_complete: 40 }];
    },
    nc_cookbook_update_recipe: async () => {
      const recipe = await run('nc_cookbook_create_recipe', {
        name: 'Full',
        ingredients: ['a'],
        keywords: 'b',
        prep_time: 'PT5M',
      });
      return [recipe, { recipe_id: recipe['id'] }, { category: 'Soup' }];
    },
  };

  it.each(Object.entries(UPDATES))(
    'R83: %s leaves alone what it does not name',
    async (name, prepare) => {
      const [before, args, change] = await prepare();
      const after = await run(name, { ...args, ...change });
      const { etag, modified, ...rest } = before;
      expect(after).toMatchObject({ ...rest, ...change });
      expect(after['etag']).not.toBe(etag);
      void modified;
    },
  );

  it('R83: nc_contacts_update_contact leaves alone what it does not name', async () => {
    const contact = { addressbook: 'contacts', uid: 'full' };
    const before = await run('nc_contacts_create_contact', {
      ...contact,
      contact_data: { fn: 'Full Name', email: ['a@example.com'], org: 'Org', categories: ['x'] },
    });
    const after = await run('nc_contacts_update_contact', {
      ...contact,
      contact_data: { note: 'Changed' },
    });
    expect({ ...after, etag: '' }).toEqual({ ...before, note: 'Changed', etag: '' });
    const stale = await groupware.call('nc_contacts_update_contact', {
      ...contact,
      contact_data: { note: 'Lost' },
      etag: before['etag'],
    });
    expect([stale.status, stale.body['current']]).toEqual([412, after['etag']]);
  });
});
