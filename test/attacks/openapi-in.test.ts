/** An HTTP API behind the kit: arguments fill a request, and never make another one of it. */
import { expect } from 'vitest';
import { documentOf } from '../support/openapi-documents.ts';
import { openRecordingApi } from '../support/recording-api.ts';
import { openShop } from '../support/shop-server.ts';
import { attack } from './attack.ts';

const anything = { type: 'object', additionalProperties: true };
const text = { type: 'string' };
const document = documentOf(
  {
    '/notes': {
      get: {
        operationId: 'list_notes',
        parameters: [
          { name: 'filter', in: 'query', schema: anything },
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 10 } },
        ],
      },
    },
    '/notes/{id}': {
      get: {
        operationId: 'get_note',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: text },
          { name: 'X-Trace', in: 'header', schema: text },
        ],
      },
    },
  },
  { securitySchemes: { signed: { type: 'apiKey', in: 'query', name: 'signature' } } },
);

attack(
  'a misled agent',
  'chooses the method, the credential or a limit of an API by names in a query',
  async () => {
    await using api = await openRecordingApi(() => Response.json({}));
    await using shop = await openShop(api.url, { document });
    for (const name of [
      '_method',
      'X-HTTP-Method-Override',
      '$httpMethod',
      'api_key',
      'API.key[0]',
      'Authorization',
      'signature',
      'LIMIT',
      'limit[]',
    ]) {
      const { body } = await shop.post('list_notes', { filter: { [name]: 'DELETE' }, limit: 1 });
      expect(body).toMatchObject({ code: 'invalid-input' });
    }
    expect(api.seen).toEqual([]);
    await shop.post('list_notes', { filter: { color: 'red' }, limit: 1 });
    expect(api.seen.map(({ url }) => url)).toEqual([`${api.url}/notes?color=red&limit=1`]);
  },
);

attack('a misled agent', 'reaches another path or sends another header of an API', async () => {
  await using api = await openRecordingApi(() => Response.json({}));
  await using shop = await openShop(api.url, { document });
  for (const id of [
    '',
    '.',
    '..',
    '../admin',
    '..%2fadmin',
    '%2e%2e/admin',
    '..\\admin',
    '..;/x/..',
  ]) {
    await shop.post('get_note', { id });
  }
  const paths = api.seen.map(({ url }) => new URL(url).pathname);
  expect(paths.filter((path) => !/^\/notes\/[^/]+$/.test(path))).toEqual([]);
  const before = api.seen.length;
  const { body } = await shop.post('get_note', { id: '1', 'X-Trace': 'a\r\nAuthorization: b' });
  expect(body).toMatchObject({ code: 'invalid-input' });
  expect(api.seen).toHaveLength(before);
});
