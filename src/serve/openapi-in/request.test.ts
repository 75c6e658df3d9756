/** What callers can put into a request, and what they cannot, as a real API receives it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, project, takes } from '../../../test/support/openapi-documents.ts';
import type { RecordingApi } from '../../../test/support/recording-api.ts';
import { openRecordingApi } from '../../../test/support/recording-api.ts';
import type { Shop } from '../../../test/support/shop-server.ts';
import { openShop } from '../../../test/support/shop-server.ts';

const anything = { type: 'object', additionalProperties: true };
const texts = { type: 'array', items: { type: 'string' } };
const query = (name: string, schema: unknown, more = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
});
const get = (operationId: string, ...parameters: readonly unknown[]) => ({
  get: { operationId, parameters },
});

const document = documentOf(
  {
    '/free': get(
      'free',
      query('filter', anything),
      query('limit', { type: 'integer', maximum: 10 }),
      query('page[size]', { type: 'integer' }),
      query('sort', anything),
    ),
    '/deep': get('deep', query('where', anything, { style: 'deepObject', explode: true })),
    '/deep-list': get('deepList', query('expand', texts, { style: 'deepObject', explode: true })),
    '/lists': get(
      'lists',
      query('many', texts),
      query('commas', texts, { explode: false }),
      query('pipes', texts, { style: 'pipeDelimited' }),
      query('spaces', texts, { style: 'spaceDelimited' }),
      query('split', texts, { style: 'pipeDelimited', explode: true }),
      query('raw', { type: 'string' }, { allowReserved: true }),
      query('maybe', { type: ['string', 'null'], default: 'x' }),
      query('constructor', { type: 'string' }),
    ),
    '/lists/{ids}/of/{point}': get(
      'inPath',
      { name: 'ids', in: 'path', required: true, schema: texts },
      { name: 'point', in: 'path', required: true, explode: true, schema: anything },
    ),
    '/files/{name}': get('file', {
      name: 'name',
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }),
    '/headers': get(
      'headers',
      ...['X-Trace', 'X-Api-Key', 'X-Auth-Token', 'X-HTTP-Method-Override', 'Via'].map((name) => ({
        name,
        in: 'header',
        schema: { type: ['string', 'array'] },
      })),
      { name: 'session', in: 'cookie', schema: { type: 'string' } },
      query('API_KEY', { type: 'string' }),
      query('signature', { type: 'string' }),
    ),
    '/body': {
      post: {
        operationId: 'body',
        'x-side-effect': 'compute',
        ...takes({
          type: 'object',
          properties: {
            constructor: { type: 'string' },
            note: { type: 'string', nullable: true },
            size: { type: 'integer', default: 7 },
          },
        }),
      },
    },
  },
  {
    securitySchemes: {
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
      alias: { $ref: '#/components/securitySchemes/signed' },
      signed: { type: 'apiKey', in: 'query', name: 'signature' },
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
    },
  },
);

let api: RecordingApi;
let shop: Shop;

beforeAll(async () => {
  api = await openRecordingApi(() => Response.json({}));
  shop = await openShop(api.url, { document });
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

/** The path and query that arrived, or the code of the refusal when nothing did. */
async function sent(name: string, args: object): Promise<string> {
  const before = api.seen.length;
  const { body } = await shop.post(name, args);
  if (api.seen.length === before) return String((body as { code?: unknown }).code);
  return (api.seen.at(-1)?.url ?? '').slice(api.url.length);
}

describe('an exploded object with any members', () => {
  it('is sent as its members', async () => {
    expect(await sent('free', { filter: { color: 'red', size: [1, 2] }, limit: 3 })).toBe(
      '/free?color=red&size=1&size=2&limit=3',
    );
  });

  it.each([
    'api_key',
    'API_KEY',
    'api_key[]',
    'api_key[0]',
    'api.key',
    ' api_key',
    'signature',
    'access_token',
    '_method',
  ])('cannot set the credential or the method of the request: %j', async (name) => {
    expect(await sent('free', { filter: { [name]: 'mine' } })).toBe('invalid-input');
  });

  it.each(['limit', 'Limit', 'limit[]', 'page[size]', 'page', 'sort'])(
    'cannot set another parameter: %s',
    async (name) => {
      expect(await sent('free', { filter: { [name]: 99 } })).toBe('invalid-input');
    },
  );

  it('cannot set what another one has set', async () => {
    expect(await sent('free', { filter: { a: 1 }, sort: { b: 2 } })).toBe('/free?a=1&b=2');
    expect(await sent('free', { filter: { a: 1 }, sort: { A: 2 } })).toBe('invalid-input');
  });
});

