/** The catalogue over real HTTP: its wire format, and that each tool does what it declares. */
import type { Hints, HttpServer, PlimsollServer, Receipt } from 'plimsoll/server';
import { closient, createServer, openHttp, stamp, staticTokens } from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../test/support/post.ts';
import { catalogOperations } from './operations.ts';
import type { Store } from './store.ts';
import { openStore } from './store.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const SAMPLE = '09506000134352';
const LIST = '{"jsonrpc":"2.0","method":"tools/list","id":1}';
const ACCEPT = { accept: 'application/json, text/event-stream' };

interface PublishedEntry {
  readonly description: string;
  readonly inputSchema: object;
}

let store: Store;
let server: PlimsollServer;
let http: HttpServer;
const receipts: Receipt[] = [];

beforeAll(async () => {
  store = openStore(':memory:');
  server = createServer({
    name: 'catalog',
    version: '1.0.0',
    convention: closient,
    mcpPath: '/mcp/http',
    operations: catalogOperations({ store, now: () => NOW, linkHost: 'id.catalog.example' }),
    authenticate: staticTokens([
      { token: 'maker', principal: { id: 'mia', scopes: ['qr:write'] } },
      { token: 'stranger', principal: { id: 'sam', tenant: 'nobody', scopes: ['qr:write'] } },
    ]),
    ledger: { record: ({ receipt }) => void receipts.push(receipt) },
  });
  http = await openHttp(server);
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
  store.close();
});

function hintsOf(name: string): Hints {
  const operation = server.operations.get(name);
  return operation === undefined ? {} : stamp(operation, closient).annotations;
}

