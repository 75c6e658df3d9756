import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../lib/problem.ts';
import { buildRequest } from './build-request.ts';
import type { PlannedParameter, RequestPlan } from './request-plan.ts';

const sender = { baseUrl: new URL('https://api.example.com/v1/'), headers: {}, key: undefined };

function parameter(name: string, more: Partial<PlannedParameter> = {}): PlannedParameter {
  return { argument: name, name, place: 'query', style: 'form', explode: true, ...more };
}

function plan(parameters: readonly PlannedParameter[], more: Partial<RequestPlan> = {}) {
  return { method: 'GET', path: '/things', parameters, reserved: [], ...more };
}

const inPath = plan([parameter('id', { place: 'path', style: 'simple' })], { path: '/notes/{id}' });

describe('the path', () => {
  it('stays under the base URL, and arguments are encoded whole', () => {
    const { url } = buildRequest(inPath, { id: 'a/b?c#d %é' }, sender);
    expect(url.href).toBe('https://api.example.com/v1/notes/a%2Fb%3Fc%23d%20%25%C3%A9');
  });

  it.each(['..', '.', '', '\ud800', null, undefined])('refuses %j in it', (id) => {
    expect(() => buildRequest(inPath, { id }, sender)).toThrow(ProblemError);
  });

  it('is never another one, whatever the argument', () => {
    const pathOf = (id: string): string => {
      try {
        const { url } = buildRequest(inPath, { id }, sender);
        return decodeURIComponent(url.href);
      } catch (error) {
        if (error instanceof ProblemError) return 'refused';
        throw error;
      }
    };
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        expect([`https://api.example.com/v1/notes/${id}`, 'refused']).toContain(pathOf(id));
      }),
      { numRuns: 2000 },
    );
  });

  it('holds several arguments in one segment, and cannot be made to go up', () => {
    const both = ['a', 'b'].map((name) => parameter(name, { place: 'path', style: 'simple' }));
    const dotted = plan(both, { path: '/f/{a}{b}' });
    expect(buildRequest(dotted, { a: 'x', b: '.' }, sender).url.pathname).toBe('/v1/f/x.');
    expect(() => buildRequest(dotted, { a: '.', b: '.' }, sender)).toThrow('another path');
  });
});

describe('the query', () => {
  it.each([
    [{}, [1, 'b c'], '?q=1&q=b%20c'],
    [{ explode: false }, ['a', 'b'], '?q=a,b'],
    [{ style: 'pipeDelimited', explode: false }, ['a', 'b'], '?q=a%7Cb'],
    [{ style: 'spaceDelimited', explode: false }, ['a', 'b'], '?q=a%20b'],
    [
      { style: 'deepObject', explode: false },
      { a: 1, b: ['x', 'y'] },
      '?q%5Ba%5D=1&q%5Bb%5D=x&q%5Bb%5D=y',
    ],
    [{}, { a: 1, b: null }, '?a=1'],
    [{ style: 'json' }, { a: [1] }, '?q=%7B%22a%22%3A%5B1%5D%7D'],
    [{}, false, '?q=false'],
    [{}, null, ''],
    [{}, undefined, ''],
  ] as const)('writes %j of %j as %s', (more, q, wanted) => {
    expect(buildRequest(plan([parameter('q', more)]), { q }, sender).url.search).toBe(wanted);
  });

  it('uses the name that the API knows', () => {
    const renamed = plan([parameter('filter[status]', { argument: 'filter_status' })]);
    const { url } = buildRequest(renamed, { filter_status: 'open' }, sender);
    expect([...url.searchParams]).toEqual([['filter[status]', 'open']]);
  });
});

describe('headers', () => {
  const header = parameter('X-Trace', { place: 'header', style: 'simple' });

  it('come from arguments, and the server’s own win', () => {
    const given = { ...sender, headers: { 'x-trace': 'ours', authorization: 'Bearer s' } };
    const { headers } = buildRequest(plan([header]), { 'X-Trace': 'theirs' }, given);
    expect([headers.get('x-trace'), headers.get('authorization')]).toEqual(['ours', 'Bearer s']);
    expect(buildRequest(plan([header]), { 'X-Trace': [1, 2] }, sender).headers.get('x-trace')).toBe(
      '1,2',
    );
  });

  it.each(['a\r\nb: c', '\u{1f600}'])('refuse %j', (value) => {
    expect(() => buildRequest(plan([header]), { 'X-Trace': value }, sender)).toThrow('as a header');
  });

  it('hold the key when there is one', () => {
    const { headers } = buildRequest(plan([]), {}, { ...sender, key: 'k'.repeat(20) });
    expect(headers.get('idempotency-key')).toBe('k'.repeat(20));
    expect(buildRequest(plan([]), {}, sender).headers.has('idempotency-key')).toBe(false);
  });
});

describe('the body', () => {
  const contentType = 'application/merge-patch+json';
  const fields = { contentType, required: false, arguments: ['a', 'b'] };

  it('holds the fields that were given, and nothing else', () => {
    const request = buildRequest(plan([], { body: fields }), { a: null, c: 1 }, sender);
    expect(request.body).toBe('{"a":null}');
    expect(request.headers.get('content-type')).toBe(contentType);
  });

  it('is left out when it may be and nothing is for it', () => {
    expect(buildRequest(plan([], { body: fields }), {}, sender)).not.toHaveProperty('body');
    const required = { ...fields, required: true };
    expect(buildRequest(plan([], { body: required }), {}, sender).body).toBe('{}');
  });

  it('may be one argument as a whole', () => {
    const whole = plan([], { body: { ...fields, arguments: 'body' } });
    expect(buildRequest(whole, { body: [1, { a: 2 }] }, sender).body).toBe('[1,{"a":2}]');
  });

  it('takes the key where it has a field for it', () => {
    const keyed = plan([], { body: { ...fields, keyField: 'idempotency_key' } });
    const { body } = buildRequest(keyed, { a: 1 }, { ...sender, key: 'one-key' });
    expect(body).toBe('{"a":1,"idempotency_key":"one-key"}');
  });
});
