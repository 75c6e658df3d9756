/** Where a key may travel, and how a replay looks, on each transport. */
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { HttpServer, OpenLedger, PlimsollServer } from 'plimsoll/server';
import {
  createServer,
  defineOperation,
  openHttp,
  openLedger,
  openStdio,
  ProblemError,
  spends,
  updates,
} from 'plimsoll/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { messageIn, post } from '../support/post.ts';
import { StreamTransport } from '../support/stream-transport.ts';

const META = 'dev.plimsoll/idempotency-key';
const REPLAYED = 'dev.plimsoll/replayed';

let ledger: OpenLedger;
let server: PlimsollServer;
let http: HttpServer;
let charges = 0;
let note = { text: 'milk', etag: 'v1' };

const pay = defineOperation({
  name: 'pay',
  title: 'Pay Now',
  description: 'Pays.',
  input: z.object({ amount: z.int().describe('Cents') }),
  output: z.object({ charge: z.int() }),
  effect: spends('EUR cents'),
  run: () => ({ charge: (charges += 1) }),
});

const update = defineOperation({
  name: 'update_note',
  title: 'Update Note',
  description: 'Changes the note.',
  input: z.object({
    text: z.string().describe('New text'),
    etag: z.string().describe('From get_note'),
  }),
  output: z.object({ etag: z.string() }),
  effect: updates('note', { repeat: 'version-required' }),
  run: ({ text, etag }) => {
    if (etag !== note.etag) {
      throw new ProblemError('stale-version', 'The note has changed.', { current: note.etag });
    }
    note = { text, etag: `v${Number(note.etag.slice(1)) + 1}` };
    return { etag: note.etag };
  },
});

beforeAll(async () => {
  ledger = await openLedger('sqlite::memory:');
  server = createServer({ name: 'shop', version: '1', operations: [pay, update], ledger });
  http = await openHttp(server);
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
  await ledger[Symbol.asyncDispose]();
});

beforeEach(() => {
  charges = 0;
});

describe('POST /op/{name}', () => {
  it('R104: takes the key as a header, and marks a replay', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await post(`${http.url}/op/pay`, '{"amount":5}', headers);
    const second = await post(`${http.url}/op/pay`, '{"amount":5}', headers);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(second.text).toBe(first.text);
    expect(charges).toBe(1);
  });

  it('takes the header in quotes, as a structured field has it', async () => {
    const key = randomUUID();
    await post(`${http.url}/op/pay`, '{"amount":5}', { 'idempotency-key': `"${key}"` });
    await post(`${http.url}/op/pay`, '{"amount":5}', { 'idempotency-key': key });
    expect(charges).toBe(1);
  });

  it('R105 R201: takes the key as an argument where no header can be set, and it is the same key', async () => {
    const key = randomUUID();
    const first = await post(
      `${http.url}/op/pay`,
      JSON.stringify({ amount: 5, idempotency_key: key }),
    );
    const second = await post(`${http.url}/op/pay`, '{"amount":5}', { 'idempotency-key': key });
    expect(first.status).toBe(200);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(charges).toBe(1);
  });

  it.each([
    ['key-required', 400, {}, {}],
    ['key-invalid', 400, {}, { 'idempotency-key': 'x' }],
    ['key-mismatch', 400, { idempotency_key: randomUUID() }, { 'idempotency-key': randomUUID() }],
  ])('refuses with %s', async (code, status, args, headers) => {
    const body = JSON.stringify({ amount: 5, ...args });
    const answer = await post(`${http.url}/op/pay`, body, headers);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      status,
      expect.objectContaining({ code }),
    ]);
    expect(charges).toBe(0);
  });
});

describe('over MCP', () => {
  it('shows the argument to clients, with what a key means', async () => {
    const list = await post(http.mcpUrl, '{"jsonrpc":"2.0","method":"tools/list","id":1}');
    const { result } = JSON.parse(list.text) as { result: { tools: object[] } };
    expect(result.tools[0]).toHaveProperty(
      'inputSchema.properties.idempotency_key.description',
      expect.stringMatching(/same key again when you retry; a new key means a new effect/),
    );
    expect(result.tools[1]).not.toHaveProperty('inputSchema.properties.idempotency_key');
  });

  it.each([{ pin: '2026-07-28' }, 'legacy'] as const)(
    'takes the key in _meta, over HTTP and stdio (%j)',
    async (mode) => {
      const key = randomUUID();
      const params = { name: 'pay', arguments: { amount: 7 }, _meta: { [META]: key } };
      const overHttp = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
      await overHttp.connect(new StreamableHTTPClientTransport(new URL(http.mcpUrl)));
      const [input, output] = [new PassThrough(), new PassThrough()];
      await using _stdio = openStdio(server, { input, output });
      const overStdio = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
      await overStdio.connect(new StreamTransport(output, input));
      const first = await overHttp.callTool(params);
      const second = await overStdio.callTool(params);
      expect(first.structuredContent).toEqual({ charge: 1 });
      expect(second.structuredContent).toEqual({ charge: 1 });
      expect(first._meta?.[REPLAYED]).toBeUndefined();
      expect(second._meta?.[REPLAYED]).toBe(true);
      await overHttp.close();
      await overStdio.close();
    },
  );

  it('takes the header of the HTTP request as well', async () => {
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'pay', arguments: { amount: 9 } },
    });
    const headers = { 'idempotency-key': randomUUID() };
    await post(http.mcpUrl, call, headers);
    const again = messageIn(await post(http.mcpUrl, call, headers));
    expect(again).toMatchObject({
      result: { _meta: { [REPLAYED]: true }, structuredContent: { charge: 1 } },
    });
    expect(charges).toBe(1);
  });
});

describe('versions', () => {
  it('a stale tag is 412 with the current one, and changes nothing', async () => {
    note = { text: 'milk', etag: 'v1' };
    const body = JSON.stringify({ text: 'bread', etag: 'v1' });
    expect((await post(`${http.url}/op/update_note`, body)).status).toBe(200);
    const stale = await post(`${http.url}/op/update_note`, body);
    expect([stale.status, stale.headers['etag']]).toEqual([412, '"v2"']);
    expect(JSON.parse(stale.text)).toMatchObject({ code: 'stale-version', current: 'v2' });
    expect(note.text).toBe('bread');
  });

  it('takes the tag as If-Match', async () => {
    note = { text: 'milk', etag: 'v1' };
    const headers = { 'if-match': '"v1"' };
    expect((await post(`${http.url}/op/update_note`, '{"text":"bread"}', headers)).status).toBe(
      200,
    );
    expect((await post(`${http.url}/op/update_note`, '{"text":"eggs"}', headers)).status).toBe(412);
  });
});
