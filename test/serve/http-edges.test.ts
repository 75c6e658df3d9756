/** The edges of HTTP: refusals that leave a receipt, version tags in headers, streams and tokens that expire. */
import { request } from 'node:http';
import type { HttpServer, Receipt } from 'plimsoll/server';
import {
  createServer,
  creates,
  defineOperation,
  openHttp,
  openLedger,
  ProblemError,
  reads,
  staticTokens,
  updates,
} from 'plimsoll/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { Answered } from '../support/post.ts';
import { post } from '../support/post.ts';

const receipts: Receipt[] = [];
let http: HttpServer;
let runs = 0;
let current = 'v1';
let expiresAt = 0;

const update = defineOperation({
  name: 'update_note',
  title: 'Update Note',
  description: 'Changes the note.',
  input: z.object({ etag: z.string().describe('From get_note') }),
  effect: updates('note', { repeat: 'version-required' }),
  run: ({ etag }) => {
    runs += 1;
    if (etag !== current) throw new ProblemError('stale-version', 'It changed.', { current });
    return { etag };
  },
});

const scoped = defineOperation({
  name: 'create_note',
  title: 'Create Note',
  description: 'Makes a note.',
  input: z.object({ text: z.string().describe('What to write') }),
  effect: creates('note'),
  scopes: ['notes:write'],
  run: () => (runs += 1),
});

const open = defineOperation({
  name: 'get_note',
  title: 'Get Note',
  description: 'Gives the note.',
  input: z.object({}),
  effect: reads('note'),
  run: () => (runs += 1),
});

const demanding = defineOperation({
  name: 'get_other_note',
  title: 'Get Other Note',
  description: 'Asks for more than headers can say.',
  input: z.object({}),
  effect: reads('note'),
  run: () => {
    throw new ProblemError('scope-missing', 'No.', { missing: ['заметки:write'], retryAfter: 1.5 });
  },
});

beforeAll(async () => {
  const server = createServer({
    name: 's',
    version: '1',
    operations: [update, scoped, open, demanding],
    authenticate: (token) =>
      token === 'brief'
        ? { id: 'b', scopes: [], expiresAt }
        : staticTokens([{ token: 'old', principal: { id: 'o', scopes: [], expiresAt: 1 } }])(token),
    ledger: { record: ({ receipt }) => void receipts.push(receipt) },
  });
  http = await openHttp(server);
});

afterAll(() => http[Symbol.asyncDispose]());

beforeEach(() => {
  receipts.length = 0;
  runs = 0;
  current = 'v1';
});

describe('an MCP call that is answered with 401', () => {
  const accept = { accept: 'application/json, text/event-stream' };
  const rpc = (name: string, args: object, id = 1) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  });

  it.each([
    ['no token', {}, 'unauthenticated'],
    ['an unknown token', { authorization: 'Bearer guess' }, 'token-rejected'],
    ['an expired token', { authorization: 'Bearer old' }, 'token-expired'],
  ])('leaves a receipt: %s', async (_, headers, outcome) => {
    const body = JSON.stringify(rpc('create_note', { text: 'x' }));
    const answer = await post(http.mcpUrl, body, { ...accept, ...headers });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      401,
      expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32600 }) }),
    ]);
    expect(receipts).toMatchObject([
      { operation: 'create_note', via: 'mcp-http', decision: 'refused', outcome },
    ]);
    expect(runs).toBe(0);
  });

  it('leaves one for every call of a batch, and runs none of them', async () => {
    const body = JSON.stringify([rpc('create_note', { text: 'x' }), rpc('get_note', {}, 2)]);
    expect((await post(http.mcpUrl, body, accept)).status).toBe(401);
    expect(receipts.map(({ operation }) => operation)).toEqual(['create_note', 'get_note']);
    expect(runs).toBe(0);
  });
});

describe('If-Match', () => {
  const match = (ifMatch: string, body = '{}'): Promise<Answered> =>
    post(`${http.url}/op/update_note`, body, { 'if-match': ifMatch });

  it.each([
    ['"v1"', 'v1'],
    ['v1', 'v1'],
    [' "a,b" ', 'a,b'],
    ['"2026-11-15 12:00"', '2026-11-15 12:00'],
  ])('names one version: %s', async (header, version) => {
    current = version;
    expect((await match(header)).status).toBe(200);
  });

  it.each(['"v0", "v1"', 'W/"v1"', '*', '"v1', 'v0, v1', '""v1""'])(
    'is refused where it does not: %s',
    async (header) => {
      const answer = await match(header);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        400,
        expect.objectContaining({
          code: 'invalid-request',
          remedy: 'Send the version that you read in quotes, as `If-Match: "…"`.',
        }),
      ]);
      expect(runs).toBe(0);
      expect(receipts).toMatchObject([{ operation: 'update_note', outcome: 'invalid-request' }]);
    },
  );

  it('must agree with the argument', async () => {
    expect((await match('"v1"', '{"etag":"v1"}')).status).toBe(200);
    expect((await match('"v0"', '{"etag":"v1"}')).status).toBe(400);
    expect(runs).toBe(1);
  });
});

describe('what a header cannot hold', () => {
  it.each(['é1', 'версия 7', '版本', 'a"b', 'a\nb', 'v\u0000'])(
    'stays in the body of a 412: %j',
    async (version) => {
      current = version;
      const answer = await post(`${http.url}/op/update_note`, '{"etag":"v0"}');
      expect([answer.status, answer.headers['etag']]).toEqual([412, undefined]);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'stale-version', current: version });
    },
  );

  it('goes both ways where it can', async () => {
    current = '2026-11-15 12:00, #1';
    const stale = await post(`${http.url}/op/update_note`, '{"etag":"v0"}');
    expect(stale.headers['etag']).toBe(`"${current}"`);
    const headers = { 'if-match': String(stale.headers['etag']) };
    expect((await post(`${http.url}/op/update_note`, '{}', headers)).status).toBe(200);
  });

  it('is left out of a challenge too', async () => {
    const answer = await post(`${http.url}/op/get_other_note`, '{}');
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope"');
    expect(answer.headers['retry-after']).toBe('2');
  });
});

describe('a stream of a session', () => {
  it('ends when the token that opened it expires', async () => {
    expiresAt = Date.now() / 1000 + 60;
    const headers = {
      authorization: 'Bearer brief',
      accept: 'application/json, text/event-stream',
    };
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const opened = await post(http.mcpUrl, body, headers);
    const session = { ...headers, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    expiresAt = Date.now() / 1000 + 1;
    const started = Date.now();
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(http.mcpUrl, { headers: session });
      outgoing.once('error', reject);
      outgoing.once('response', (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode));
      });
      outgoing.end();
    });
    expect(status).toBe(200);
    expect(Date.now() - started).toBeGreaterThan(900);
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});

describe('a port that is taken', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is an error, and leaves nothing running behind it', async () => {
    await using ledger = await openLedger('sqlite::memory:', { report: () => {} });
    let transactions = 0;
    const store: typeof ledger.store = {
      kind: 'sqlite',
      transaction: (work) => {
        transactions += 1;
        return ledger.store.transaction(work);
      },
      [Symbol.asyncDispose]: async () => {},
    };
    const init = { name: 's', version: '1', operations: [open], ledger: { ...ledger, store } };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const port = Number(new URL(http.url).port);
    await expect(openHttp(createServer(init), { port })).rejects.toThrow('EADDRINUSE');
    const before = transactions;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(transactions).toBe(before);
  });
});
