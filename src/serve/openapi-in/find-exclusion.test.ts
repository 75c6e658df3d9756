/** Which endpoints get no tool, with code and sentence, and that the docs list exactly these. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  answers,
  documentOf,
  endings,
  json,
  project,
  takes,
} from '../../../test/support/openapi-documents.ts';
import { EXCLUSIONS, REFUSAL_CODES } from './finding.ts';

const parameters = ['z', 'x', 'y'].map((name) => ({ name, in: 'path', schema: {} }));
const ok = json({ type: 'object', properties: { id: { type: 'string' } } });

/** How one endpoint ends, and the sentence that is given for it. */
function ending(operation: object, { path = '/things', method = 'get', overlay = {} } = {}) {
  const document = documentOf({ [path]: { [method]: { operationId: 'one', ...operation } } });
  const projection = project(document, { overlay });
  return { how: endings(projection)['one'], because: projection.excluded[0]?.sentence };
}

describe('findExclusion', () => {
  it.each([
    ['a rendered image', answers({ 'image/png': {} }), '/scenes/thumbnail'],
    ['vector graphics', answers({ 'image/svg+xml': {} }), '/qr'],
    ['a tile by its path', { parameters }, '/tiles/{z}/{x}/{y}'],
    ['a tile in another order', { parameters }, '/wmts/{z}/{y}/{x}.png'],
    ['a picture in a string', answers(json({ contentMediaType: 'image/png' })), '/picture'],
  ])('R157: %s gets no tool', (_, operation, path) => {
    expect(ending(operation, { path })).toEqual({ how: 'image', because: EXCLUSIONS.image });
  });

  it.each([
    ['bytes', answers({ 'application/octet-stream': {} })],
    ['a report as PDF', answers({ 'application/pdf': {} }, '201')],
    ['an export as ZIP', answers({ 'application/zip': { schema: {} } }, '2XX')],
    ['a spreadsheet', answers({ 'application/vnd.ms-excel': {} })],
    ['a string that is a file', answers(json({ type: 'string', format: 'binary' }))],
    ['what is marked as raw', { 'x-raw-response': true, ...answers(ok) }],
  ])('R158: %s gets no tool, and a signed URL is pointed to', (_, operation) => {
    const { how, because } = ending(operation);
    expect(how).toBe('binary-download');
    expect(because).toContain('signed URL');
  });

  it.each(['application/x-ndjson', 'application/jsonl', 'text/event-stream; charset=utf-8'])(
    'R159: a stream of %s gets no tool, and the paged sibling is pointed to',
    (mediaType) => {
      const { how, because } = ending(answers({ [mediaType]: {} }));
      expect(how).toBe('stream');
      expect(because).toContain('paged sibling');
    },
  );

  it.each([
    ['a path', {}, '/v1/admin/users'],
    ['another path', {}, '/Cron/settle'],
    ['a tag', { tags: ['Internal tools'] }, '/things'],
    ['a scope', { 'x-required-scope': 'admin:read' }, '/things'],
    ['a scope of the API', { security: [{ oauth: ['org.admin'] }] }, '/things'],
  ])('R160: admin, cron and internal operations get no tool, told by %s', (_, operation, path) => {
    expect(ending(operation, { path }).how).toBe('admin');
  });

  it('takes a word for what it is only when it is the whole word', () => {
    expect(ending({ tags: ['Administration'] }, { path: '/internals/cronjobs' }).how).toBe('kept');
  });

  describe.each(['external_spend', 'destructive'])('%s', (tier) => {
    const stated = { 'x-side-effect': tier };

    it.each([
      ['has no schema', { requestBody: { content: { 'application/json': {} } } }],
      ['is any object', takes({ type: 'object' })],
      ['is anything', takes({})],
      ['is a map', takes({ type: 'object', additionalProperties: { type: 'string' } })],
    ])('R161: gets no tool when its body %s', (_, body) => {
      expect(ending({ ...stated, ...body }, { method: 'post' })).toEqual({
        how: 'untyped',
        because: EXCLUSIONS.untyped,
      });
    });

    it.each([
      ['fields', takes({ type: 'object', properties: { amount: { type: 'integer' } } })],
      ['no fields at all', takes({ type: 'object', additionalProperties: false })],
      ['alternatives', takes({ oneOf: [{ type: 'string' }, { type: 'integer' }] })],
      ['no body', {}],
    ])('stays when it is typed, with %s', (_, body) => {
      expect(ending({ ...stated, ...body }, { method: 'post' }).how).toBe('kept');
    });
  });

  it('leaves untyped bodies to tiers that are not asked about', () => {
    const operation = { 'x-side-effect': 'compute', ...takes({ type: 'object' }) };
    expect(ending(operation, { method: 'post' }).how).toBe('kept');
  });

  it('keeps what also comes as JSON, or as text', () => {
    expect(ending(answers({ ...ok, 'image/png': {}, 'text/event-stream': {} })).how).toBe('kept');
    expect(ending(answers({ 'text/csv': {} })).how).toBe('kept');
    expect(ending(answers({ 'application/hal+json': {} })).how).toBe('kept');
  });

  it('excludes bodies that are not JSON, methods that are not calls, and what has no name', () => {
    const requestBody = { content: { 'multipart/form-data': { schema: {} } } };
    expect(ending({ requestBody }, { method: 'post' }).how).toBe('body-not-json');
    expect(ending({}, { method: 'options' }).how).toBe('method-not-forwarded');
    const { excluded } = project(documentOf({ '/a': { get: {} } }));
    expect(excluded).toEqual([
      {
        operation: 'GET /a',
        endpoint: 'GET /a',
        code: 'operation-id-missing',
        sentence: EXCLUSIONS['operation-id-missing'],
      },
    ]);
  });

  it('excludes what the overlay excludes, with its reason', () => {
    const excluded = ending({}, { overlay: { one: { exclude: 'Too slow.' } } });
    expect(excluded).toEqual({ how: 'excluded-by-overlay', because: 'Too slow.' });
    expect(ending({}, { overlay: { one: { exclude: true } } }).how).toBe('excluded-by-overlay');
    expect(ending({}, { overlay: { one: { exclude: false } } }).how).toBe('kept');
  });
});

describe('docs/openapi-in.md', () => {
  const page = readFileSync('docs/openapi-in.md', 'utf8');

  function codesUnder(heading: string): Set<string> {
    const [, section = ''] = page.split(`## ${heading}\n`);
    const [table = ''] = section.split('\n## ');
    return new Set([...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, code]) => code ?? ''));
  }

  it('R163: lists every kind of exclusion and no other', () => {
    expect(codesUnder('What gets no tool')).toEqual(new Set(Object.keys(EXCLUSIONS)));
  });

  it('lists every refusal and no other', () => {
    expect(codesUnder('What is refused')).toEqual(new Set(REFUSAL_CODES));
  });
});
