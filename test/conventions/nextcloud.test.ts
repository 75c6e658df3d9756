/**
 * The Nextcloud convention against its record of 2025-12-11: every tool's hints, title and scopes, and
 * one test per kind of tool that the seed gives a rule for.
 */
import type { Act, Declaration, Hints } from 'plimsoll';
import {
  HINT_NAMES,
  narrowEffect,
  nextcloud,
  puts,
  reads,
  readStamp,
  sets,
  stamp,
  worstTier,
} from 'plimsoll';
import { describe, expect, it } from 'vitest';
import type { Declared } from '../../src/effect/declaration-faults.ts';
import { checkDeclaration } from '../../src/effect/declaration-faults.ts';
import { settles } from '../../src/effect/repeat.ts';
import { missingScopes } from '../../src/effect/operation.ts';
import record from '../fixtures/nextcloud.json' with { type: 'json' };
import { declare, hintsByName } from './golden.ts';
import { declarations } from './nextcloud/declarations.ts';

/** Where the seed prints a tool's own declaration and the code record says otherwise. */
const SEED_OVER_RECORD: Readonly<Record<string, Hints>> = {
  // The seed writes readOnlyHint=False out; the code does not set it, which means the same in MCP.
  provision_nextcloud_access: { readOnlyHint: false, idempotentHint: false, openWorldHint: true },
};

/** The acts that make up each class of the record, which sorts tools more coarsely. */
const ACTS_OF_CLASS: Readonly<Record<string, readonly Act[]>> = {
  read: ['read'],
  create: ['create', 'share', 'provision'],
  append: ['append'],
  update: ['update'],
  'update-etag': ['update'],
  put: ['put', 'create'],
  set: ['set', 'archive'],
  move: ['move', 'create'],
  delete: ['delete', 'revoke'],
  action: ['compute'],
  multi: ['read', 'update'],
};

const hints = hintsByName(declarations, nextcloud);
const excepted = new Set(nextcloud.exceptions.map(({ operation }) => operation));

describe('the record', () => {
  it('declares all 105 recorded tools and no other, in every module that the seed counts', () => {
    expect(declarations.map(({ name }) => name)).toStrictEqual(record.map(({ name }) => name));
    expect(new Set(record.map(({ name }) => name)).size).toBe(105);
    expect(new Set(record.map(({ module }) => module))).toStrictEqual(
      new Set([
        'notes',
        'webdav',
        'calendar',
        'semantic',
        'contacts',
        'deck',
        'tables',
        'sharing',
        'cookbook',
        'news',
        'oauth_tools',
      ]),
    );
  });

  it.each(record)('stamps $name with the recorded hints, omissions included', (tool) => {
    expect(hints[tool.name]).toStrictEqual(SEED_OVER_RECORD[tool.name] ?? tool.hints);
  });

  it('departs from the record only by saying a false readOnlyHint that the record leaves out', () => {
    for (const [name, stated] of Object.entries(SEED_OVER_RECORD)) {
      const recorded = record.find((tool) => tool.name === name);
      expect({ ...recorded?.hints, readOnlyHint: false }).toStrictEqual(stated);
      expect(recorded?.hints).not.toHaveProperty('readOnlyHint');
    }
  });

  it('R28: gives every tool its recorded title, never its name, on the tool and nowhere else', () => {
    for (const [index, declaration] of declarations.entries()) {
      const { title, annotations } = stamp(declaration, nextcloud);
      expect(title).toBe(record[index]?.title);
      expect(title).not.toBe(declaration.name);
      expect(annotations).not.toHaveProperty('title');
    }
  });

  it('R30: a title in the annotations does not replace the one on the tool', () => {
    const { title, annotations } = stamp(find('nc_notes_create_note'), nextcloud);
    const retitled = { title, annotations: { ...annotations, title: 'Alternative Title' } };
    expect(readStamp(retitled).title).toBe('Create Note');
  });

  it('states the recorded scopes of every tool, at least one each', () => {
    for (const [index, declaration] of declarations.entries()) {
      expect(declaration.scopes).toStrictEqual(record[index]?.scopes);
      expect(declaration.scopes).not.toHaveLength(0);
    }
  });

  it('asks for notes:read to search and notes:write to update and delete', () => {
    expect(find('nc_notes_search_notes').scopes).toStrictEqual(['notes:read']);
    expect(find('nc_notes_update_note').scopes).toStrictEqual(['notes:write']);
    expect(find('nc_notes_delete_note').scopes).toStrictEqual(['notes:write']);
  });

  it('R203: a todo tool needs two scopes, and holding one of them is not enough', () => {
    const { scopes } = find('nc_calendar_create_todo');
    expect(missingScopes(scopes, ['todo:write'])).toStrictEqual(['calendar:read']);
    expect(missingScopes(scopes, ['calendar:read'])).toStrictEqual(['todo:write']);
    expect(missingScopes(scopes, ['calendar:read', 'todo:write'])).toStrictEqual([]);
  });

  it.each(record)('declares $name with an act of its recorded class', (tool) => {
    const [kind = ''] = tool.class.split(' ');
    expect(ACTS_OF_CLASS[kind]).toContain(find(tool.name).effect.act);
  });

  it('keeps the fact that two tools can delete, whatever the hint says', () => {
    const manage = find('nc_calendar_manage_calendar').effect;
    const bulk = find('nc_calendar_bulk_operations').effect;
    expect([worstTier(manage), worstTier(bulk)]).toStrictEqual(['destructive', 'destructive']);
    expect(narrowEffect(manage, { action: 'list' }).act).toBe('read');
    expect(narrowEffect(manage, { action: 'delete' }).act).toBe('delete');
    expect(narrowEffect(bulk, { operation: 'move' }).act).toBe('move');
    expect(narrowEffect(bulk, { operation: 'delete' }).act).toBe('delete');
  });

  it('holds no declaration with a fault', () => {
    expect(declarations.flatMap((declaration) => checkDeclaration(complete(declaration)))).toEqual(
      [],
    );
  });
});

