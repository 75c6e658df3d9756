/** Documents that are broken, huge or malicious: findings, never an error. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answers,
  documentOf,
  endings,
  json,
  project,
  takes,
} from '../../../test/support/openapi-documents.ts';
import { shopDocument } from '../../../test/support/shop-api.ts';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** How an endpoint ends whose argument has this schema. */
function endingWith(schema: unknown, schemas: Record<string, unknown> = {}): string | undefined {
  const get = { operationId: 'one', parameters: [{ name: 'q', in: 'query', schema }] };
  return endings(project(documentOf({ '/a': { get } }, { schemas })))['one'];
}

describe('size', () => {
  it('projects ten thousand operations', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [
        `/things/${n}/{id}`,
        {
          get: {
            operationId: `things.${n}`,
            parameters: [{ name: 'id', in: 'path', schema: to('Id') }],
            ...answers(json(to('Thing'))),
          },
        },
      ]),
    );
    const schemas = {
      Id: { type: 'string' },
      Thing: { type: 'object', properties: { id: to('Id'), next: to('Thing') } },
    };
    const { operations, excluded, refused } = project(documentOf(paths, { schemas }));
    expect([operations.length, excluded.length, refused.length]).toEqual([10_000, 0, 0]);
  });

  it('refuses arguments that are too large or too deep, and leaves out such results', () => {
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`p${n}`, {}])),
    };
    let deep: unknown = { type: 'string' };
    for (let depth = 0; depth < 20_000; depth += 1) deep = { type: 'array', items: deep };
    expect(endingWith(wide)).toBe('schema-too-large');
    expect(endingWith(deep)).toBe('schema-too-large');
    expect(endingWith({ enum: Array.from({ length: 30_000 }, (_, n) => n) })).toBe(
      'schema-too-large',
    );
    const get = { operationId: 'one', ...answers(json(wide)) };
    expect(project(documentOf({ '/a': { get } })).operations[0]).not.toHaveProperty('outputSchema');
  });

  it('ends with schemas that grow with each definition', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `S${n}`,
        { type: 'object', properties: { a: to(`S${n + 1}`), b: to(`S${n + 1}`) } },
      ]),
    );
    expect(endingWith(to('S0'), { ...doubling, S60: {} })).toBe('kept');
  });

  it('ends with documents that hold themselves', () => {
    const loop: Record<string, unknown> = { type: 'object' };
    loop['properties'] = { loop };
    loop['default'] = loop;
    expect(endingWith(loop)).toBe('schema-too-large');
  });
});

describe('missing and wrong parts', () => {
  it.each([
    undefined,
    null,
    7,
    'openapi: 3.1.0',
    [],
    {},
    { openapi: '3.1.0' },
    { openapi: '3.1.0', paths: [] },
    { openapi: 3.1, paths: null },
    { swagger: '2.0', paths: {} },
    { openapi: '2.0', paths: {} },
  ])('%j is no document', (document) => {
    const { operations, refused } = project(document);
    expect(operations).toEqual([]);
    expect(refused).toMatchObject([{ code: 'document-unreadable' }]);
  });

  it('finds each broken endpoint by itself', () => {
    const get = { operationId: 'x' };
    const document = documentOf({
      '/null': null,
      '/text': { get: 'text' },
      relative: { get },
      '/up/../there': { get },
      '/query?a=b': { get },
      '/space d': { get },
      '/missing/{id}': { get: { operationId: 'missing' } },
      '/nameless': { get: { operationId: 'nameless', parameters: [{ in: 'query' }] } },
      '/placeless': { get: { operationId: 'placeless', parameters: [{ name: 'a', in: 'body' }] } },
      '/header': { get: { operationId: 'header', parameters: [{ name: 'a b', in: 'header' }] } },
      '/style/{a}': {
        get: { operationId: 'style', parameters: [{ name: 'a', in: 'path', style: 'matrix' }] },
      },
      '/media': {
        get: {
          operationId: 'media',
          parameters: [{ name: 'a', in: 'query', content: { 'text/csv': {} } }],
        },
      },
      '/name': { get: { operationId: 'has spaces' } },
      '/scope': { get: { operationId: 'scope', 'x-required-scope': '*' } },
      'x-note': 'not a path',
    });
    expect(endings(project(document))).toEqual({
      '/null': 'endpoint-unreadable',
      'GET /text': 'endpoint-unreadable',
      relative: 'path-not-allowed',
      '/up/../there': 'path-not-allowed',
      '/query?a=b': 'path-not-allowed',
      '/space d': 'path-not-allowed',
      missing: 'path-parameter-missing',
      nameless: 'endpoint-unreadable',
      placeless: 'endpoint-unreadable',
      header: 'endpoint-unreadable',
      style: 'style-unsupported',
      media: 'style-unsupported',
      'has spaces': 'name-not-allowed',
      scope: 'scope-not-allowed',
    });
  });

  it('is not moved by names that objects have anyway', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["toString"]}',
    ) as unknown;
    const post = { operationId: '__proto__', 'x-side-effect': 'compute', ...takes(schema) };
    const { operations } = project(documentOf({ '/a': { post } }));
    expect(operations[0]?.name).toBe('__proto__');
    expect(Object.keys(operations[0]?.inputSchema['properties'] as object)).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect({}).not.toHaveProperty('polluted');
  });

  it('survives anything in the place of anything', { timeout: 120_000 }, () => {
    const places = placesIn(shopDocument);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...places), fc.oneof(fc.jsonValue(), hostileValues)), {
          minLength: 1,
          maxLength: 4,
        }),
        (changes) => {
          const document: unknown = JSON.parse(JSON.stringify(shopDocument));
          for (const [path, value] of changes) put(document, path, value);
          const { operations, excluded, refused } = project(document);
          for (const { sentence } of [...excluded, ...refused]) expect(sentence).not.toBe('');
          for (const operation of operations) {
            expect(() => JSON.stringify(operation.inputSchema)).not.toThrow();
            void operation.input['~standard'].validate({ id: 'x', body: [1] });
            void operation.output?.['~standard'].validate({ id: 'x' });
          }
        },
      ),
      { numRuns: 1500 },
    );
  });
});

const hostileValues = fc.constantFrom<unknown>(
  { $ref: '#' },
  { $ref: '#/paths' },
  { $ref: '#/components/schemas/Order' },
  { $ref: 'https://evil.example' },
  { $id: 'http://[', $ref: '#' },
  { $id: 'urn:a', $anchor: 'b', $schema: 'urn:c', $dynamicRef: '#b' },
  { type: ['string', 'array', 7] },
  { pattern: '(' },
  { allOf: [{ $ref: '#/components/schemas/Order' }, true, null] },
  Number.NaN,
  true,
);

type Path = readonly string[];

function placesIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return path.length > 0 ? [path] : [];
  const inner = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...path, key]));
  return path.length > 0 ? [path, ...inner] : inner;
}

function put(root: unknown, path: Path, value: unknown): void {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root);
  const key = path.at(-1);
  if (typeof parent === 'object' && parent !== null && key !== undefined) {
    (parent as Record<string, unknown>)[key] = value;
  }
}
