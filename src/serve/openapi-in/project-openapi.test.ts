/** What a projected operation is called, what the overlay adds to it, and where it forwards to. */
import { describe, expect, it } from 'vitest';
import { stamp } from '../../effect/stamp.ts';
import { geopera } from '../../effect/conventions/geopera.ts';
import {
  answers,
  documentOf,
  json,
  project,
  projectOne,
} from '../../../test/support/openapi-documents.ts';

describe('words', () => {
  it('names the tool as the operation is named, with the title and description of the document', () => {
    const made = projectOne({
      operationId: 'orders.list',
      summary: 'List\n orders',
      description: 'Every order of the caller.',
    });
    expect(made).toMatchObject({
      name: 'orders.list',
      title: 'List orders',
      description: 'Every order of the caller.',
    });
  });

  it.each([
    ['orders.archive.place', 'Orders Archive Place'],
    ['getHTTPStatus', 'Get HTTP Status'],
    ['list_open-orders', 'List Open Orders'],
    ['Ping', 'GET /things'],
  ])('makes a title of %s where there is no summary: %s', (operationId, title) => {
    expect(projectOne({ operationId }).title).toBe(title);
  });

  it('says in a description at least which endpoint of which API it is', () => {
    expect(projectOne({}).description).toBe('GET /things of Shop.');
    expect(projectOne({ summary: 'Lists things' }).description).toBe('Lists things');
  });
});

describe('the overlay', () => {
  const document = documentOf({ '/notes/{id}': { delete: noteDelete() } });

  function noteDelete() {
    return {
      operationId: 'notes.delete',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      ...answers(json({ type: 'object', properties: { undo: { type: 'string' } } })),
    };
  }

  it('says what the document does not, fact by fact', () => {
    const { operations, refused } = project(document, {
      reach: 'third-party',
      overlay: {
        'notes.delete': {
          sideEffect: 'destructive',
          act: 'revoke',
          object: 'note',
          title: 'Throw Note Away',
          scope: 'notes:write',
          produces: ['nothing'],
          repeat: 'key-optional',
          trace: 'audit',
          reversible: true,
          secrets: ['undo'],
          secretsReason: 'The token brings the note back, once.',
        },
      },
    });
    expect(refused).toEqual([]);
    expect(operations[0]).toMatchObject({
      title: 'Throw Note Away',
      scopes: ['notes:write'],
      produces: ['nothing'],
      effect: {
        act: 'revoke',
        object: 'note',
        tier: 'destructive',
        repeat: { kind: 'key', need: 'optional' },
        reach: 'third-party',
        trace: 'audit',
        reversible: true,
        secrets: ['undo'],
      },
    });
  });

  it('an act alone states its tier', () => {
    const { operations } = project(document, { overlay: { 'notes.delete': { act: 'archive' } } });
    expect(operations[0]?.effect).toMatchObject({ act: 'archive', tier: 'compute' });
  });

  it('goes before the document', () => {
    const get = { operationId: 'one', 'x-side-effect': 'compute', 'x-required-scope': 'a:b' };
    const overlay = { one: { sideEffect: 'read', scope: ['c:d', 'e:f'] } } as const;
    const [made] = project(documentOf({ '/a': { get } }), { overlay }).operations;
    expect(made).toMatchObject({ effect: { tier: 'read' }, scopes: ['c:d', 'e:f'] });
  });

  it.each([
    [{ sideefect: 'read' }, 'sideefect'],
    [{ sideEffect: 'harmless' }, 'one of read, compute'],
    [{ repeat: 'toString' }, 'one of same, end-state'],
    [{ secrets: 'undo' }, 'a list of strings'],
    ['destructive', 'not an object'],
  ])('refuses %j', (entry, said) => {
    const overlay = { 'notes.delete': entry } as never;
    const { operations, refused } = project(document, { overlay });
    expect(operations).toEqual([]);
    expect(refused).toMatchObject([{ operation: 'notes.delete', code: 'overlay-invalid' }]);
    expect(refused[0]?.sentence).toContain(said);
  });

  it('refuses an entry for an operation that there is not', () => {
    const overlay = { 'notes.delte': {}, 'notes.delete': { act: 'delete' } } as const;
    expect(project(document, { overlay }).refused).toMatchObject([
      { operation: 'notes.delte', code: 'overlay-unused' },
    ]);
    expect(project(document, { overlay: [] as never }).refused).toMatchObject([
      { operation: 'overlay', code: 'overlay-invalid' },
      { code: 'tier-missing' },
    ]);
  });
});

describe('names', () => {
  it('refuses all endpoints that share one operationId', () => {
    const get = { operationId: 'same' };
    const { operations, refused } = project(documentOf({ '/a': { get }, '/b': { get } }));
    expect(operations).toEqual([]);
    expect(refused.map(({ code, endpoint }) => [code, endpoint])).toEqual([
      ['name-taken', 'GET /a'],
      ['name-taken', 'GET /b'],
    ]);
  });

  it('keeps what is deprecated', () => {
    expect(projectOne({ deprecated: true }).name).toBe('one');
  });

  it('is stamped by a convention like any other operation', () => {
    const made = projectOne({ 'x-side-effect': 'external_spend' }, { method: 'post' });
    expect(stamp(made, geopera)).toMatchObject({
      annotations: { readOnlyHint: false, idempotentHint: true, openWorldHint: true },
      _meta: { 'x-side-effect': 'external_spend' },
    });
  });
});

it.each([
  'ftp://api.example.com',
  'file:///etc/passwd',
  'api.example.com',
  'https://a:b@c',
  'http://a?b',
])('takes no base URL like %s', (baseUrl) => {
  expect(() => project(documentOf({}), { baseUrl })).toThrow(/^baseUrl must/);
});