describe('deepObject', () => {
  it('names each member by its path', async () => {
    const where = { a: 1, b: { c: 'x', d: { e: true } }, f: null };
    expect(decodeURIComponent(await sent('deep', { where }))).toBe(
      '/deep?where[a]=1&where[b][c]=x&where[b][d][e]=true',
    );
    expect(decodeURIComponent(await sent('deepList', { expand: ['a', 'b'] }))).toBe(
      '/deep-list?expand[]=a&expand[]=b',
    );
  });

  it.each(['a]', 'a][b', '[', ''])('refuses the name %j', async (name) => {
    expect(await sent('deep', { where: { [name]: 1 } })).toBe('invalid-input');
    expect(await sent('deep', { where: { a: { [name]: 1 } } })).toBe('invalid-input');
  });
});

describe('lists', () => {
  it.each([
    [{ many: ['a,b', 'c&d=e'] }, '?many=a%2Cb&many=c%26d%3De'],
    [{ many: [] }, ''],
    [{ commas: ['a,b', 'c d'] }, '?commas=a%2Cb,c%20d'],
    [{ commas: [] }, ''],
    [{ pipes: ['a', 'b'] }, '?pipes=a%7Cb'],
    [{ spaces: ['a', 'b'] }, '?spaces=a%20b'],
    [{ split: ['a|b', 'c'] }, '?split=a%7Cb&split=c'],
  ])('%j is sent as %s', async (args, wanted) => {
    expect(await sent('lists', args)).toBe(`/lists${wanted}`);
  });

  it('are refused when an item would be read as two', async () => {
    expect(await sent('lists', { pipes: ['a|b'] })).toBe('invalid-input');
    expect(await sent('lists', { spaces: ['a b'] })).toBe('invalid-input');
    expect(await sent('headers', { 'X-Trace': ['a,b', 'c'] })).toBe('invalid-input');
  });

  it('and objects in a path keep their separators apart from their values', async () => {
    const args = { ids: ['a,b', 'c/d'], point: { x: 1, y: '2=3' } };
    expect(await sent('inPath', args)).toBe('/lists/a%2Cb,c%2Fd/of/x=1,y=2%3D3');
    expect(await sent('inPath', { ...args, ids: [] })).toBe('invalid-input');
  });
});

describe('other values', () => {
  it('with allowReserved keep reserved characters that cannot end the value', async () => {
    expect(await sent('lists', { raw: 'a:/?@,b&api_key=x#y+z%26' })).toBe(
      '/lists?raw=a:/?@,b%26api_key%3Dx%23y%2Bz%2526',
    );
  });

  it('are left out when they are null or not given, whatever their name', async () => {
    expect(await sent('lists', { maybe: null })).toBe('/lists');
    await sent('body', { note: null });
    expect(api.seen.at(-1)?.body).toBe('{"note":null}');
  });

  it.each(['.', '..', '', 'a/../b', String.raw`..\b`, 'a/.', '%2e%2e/b', '..%2Fb'])(
    'are refused in a path that a server could take for another: %j',
    async (name) => {
      expect(await sent('file', { name })).toBe('invalid-input');
    },
  );

  it.each([
    ['a/b', 'a%2Fb'],
    ['...', '...'],
    ['..a', '..a'],
    ['a?b#c;d', 'a%3Fb%23c%3Bd'],
    ['100%', '100%25'],
  ])('are encoded in a path: %j', async (name, wanted) => {
    expect(await sent('file', { name })).toBe(`/files/${wanted}`);
  });
});

describe('headers', () => {
  it('of the connection, of credentials and of the method are no arguments', async () => {
    const { tools } = await shop.client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === 'headers') ?? {};
    expect(Object.keys(inputSchema?.properties ?? {})).toEqual(['X-Trace']);
  });

  it('hold one line', async () => {
    expect(await sent('headers', { 'X-Trace': 'a\r\nx-api-key: mine' })).toBe('invalid-input');
    expect(await sent('headers', { 'X-Trace': [] })).toBe('/headers');
    expect(api.seen.at(-1)?.headers).not.toHaveProperty('x-trace');
  });
});

it('refuses a document whose security schemes cannot be read', () => {
  const securitySchemes = { key: { $ref: '#/components/securitySchemes/none' } };
  const { refused } = project(documentOf({}, { securitySchemes }));
  expect(refused).toMatchObject([{ operation: 'document', code: 'reference-broken' }]);
});
