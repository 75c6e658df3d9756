/** What an API answers, as callers get it: exact numbers, broken promises, refused credentials. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answers, documentOf, json, takes } from '../../../test/support/openapi-documents.ts';
import type { RecordingApi } from '../../../test/support/recording-api.ts';
import { openRecordingApi } from '../../../test/support/recording-api.ts';
import type { Shop } from '../../../test/support/shop-server.ts';
import { openShop, TOKENS } from '../../../test/support/shop-server.ts';
import { CALL_META_KEYS } from '../../effect/meta-keys.ts';

const order = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, total: { type: 'integer' }, url: { type: 'string' } },
};
const place = {
  'x-side-effect': 'external_spend',
  ...takes({ type: 'object', properties: { item: { type: 'string' } } }),
  ...answers(json(order), '201'),
};
const key = { name: 'Idempotency-Key', in: 'header', required: true, schema: {} };

const document = documentOf({
  '/orders': {
    get: { operationId: 'get', ...answers(json(order)) },
    post: { operationId: 'place', parameters: [key], ...place },
    put: { operationId: 'opaque', ...place },
    patch: { operationId: 'plain', ...place, 'x-side-effect': 'compute' },
    delete: { operationId: 'untyped', 'x-side-effect': 'destructive' },
  },
  '/links': {
    post: { operationId: 'share', ...place, 'x-side-effect': 'share_export', parameters: [key] },
  },
  '/renew': {
    get: { operationId: 'renew', 'x-side-effect': 'external_spend', parameters: [key] },
  },
});

const overlay = { share: { secrets: ['url'] } };

let answer: (request: Request) => Response;
let api: RecordingApi;
let shop: Shop;

beforeAll(async () => {
  api = await openRecordingApi((request) => answer(request));
  shop = await openShop(api.url, { document, overlay });
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

let made = 0;
const newKey = () => ({ 'idempotency-key': `intention-${String((made += 1)).padStart(10, '0')}` });

function sendsJson(text: string, status = 200): () => Response {
  return () => new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

const textsIn = (body: unknown) =>
  (body as { content: readonly { text: string }[] }).content.map(({ text }) => text);

describe('numbers that doubles do not hold', () => {
  const exact = '{"id":"7","total":1152921504606847999,"rate":0.12345678901234567891}';

  it('reach the caller digit by digit, over HTTP and MCP', async () => {
    answer = sendsJson(exact);
    expect(await shop.post('get', {})).toMatchObject({ status: 200, text: exact });
    const response = await fetch(shop.http.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKENS.mia}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get', arguments: {} },
      }),
    });
    const text = await response.text();
    expect(text).toContain(`"structuredContent":${exact}`);
    expect(text).toContain(JSON.stringify(exact));
  });

  it('are the same in a replay', async () => {
    answer = sendsJson(exact, 201);
    const same = newKey();
    const first = await shop.post('place', { item: 'map' }, same);
    expect(first).toMatchObject({ status: 200, text: exact });
    const before = api.seen.length;
    expect(await shop.post('place', { item: 'map' }, same)).toEqual(first);
    expect(api.seen).toHaveLength(before);
  });

  it('are still checked against the document', async () => {
    answer = sendsJson('{"id":1152921504606847999}');
    expect(await shop.post('get', {})).toMatchObject({ body: { code: 'invalid-output' } });
  });
});

describe('an answer that does not match the document', () => {
  it.each(['place', 'opaque', 'plain', 'share'])(
    'is given, marked and kept when %s has done something',
    async (name) => {
      answer = sendsJson('{"id":1152921504606847999,"url":"https://x/secret"}', 201);
      const same = newKey();
      const first = await shop.post(name, { item: 'map' }, name === 'plain' ? {} : same);
      expect(first.status).toBe(200);
      expect(first.body).toMatchObject({
        content: [
          { text: expect.stringContaining('does not match') },
          {
            text: '{"id":1152921504606847999,"url":"https://x/secret"}',
            _meta: { [CALL_META_KEYS.mismatch.key]: true },
          },
        ],
      });
      if (name === 'plain' || name === 'share') return;
      const before = api.seen.length;
      expect(await shop.post(name, { item: 'map' }, same)).toEqual(first);
      expect(api.seen).toHaveLength(before);
    },
  );

  it('is not kept with its secrets', async () => {
    answer = sendsJson('{"id":7,"url":"https://x/secret"}', 201);
    const same = newKey();
    expect((await shop.post('share', {}, same)).text).toContain('https://x/secret');
    const before = api.seen.length;
    const { status, text } = await shop.post('share', {}, same);
    expect([status < 300, text.includes('https://x/secret')]).toEqual([true, false]);
    expect(api.seen).toHaveLength(before);
  });

  it('is an error with content over MCP, where a success would have to match', async () => {
    answer = sendsJson('{"id":7}', 201);
    await shop.client.listTools();
    const called = {
      name: 'place',
      arguments: { item: 'a', idempotency_key: 'mcp-intention-0001' },
    };
    const first = await shop.client.callTool(called);
    expect(first).toMatchObject({ isError: true });
    expect(textsIn(first)).toEqual([
      'place was done, but the answer of Shop does not match its documentation (#: Property "id" does not match schema.; #/id: Instance type "number" is invalid. Expected "string"). Do not send the call again; the answer follows as it came.',
      '{"id":7}',
    ]);
    const { _meta: meta, ...again } = await shop.client.callTool(called);
    expect(first).toMatchObject(again);
    expect(meta).toMatchObject({ [CALL_META_KEYS.replayed.key]: true });
  });

  it.each([
    ['nothing', () => new Response(null, { status: 204 }), []],
    ['half of it', sendsJson('{"id":"7",', 201), ['{"id":"7",']],
    ['text', () => new Response('order 7', { status: 201 }), ['order 7']],
    [
      'bytes',
      () =>
        new Response(Buffer.alloc(9), { status: 201, headers: { 'content-type': 'image/png' } }),
      [],
    ],
    [
      'too much',
      sendsJson(`{"id":"7","more":"${'x'.repeat(60_000)}"}`, 201),
      [expect.stringMatching(/^\{"id":"7","more":"x{5,}…$/)],
    ],
  ])('is %s, and the work counts as done', async (_, given, shown) => {
    answer = given;
    const same = newKey();
    const first = await shop.post('opaque', { item: 'map' }, same);
    expect(first.status).toBe(200);
    expect(textsIn(first.body)).toEqual([expect.stringContaining('opaque was done'), ...shown]);
    const before = api.seen.length;
    expect(await shop.post('opaque', { item: 'map' }, same)).toEqual(first);
    expect(api.seen).toHaveLength(before);
  });

  it('needs no declared output to be unreadable', async () => {
    answer = sendsJson('{"id":"7",');
    expect(textsIn((await shop.post('untyped', {})).body).at(-1)).toBe('{"id":"7",');
  });

  it('of a read is refused', async () => {
    answer = sendsJson('{"id":7}');
    expect(await shop.post('get', {})).toMatchObject({ status: 500 });
  });
});

describe('a refusal of the server’s own credentials', () => {
  const challenge = { 'www-authenticate': 'Bearer realm="shop"' };
  const refusal = (status: number) => () =>
    Response.json({ detail: 'Token tok_123 has expired.' }, { status, headers: challenge });

  it.each([401, 403])('is no challenge to the caller: %i', async (status) => {
    answer = refusal(status);
    const response = await fetch(`${shop.http.url}/op/get`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKENS.mia}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(503);
    expect(response.headers.has('www-authenticate')).toBe(false);
    const problem = await response.text();
    expect(JSON.parse(problem)).toMatchObject({
      code: 'unavailable',
      detail: `Shop refused the credentials of this server (${status}), so this request did nothing. The operator of this server has to renew them.`,
    });
    expect(problem).not.toContain('tok_123');
  });

  it.each(['place', 'opaque'])('is not final under the key of %s', async (name) => {
    answer = refusal(401);
    const same = newKey();
    expect(await shop.post(name, { item: 'map' }, same)).toMatchObject({ status: 503 });
    answer = sendsJson('{"id":"7"}', 201);
    expect(await shop.post(name, { item: 'map' }, same)).toMatchObject({ body: { id: '7' } });
  });

  it('is told apart from a refusal of the object', async () => {
    answer = () => Response.json({ detail: 'Not your order.' }, { status: 403 });
    expect(await shop.post('get', {})).toMatchObject({ body: { code: 'forbidden' } });
  });
});

describe('a redirect', () => {
  const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });

  it('of a GET that spends is not followed', async () => {
    const before = api.seen.length;
    answer = to(`${api.url}/again`);
    expect(await shop.post('renew', {}, newKey())).toMatchObject({ status: 503 });
    expect(api.seen).toHaveLength(before + 1);
  });

  it('to another origin gets nothing of ours, not even a request', async () => {
    await using other = await openRecordingApi(() => Response.json({ id: 'stolen' }));
    const elsewhere = [other.url, other.url.replace('127.0.0.1', 'localhost'), `${other.url}/../x`];
    for (const url of elsewhere) {
      answer = to(url);
      expect((await shop.post('get', {})).status).toBe(500);
      answer = to(url.replace('http:', ''));
      expect((await shop.post('get', {})).status).toBe(500);
    }
    expect(other.seen).toEqual([]);
  });
});