interface Called {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function call(name: string, args: unknown, token?: string): Promise<Called> {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, text } = await post(`${http.url}/op/${name}`, JSON.stringify(args), headers);
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

describe('the wire format', () => {
  it('R54 R55 R57: is the published one, to the key, for a plain POST', async () => {
    const answer = await post(http.mcpUrl, LIST, ACCEPT);
    const { result } = JSON.parse(answer.text) as { result: { tools: Record<string, unknown>[] } };
    expect(http.mcpUrl).toMatch(/\/mcp\/http$/);
    expect(result.tools.map(({ name }) => name)).toEqual([
      'ping',
      'validate_gtin',
      'resolve_gtin',
      'lookup_product',
      'generate_qr_url',
    ]);
    expect(result.tools[3]).toEqual({
      name: 'lookup_product',
      title: 'Look Up Product',
      description: expect.any(String),
      inputSchema: {
        type: 'object',
        properties: { gtin: { type: 'string', maxLength: 64, description: expect.any(String) } },
        required: ['gtin'],
        additionalProperties: false,
      },
      annotations: {
        title: 'Look Up Product',
        readOnlyHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
  });

  it('R210: the list needs no sign-in, also where a tool in it does', async () => {
    const open = await post(http.mcpUrl, LIST, ACCEPT);
    const { result } = JSON.parse(open.text) as { result: { tools: { name: string }[] } };
    expect(open.status).toBe(200);
    expect(result.tools.map(({ name }) => name)).toContain('generate_qr_url');
    const signedIn = await post(http.mcpUrl, LIST, { ...ACCEPT, authorization: 'Bearer maker' });
    expect(JSON.parse(signedIn.text)).toEqual(JSON.parse(open.text));
    const params = { name: 'generate_qr_url', arguments: { gtin: SAMPLE } };
    const request = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    expect((await post(http.mcpUrl, request, ACCEPT)).status).toBe(401);
  });

  it('R211: lookup_product is listed as published, member by member', async () => {
    const { text } = await post(http.mcpUrl, LIST, ACCEPT);
    const { result } = JSON.parse(text) as { result: { tools: { name: string }[] } };
    const entry = result.tools.find(({ name }) => name === 'lookup_product');
    const { description, inputSchema, ...rest } = entry as unknown as PublishedEntry;
    expect(Object.keys(entry ?? {})).toEqual([
      'name',
      'title',
      'description',
      'inputSchema',
      'annotations',
    ]);
    // Written out, so that the order and the absence of members are compared as well.
    expect(JSON.stringify(rest)).toBe(
      '{"name":"lookup_product","title":"Look Up Product","annotations":{"title":"Look Up Product","readOnlyHint":true,"idempotentHint":true,"openWorldHint":false}}',
    );
    expect(description).toMatch(/^Look up structured product data by GTIN\. \S/);
    expect(inputSchema).toMatchObject({ type: 'object', properties: { gtin: { type: 'string' } } });
  });
});

describe('ping and validate_gtin', () => {
  it('R99: ping answers without a sign-in', async () => {
    expect(await call('ping', {})).toEqual({ status: 200, body: 'pong' });
  });

  it('R65 R66 R196: need neither store nor sign-in, only look, and may be repeated', async () => {
    using empty = openStore(':memory:');
    const alone = createServer({
      name: 'alone',
      version: '1',
      operations: catalogOperations({ store: empty, now: () => NOW, linkHost: 'x.example' }).slice(
        0,
        2,
      ),
    });
    empty.close();
    const values = await Promise.all(
      [...alone.operations.values()].map((operation) =>
        alone.invoke({
          operation,
          args: operation.name === 'ping' ? {} : { gtin: '614141-12345-2' },
          identity: { kind: 'anonymous' },
          via: 'in-process',
          signal: new AbortController().signal,
          progress: async () => {},
        }),
      ),
    );
    expect(values).toMatchObject([
      { kind: 'success', value: 'pong' },
      { kind: 'success', value: { valid: true, normalized: '00614141123452' } },
    ]);
    expect(hintsOf('ping')).toMatchObject({ readOnlyHint: true, idempotentHint: true });
    expect(hintsOf('validate_gtin')).toMatchObject({ readOnlyHint: true, idempotentHint: true });
  });

  it('an invalid GTIN is an answer, not an error', async () => {
    expect(await call('validate_gtin', { gtin: '09506000134353' })).toMatchObject({
      status: 200,
      body: { valid: false, error: expect.stringMatching(/check digit/i), normalized: null },
    });
  });
});

describe('lookup_product and resolve_gtin', () => {
  it('R68: lookup_product reads the catalogue', async () => {
    expect(await call('lookup_product', { gtin: SAMPLE.slice(1) })).toMatchObject({
      status: 200,
      body: { gtin: SAMPLE, product_name: expect.any(String), brand: expect.any(String) },
    });
    expect(hintsOf('lookup_product')).toMatchObject({ readOnlyHint: true, idempotentHint: true });
  });

  it('R67: resolve_gtin goes through the rules from serial to organisation', async () => {
    const scopeOf = async (args: object) =>
      (await call('resolve_gtin', { gtin: SAMPLE, ...args })).body['scope'];
    const item = { lot: 'LOT42', serial: 'SN-0001' };
    expect(await scopeOf({ ...item, link_type: 'gs1:certificationInfo' })).toBe('serial');
    expect(await scopeOf(item)).toBe('batch');
    expect(await scopeOf({})).toBe('product');
    expect(await scopeOf({ ...item, link_type: 'gs1:instructions' })).toBe('brand');
    expect(await scopeOf({ link_type: 'gs1:recallStatus' })).toBe('organisation');
    expect(hintsOf('resolve_gtin')).toMatchObject({ readOnlyHint: true, idempotentHint: true });
  });

  it.each(['lookup_product', 'resolve_gtin'])(
    '%s tells an unknown product by its normal form',
    async (name) => {
      expect(await call(name, { gtin: '4006381333931' })).toMatchObject({
        status: 404,
        body: { code: 'not-found', detail: 'The catalogue has no product 04006381333931.' },
      });
    },
  );

  it.each([
    ['letters', 'ABC'],
    ['a wrong check digit', '09506000134353'],
    ['other scripts', '٠٩٥٠٦٠٠٠١٣٤٣٥٢'],
    ['SQL', "1' OR '1'='1"],
    ['nothing', ''],
  ])('refuse %s with the reason', async (_, gtin) => {
    for (const name of ['lookup_product', 'resolve_gtin']) {
      expect(await call(name, { gtin })).toMatchObject({
        status: 422,
        body: { code: 'invalid-input', errors: [{ pointer: '/gtin' }] },
      });
    }
  });

  it('R6 R40 R171: reads leave the store as it was, although each call is recorded', async () => {
    const before = receipts.length;
    await call('lookup_product', { gtin: SAMPLE });
    await call('resolve_gtin', { gtin: SAMPLE });
    expect(store.userActions()).toEqual([]);
    expect(receipts.length).toBe(before + 2);
  });
});

describe('generate_qr_url', () => {
  const args = { gtin: SAMPLE, lot: 'A-1', expiry: '271231' };

  it('R69 R99 R153: needs a sign-in and records who made the link', async () => {
    expect(await call('generate_qr_url', args)).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    const made = await call('generate_qr_url', args, 'maker');
    expect(made).toMatchObject({
      status: 200,
      body: {
        gtin: SAMPLE,
        url: `https://id.catalog.example/01/${SAMPLE}/10/A-1?17=271231`,
        qr_svg: expect.stringMatching(/^<svg /),
      },
    });
    expect(store.userActions({ user: 'mia' })).toMatchObject([
      { action: 'qr_url.generated', gtin14: SAMPLE, at: NOW.toISOString() },
    ]);
    expect(hintsOf('generate_qr_url')).toEqual({
      title: 'Generate QR URL',
      readOnlyHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
  });

  it('R10 R115 R153: the same call again makes the same link, and is recorded as an action of its own', async () => {
    const before = store.userActions().length;
    const first = await call('generate_qr_url', args, 'maker');
    const second = await call('generate_qr_url', args, 'maker');
    expect(first.status).toBe(200);
    expect(second).toEqual(first);
    const [newest, older, ...earlier] = store.userActions();
    expect(earlier).toHaveLength(before);
    expect(newest).toEqual({ ...older, id: Number(older?.id) + 1 });
    expect(newest).toMatchObject({ user: 'mia', url: first.body['url'] });
  });

  it('refuses the brand of another organisation, by name', async () => {
    expect(await call('generate_qr_url', { gtin: SAMPLE }, 'stranger')).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringMatching(/is claimed by .+; only they/) },
    });
    expect(store.userActions({ user: 'sam' })).toEqual([]);
  });

  it('refuses an unknown product, and a lot that no link can carry', async () => {
    const unknown = await call('generate_qr_url', { gtin: '4006381333931' }, 'maker');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not-found' } });
    const lot = await call('generate_qr_url', { gtin: SAMPLE, lot: 'x'.repeat(21) }, 'maker');
    expect(lot).toMatchObject({ status: 422, body: { code: 'invalid-input' } });
  });
});

describe('every tool', () => {
  it('R115: repeated with the same arguments answers the same', async () => {
    const calls: readonly (readonly [string, object])[] = [
      ['ping', {}],
      ['validate_gtin', { gtin: SAMPLE }],
      ['resolve_gtin', { gtin: SAMPLE }],
      ['lookup_product', { gtin: SAMPLE }],
      ['generate_qr_url', { gtin: SAMPLE }],
    ];
    expect(calls.map(([name]) => name)).toEqual([...server.operations.keys()]);
    for (const [name, args] of calls) {
      expect(await call(name, args, 'maker')).toEqual(await call(name, args, 'maker'));
    }
  });
});
