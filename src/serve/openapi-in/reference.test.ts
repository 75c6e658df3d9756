/** References that never end, lead nowhere or leave the document. */
import { describe, expect, it } from 'vitest';
import {
  answers,
  documentOf,
  endings,
  json,
  project,
} from '../../../test/support/openapi-documents.ts';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** How an endpoint ends whose argument has this schema. */
function endingWith(schema: unknown, schemas: Record<string, unknown> = {}): string | undefined {
  const get = { operationId: 'one', parameters: [{ name: 'q', in: 'query', schema }] };
  return endings(project(documentOf({ '/a': { get } }, { schemas })))['one'];
}

describe('references', () => {
  it.each([
    ['itself', { A: to('A') }],
    ['itself through another', { A: to('B'), B: to('A') }],
    ['itself among alternatives', { A: { anyOf: [{ type: 'null' }, to('A')] } }],
    ['itself through parts', { A: { allOf: [to('B')] }, B: { oneOf: [{ not: to('A') }] } }],
    ['itself on a condition', { A: { if: { type: 'string' }, else: to('A') } }],
  ])('a schema that is %s is refused', (_, schemas) => {
    expect(endingWith(to('A'), schemas)).toBe('reference-cycle');
  });

  it('a schema that holds itself is kept', () => {
    const A = {
      type: 'object',
      properties: { a: to('A'), all: { type: 'array', items: to('A') } },
    };
    expect(endingWith(to('A'), { A })).toBe('kept');
  });

  it('a chain of many definitions is followed to its end', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [`S${n}`, { allOf: [to(`S${n + 1}`)] }]),
    );
    expect(endingWith(to('S0'), { ...chain, S5000: { type: 'string' } })).toBe('kept');
  });

  it.each([
    'https://evil.example/schema.json',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    './other.yaml#/Pet',
    '//evil.example/x',
    'urn:x:y',
  ])('%s is refused and not fetched', ($ref) => {
    const before = globalThis.fetch;
    const fetched: unknown[] = [];
    globalThis.fetch = async (url) => {
      fetched.push(url);
      return new Response();
    };
    try {
      expect(endingWith({ type: 'array', items: { $ref } })).toBe('reference-remote');
      expect(fetched).toEqual([]);
    } finally {
      globalThis.fetch = before;
    }
  });

  it.each(['#/components/schemas/None', '#anchor', '#/%', '#/__proto__/polluted', '#/paths/x/y/z'])(
    '%s points at nothing',
    ($ref) => {
      expect(endingWith({ $ref })).toBe('reference-broken');
    },
  );

  it('a remote path, parameter, body or response is refused by itself', () => {
    const $ref = 'https://evil.example/x';
    const document = documentOf({
      '/path': { $ref },
      '/parameter': { get: { operationId: 'parameter', parameters: [{ $ref }] } },
      '/body': { post: { operationId: 'body', 'x-side-effect': 'compute', requestBody: { $ref } } },
      '/response': { get: { operationId: 'response', responses: { 200: { $ref } } } },
      '/result': {
        get: {
          operationId: 'result',
          ...answers(json({ type: 'object', properties: { a: { $ref } } })),
        },
      },
      '/fine': { get: { operationId: 'fine' } },
    });
    expect(endings(project(document))).toEqual({
      '/path': 'reference-remote',
      parameter: 'reference-remote',
      body: 'reference-remote',
      response: 'reference-remote',
      result: 'reference-remote',
      fine: 'kept',
    });
  });
});
