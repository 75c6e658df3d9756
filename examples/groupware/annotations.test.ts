/** What the groupware tells hosts, as a client receives it, tool by tool against the record of 2025-12-11. */
import record from '../../test/fixtures/nextcloud.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGroupware } from './test-groupware.ts';
import { connect, openTestGroupware } from './test-groupware.ts';

interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> | undefined };
}

let groupware: TestGroupware;
let tools: ReadonlyMap<string, ListedTool>;

async function list(as: string): Promise<ReadonlyMap<string, ListedTool>> {
  const client = await connect(`${groupware.http.url}/mcp`, { as });
  const listed = (await client.listTools()).tools as readonly ListedTool[];
  await client.close();
  return new Map(listed.map((tool) => [tool.name, tool]));
}

beforeAll(async () => {
  groupware = await openTestGroupware();
  tools = await list('mara');
});

afterAll(() => groupware[Symbol.asyncDispose]());

const MODULE_SIZES = {
  calendar: 16,
  contacts: 7,
  cookbook: 13,
  deck: 25,
  news: 8,
  notes: 7,
  oauth_tools: 4,
  semantic: 3,
  sharing: 5,
  tables: 6,
  webdav: 11,
};

describe('the served list', () => {
  it('R45: has all 105 recorded tools, none left out and none added, in every module', () => {
    expect([...tools.keys()].toSorted()).toEqual(record.map(({ name }) => name).toSorted());
    const sizes = Object.fromEntries(
      [...Map.groupBy(record, ({ module }) => module)].map(([module, all]) => [
        module,
        all.filter(({ name }) => tools.has(name)).length,
      ]),
    );
    expect(sizes).toEqual(MODULE_SIZES);
  });

  it.each(record)('$name has the recorded title and hints', ({ name, title, hints }) => {
    const tool = tools.get(name);
    expect(tool?.title).toBe(title);
    // The convention's own page writes this one out, which the code did not.
    const isGrant = name === 'provision_nextcloud_access';
    expect(tool?.annotations).toEqual(isGrant ? { ...hints, readOnlyHint: false } : hints);
  });

  it.each(record)('R43 R218: $name states the scopes that it requires', ({ name, scopes }) => {
    expect(groupware.server.operations.get(name)?.scopes).toEqual(scopes);
    for (const scope of scopes) expect(tools.get(name)?.description).toContain(scope);
  });

  it.each(record)('$name takes the recorded parameters, each with a description', (recorded) => {
    const properties = tools.get(recorded.name)?.inputSchema.properties ?? {};
    expect(Object.keys(properties).toSorted()).toEqual(recorded.parameters.toSorted());
    for (const property of Object.values(properties)) {
      expect((property as { description?: string }).description).toMatch(/\S/);
    }
  });

  it('R219: every update says where its etag comes from and that a stale one fails, or that it takes none', () => {
    const updates = [...tools.values()].filter(({ name }) => name.includes('_update_'));
    const [tagged, others] = [true, false].map((takesTag) =>
      updates.filter(
        ({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, 'etag') === takesTag,
      ),
    );
    expect(tagged).toHaveLength(3);
    for (const { description = '' } of tagged ?? []) {
      expect(tools.has(/etag from (\w+)/.exec(description)?.[1] ?? '')).toBe(true);
      expect(description).toMatch(/fails[^]*stale|stale[^]*fails/);
    }
    expect(others?.length).toBeGreaterThan(5);
    for (const { description } of others ?? []) expect(description).toContain('takes no etag');
  });

  it('R132: a client can sort it into reads, writes and deletes by hints alone', () => {
    const kinds = Map.groupBy(tools.values(), ({ annotations }) => {
      if (annotations?.['readOnlyHint'] === true) return 'read';
      return annotations?.['destructiveHint'] === true ? 'delete' : 'write';
    });
    const sizes = [...kinds].map(([kind, all]) => [kind, all.length] as const);
    expect(Object.fromEntries(sizes)).toEqual({ read: 51, write: 41, delete: 13 });
    for (const { name } of kinds.get('delete') ?? []) expect(name).toMatch(/delete|revoke/);
  });

  it('R82: says of the login check that it is read-only', () => {
    expect(tools.get('check_logged_in')?.annotations).toEqual({
      readOnlyHint: true,
      openWorldHint: true,
    });
  });
});

describe('a token with fewer scopes', () => {
  it('is listed only what it allows', async () => {
    const listed = await list('reader');
    expect([...listed.keys()].toSorted()).toEqual(
      record
        .filter(({ scopes }) => scopes.every((scope) => scope === 'notes:read'))
        .map(({ name }) => name)
        .toSorted(),
    );
    expect([...(await list('todo-only')).keys()]).toEqual([]);
  });

  it('R98: notes:read searches and gets, and is refused an update and a delete', async () => {
    const note = await groupware.call('nc_notes_create_note', {
      title: 'Plan',
      content: 'One',
      category: '',
    });
    const note_id = note.body['id'];
    const search = await groupware.call('nc_notes_search_notes', { query: 'plan' }, 'reader');
    expect([search.status, search.body]).toMatchObject([200, { results: [{ id: note_id }] }]);
    const etag = note.body['etag'];
    for (const [name, args] of [
      ['nc_notes_update_note', { note_id, etag, title: 'X' }],
      ['nc_notes_delete_note', { note_id }],
    ] as const) {
      const refused = await groupware.call(name, args, 'reader');
      expect([refused.status, refused.body]).toMatchObject([403, { missing: ['notes:write'] }]);
    }
    const after = await groupware.call('nc_notes_get_note', { note_id }, 'reader');
    expect(after.body).toEqual(note.body);
  });
});