describe('kinds', () => {
  it('R31: reads say read-only and open world, and nothing else', () => {
    expect(hintsOfKind('read')).toStrictEqual([{ readOnlyHint: true, openWorldHint: true }]);
    expect(namesOfKind('read')).toEqual(
      expect.arrayContaining([
        'nc_notes_search_notes',
        'nc_webdav_list_directory',
        'nc_calendar_list_calendars',
        'nc_semantic_search',
        'check_logged_in',
      ]),
    );
  });

  it('R32: creates are not repeatable', () => {
    expect(hintsOfKind('create')).toStrictEqual([{ idempotentHint: false, openWorldHint: true }]);
    expect(namesOfKind('create')).toEqual(
      expect.arrayContaining([
        'nc_notes_create_note',
        'nc_calendar_create_event',
        'nc_contacts_create_contact',
        'deck_create_card',
        'nc_tables_insert_row',
      ]),
    );
  });

  it('R33: updates are not repeatable, with an etag and without', () => {
    expect(hintsOfKind('update')).toStrictEqual([{ idempotentHint: false, openWorldHint: true }]);
    expect(namesOfKind('update')).toEqual(
      expect.arrayContaining([
        'nc_notes_update_note',
        'nc_calendar_update_event',
        'nc_contacts_update_contact',
        'deck_update_card',
      ]),
    );
  });

  it('R34: an append adds again on every call, so it is not repeatable', () => {
    expect(hintsOfKind('append')).toStrictEqual([{ idempotentHint: false, openWorldHint: true }]);
    expect(namesOfKind('append')).toEqual(expect.arrayContaining(['nc_notes_append_content']));
    expect(find('nc_notes_append_content').effect.repeat).toStrictEqual({ kind: 'fresh' });
  });

  it('R35: deletes are destructive and repeatable, and a deleted note does not come back', () => {
    expect(hintsOfKind('delete')).toStrictEqual([
      { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    ]);
    expect(namesOfKind('delete')).toEqual(
      expect.arrayContaining([
        'nc_notes_delete_note',
        'nc_webdav_delete_resource',
        'nc_calendar_delete_event',
        'nc_contacts_delete_contact',
      ]),
    );
    expect(find('nc_notes_delete_note').effect.reversible).toBe(false);
  });

  it('revokes are marked like deletes', () => {
    expect(hintsOfKind('revoke')).toStrictEqual([
      { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    ]);
    expect(namesOfKind('revoke')).toEqual(
      expect.arrayContaining(['revoke_nextcloud_access', 'nc_share_delete']),
    );
  });

  it('R36 R77: a file write is repeatable, and would not be with a version check', () => {
    expect(hintsOfKind('put')).toStrictEqual([{ idempotentHint: true, openWorldHint: true }]);
    expect(namesOfKind('put')).toEqual(expect.arrayContaining(['nc_webdav_write_file']));
    expect(find('nc_webdav_write_file').effect.repeat).toStrictEqual({
      kind: 'end-state',
      result: 'same',
    });
    const conditional = declare(
      'nc_webdav_write_file',
      'Write File',
      puts('file', { reach: 'own-account', repeat: 'version-required' }),
    );
    expect(stamp(conditional, nextcloud).annotations.idempotentHint).toBe(false);
  });

  it('setting a property is repeatable unless the record says otherwise of that tool', () => {
    const setProperty = declare('set_property', 'Set Property', sets('property'));
    expect(stamp(setProperty, nextcloud).annotations.idempotentHint).toBe(true);
    expect(ofAct('set').map(({ name }) => name)).toContain('nc_cookbook_set_config');
    expect(namesOfKind('set')).toStrictEqual([]);
  });

  it('R38: granting access says that it is not read-only and not repeatable', () => {
    expect(hintsOfKind('provision')).toStrictEqual([
      { readOnlyHint: false, idempotentHint: false, openWorldHint: true },
    ]);
    expect(namesOfKind('provision')).toEqual(
      expect.arrayContaining(['provision_nextcloud_access']),
    );
  });

  it('R39: semantic search is open world', () => {
    expect(hints['nc_semantic_search']?.openWorldHint).toBe(true);
  });

  it('R40: a read that leaves a log line or an audit row stays read-only', () => {
    for (const trace of ['nothing', 'log', 'audit'] as const) {
      const search = declare('search', 'Search', reads('note', { trace }));
      expect(stamp(search, nextcloud).annotations.readOnlyHint).toBe(true);
    }
    expect(find('nc_notes_search_notes').effect.trace).toBe('log');
  });

  it('R41: every read may be repeated and destroys nothing', () => {
    const doubtful = ofAct('read').filter(
      ({ name, effect }) =>
        !settles(effect.repeat) ||
        effect.overwrites ||
        !effect.reversible ||
        hints[name]?.destructiveHint === true,
    );
    expect(doubtful).toEqual([]);
  });

  it('the login check is read-only', () => {
    expect(hints['check_logged_in']?.readOnlyHint).toBe(true);
  });

  it('R205: an update checks a version always, on request or never', () => {
    expect(find('nc_notes_update_note').effect.repeat).toStrictEqual({
      kind: 'version',
      need: 'required',
    });
    expect(find('nc_contacts_update_contact').effect.repeat).toStrictEqual({
      kind: 'version',
      need: 'optional',
    });
    expect(find('deck_update_card').effect.repeat).toStrictEqual({
      kind: 'end-state',
      result: 'same',
    });
  });

  it('R170: the notes tools that the seed tests have their titles and hints', () => {
    const create = stamp(find('nc_notes_create_note'), nextcloud);
    expect(create.title).toBe('Create Note');
    expect(create.annotations.idempotentHint).toBe(false);
    const remove = stamp(find('nc_notes_delete_note'), nextcloud);
    expect(remove.title).toBe('Delete Note');
    expect(remove.annotations.destructiveHint).toBe(true);
    expect(remove.annotations.idempotentHint).toBe(true);
    const search = stamp(find('nc_notes_search_notes'), nextcloud);
    expect(search.title).toBe('Search Notes');
    expect(search.annotations.readOnlyHint).toBe(true);
  });
});

describe('exceptions', () => {
  const byRule = hintsByName(declarations, { ...nextcloud, exceptions: [] });

  it('names each excepted tool once', () => {
    expect(excepted.size).toBe(nextcloud.exceptions.length);
  });

  it.each(nextcloud.exceptions)('$operation is declared, with a reason', (exception) => {
    expect(hints).toHaveProperty(exception.operation);
    expect(exception.reason).toMatch(/^[A-Z].*\.$/);
  });

  it.each(nextcloud.exceptions)('$operation changes every hint it names', (exception) => {
    const names = HINT_NAMES.filter((name) => exception.hints[name] !== undefined);
    expect(names).not.toHaveLength(0);
    for (const name of names) {
      expect(byRule[exception.operation]?.[name]).not.toBe(hints[exception.operation]?.[name]);
    }
  });
});

function find(name: string): Declaration {
  const found = declarations.find((declaration) => declaration.name === name);
  if (found === undefined) throw new Error(`${name} is not declared`);
  return found;
}

/** Declarations of one act, without those that arguments turn into another. */
function ofAct(act: Act): readonly Declaration[] {
  return declarations.filter(({ effect }) => effect.act === act && effect.varies.length === 0);
}

/** The tools of an act for which the convention makes no exception. */
function namesOfKind(act: Act): readonly string[] {
  return ofAct(act)
    .map(({ name }) => name)
    .filter((name) => !excepted.has(name));
}

/** The different hints among the tools of a kind; a kind with a rule has one. */
function hintsOfKind(act: Act): readonly unknown[] {
  const written = namesOfKind(act).map((name) => JSON.stringify(hints[name]));
  return [...new Set(written)].map((text): unknown => JSON.parse(text));
}

/** The declaration with the least of a schema: the arguments that its effect depends on. */
function complete(declaration: Declaration): Declared {
  const depends = declaration.effect.varies.flatMap(({ when }) =>
    'argument' in when ? [when.argument] : [],
  );
  return {
    ...declaration,
    description: declaration.title,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(depends.map((name) => [name, { description: name }])),
    },
  };
}
