/** Real clients of both SDK generations and both protocol eras, over HTTP and stdio streams. */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { HttpServer, Operation, Receipt } from 'plimsoll/server';
import {
  createServer,
  defineOperation,
  nextcloud,
  openHttp,
  openStdio,
  reads,
} from 'plimsoll/server';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CALL_META_KEYS } from '../../src/effect/meta-keys.ts';
import { notesServer, TOKENS } from '../support/notes-server.ts';
import { StreamTransport } from '../support/stream-transport.ts';
import { messageIn, post } from '../support/post.ts';

const open: AsyncDisposable[] = [];

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

function closing<T extends { close: () => Promise<void> }>(client: T): T {
  open.push({ [Symbol.asyncDispose]: () => client.close() });
  return client;
}

async function openNotes(options: Parameters<typeof notesServer>[0] = {}): Promise<HttpServer> {
  const http = await openHttp(notesServer(options).server);
  open.push(http);
  return http;
}

/** An operation that waits, and tells whether its caller's leaving reached it. */
function sleeper(): { operation: Operation; wasAborted: () => boolean } {
  let aborted = false;
  const operation = defineOperation({
    name: 'sleep',
    title: 'Sleep',
    description: 'Waits for a long time.',
    input: z.object({}),
    effect: reads('time'),
    run: async (_, { signal }) => {
      await wait(20_000, undefined, { signal }).catch(() => (aborted = signal.aborted));
    },
  });
  return { operation, wasAborted: () => aborted };
}

const ERAS = [
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
  { era: '2025-11-25', mode: 'legacy' },
] as const;

describe.each(ERAS)('over HTTP, $era', ({ mode }) => {
  async function connect(url: string, token?: string): Promise<Client> {
    const client = closing(
      new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } }),
    );
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    await client.connect(transport);
    return client;
  }

  it('R54 R56 R62: lists titles and nested annotations', async () => {
    const client = await connect((await openNotes()).mcpUrl);
    const { tools } = await client.listTools();
    expect(tools.map(({ title }) => title)).toEqual([
      'Count Notes',
      'Get Note',
      'Create Note',
      'Delete Note',
      'Print Note',
    ]);
    expect(tools[3]?.annotations).toEqual({
      title: 'Delete Note',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    });
  });

  it('R189: passes icons through where an author gives them', async () => {
    const client = await connect((await openNotes()).mcpUrl);
    const { tools } = await client.listTools();
    expect(tools[0]?.icons).toEqual([
      { src: 'https://example.invalid/count.png', mimeType: 'image/png' },
    ]);
    expect(tools[1]).not.toHaveProperty('icons');
  });

  it('R204: calls and gets typed results', async () => {
    const client = await connect((await openNotes()).mcpUrl, TOKENS.writer);
    const made = await client.callTool({ name: 'create_note', arguments: { text: 'milk' } });
    expect(made.structuredContent).toEqual({ id: 1 });
    const got = await client.callTool({ name: 'get_note', arguments: { id: 1 } });
    expect(got.structuredContent).toEqual({ text: 'milk' });
    expect(got.content).toEqual([{ type: 'text', text: '{"text":"milk"}' }]);
  });

  it('R133: a client that ignores every hint still cannot pass the scope check', async () => {
    const client = await connect((await openNotes()).mcpUrl, TOKENS.reader);
    const result = await client.callTool({ name: 'delete_note', arguments: { id: 1 } });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code: 'scope-missing', status: 403 },
    });
  });

  it('hides tools without scope in a convention that hides them, and keeps the list private', async () => {
    const { mcpUrl } = await openNotes({ convention: nextcloud });
    const seen = async (token?: string) =>
      (await (await connect(mcpUrl, token)).listTools()).tools.map(({ name }) => name);
    expect(await seen()).toEqual(['count_notes']);
    expect(await seen(TOKENS.reader)).toEqual(['count_notes', 'get_note']);
    expect(await seen(TOKENS.writer)).toHaveLength(5);
  });

  it('cancels the work when the client gives up', async () => {
    const { operation, wasAborted } = sleeper();
    const http = await openHttp(createServer({ name: 's', version: '1', operations: [operation] }));
    open.push(http);
    const client = await connect(http.mcpUrl);
    const abort = new AbortController();
    const pending = client.callTool({ name: 'sleep', arguments: {} }, { signal: abort.signal });
    await wait(100);
    abort.abort();
    await expect(pending).rejects.toThrow(/abort/i);
    await expect.poll(wasAborted).toBe(true);
  });

  it('tells how far long work is', async () => {
    const steps = defineOperation({
      name: 'steps',
      title: 'Steps',
      description: 'Takes three steps.',
      input: z.object({}),
      effect: reads('time'),
      run: async (_, { progress }) => {
        for (const step of [1, 2, 3]) await progress(step, 3, `step ${step}`);
      },
    });
    const http = await openHttp(createServer({ name: 's', version: '1', operations: [steps] }));
    open.push(http);
    const client = await connect(http.mcpUrl);
    const seen: number[] = [];
    await client.callTool(
      { name: 'steps', arguments: {} },
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe.each(ERAS)('over stdio, $era', ({ mode }) => {
  async function connect(
    options: Parameters<typeof openStdio>[1] = {},
  ): Promise<{ client: Client; receipts: Receipt[]; input: PassThrough }> {
    const receipts: Receipt[] = [];
    const { server } = notesServer({
      ledger: { record: ({ receipt }) => void receipts.push(receipt) },
    });
    const [input, output] = [new PassThrough(), new PassThrough()];
    open.push(openStdio(server, { ...options, input, output }));
    const client = closing(
      new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } }),
    );
    await client.connect(new StreamTransport(output, input));
    return { client, receipts, input };
  }

  it('lists and calls', async () => {
    const { client } = await connect();
    expect((await client.listTools()).tools).toHaveLength(5);
    const result = await client.callTool({ name: 'count_notes', arguments: {} });
    expect(result.structuredContent).toEqual({ count: 0 });
  });

  it('R90 R97: checks scopes and records there too', async () => {
    const { client, receipts } = await connect();
    const result = await client.callTool({ name: 'delete_note', arguments: { id: 1 } });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'unauthenticated' } });
    expect(receipts).toMatchObject([
      { operation: 'delete_note', via: 'mcp-stdio', outcome: 'unauthenticated' },
    ]);
  });

  it('answers a line that is not plain JSON with a parse error, and goes on', async () => {
    const { server } = notesServer();
    const [input, output] = [new PassThrough(), new PassThrough()];
    open.push(openStdio(server, { input, output }));
    const lines = createInterface({ input: output })[Symbol.asyncIterator]();
    input.write('{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}\n');
    input.write('{"jsonrpc":"2.0","id":3,"method":"ping"}\n');
    const answers = [await lines.next(), await lines.next()].map(
      ({ value }) => JSON.parse(String(value)) as unknown,
    );
    expect(answers).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 3, result: {} },
    ]);
  });

  it('answers a line that is too long with an error, and goes on, as do calls that run', async () => {
    const { client, receipts, input } = await connect();
    const errors: unknown[] = [];
    Object.assign(client, { onerror: (error: Error) => errors.push(error) });
    const text = 'x'.repeat(1024 * 1024);
    const running = client.callTool({ name: 'count_notes', arguments: {} });
    for (let at = 0; at < 12; at += 1) input.write(at === 0 ? `{"a":"${text}` : text);
    input.write('"}\n');
    expect((await running).structuredContent).toEqual({ count: 0 });
    expect((await client.listTools()).tools).toHaveLength(5);
    const again = await client.callTool({ name: 'count_notes', arguments: {} });
    expect(again.structuredContent).toEqual({ count: 0 });
    expect(receipts).toHaveLength(2);
    expect(String(errors)).toContain('longer than 10485760 bytes');
  });

  it('lets the principal in that the process was started for', async () => {
    const { client, receipts } = await connect({
      principal: { id: 'wanda', scopes: ['notes:write'] },
    });
    const result = await client.callTool({ name: 'create_note', arguments: { text: 'x' } });
    expect(result.structuredContent).toEqual({ id: 1 });
    expect(receipts).toMatchObject([{ principal: 'wanda', outcome: 'success' }]);
  });
});

describe('clients of the first SDK generation', () => {
  it('initialise a session, list and call', async () => {
    const { mcpUrl } = await openNotes();
    const client = closing(new ClientV1({ name: 'old', version: '1' }));
    await client.connect(new HttpV1(new URL(mcpUrl)));
    expect((await client.listTools()).tools).toHaveLength(5);
    expect(await client.callTool({ name: 'count_notes', arguments: {} })).toMatchObject({
      structuredContent: { count: 0 },
    });
  });

  it('hear of a refusal by a tool that has an output schema', async () => {
    const { mcpUrl } = await openNotes();
    const client = closing(new ClientV1({ name: 'old', version: '1' }));
    const headers = { authorization: `Bearer ${TOKENS.reader}` };
    await client.connect(new HttpV1(new URL(mcpUrl), { requestInit: { headers } }));
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'create_note')).toHaveProperty('outputSchema');
    const result = await client.callTool({ name: 'create_note', arguments: { text: 'milk' } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('create_note') }],
      _meta: { [CALL_META_KEYS.problem.key]: { code: 'scope-missing', status: 403 } },
    });
    expect(result).not.toHaveProperty('structuredContent');
  });
});

describe('sessions of the 2025 revisions', () => {
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    },
  });
  const accept = { accept: 'application/json, text/event-stream' };
  const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });

  it('speak 2025-06-18 to a client that asks for it', async () => {
    const { mcpUrl } = await openNotes();
    const answer = await post(mcpUrl, initialize, accept);
    expect(messageIn(answer)).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
  });

  it('belong to who opened them', async () => {
    const { mcpUrl } = await openNotes();
    const writer = { authorization: `Bearer ${TOKENS.writer}` };
    const opened = await post(mcpUrl, initialize, { ...accept, ...writer });
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    expect((await post(mcpUrl, list, { ...accept, ...session, ...writer })).status).toBe(200);
    expect((await post(mcpUrl, list, { ...accept, ...session })).status).toBe(404);
    const reader = { authorization: `Bearer ${TOKENS.reader}` };
    expect((await post(mcpUrl, list, { ...accept, ...session, ...reader })).status).toBe(404);
  });

  it('open to nobody by a bad token, not even those that need none', async () => {
    const { mcpUrl } = await openNotes();
    const opened = await post(mcpUrl, initialize, accept);
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const bad = { authorization: 'Bearer guess' };
    expect((await post(mcpUrl, '', { ...session, ...bad }, 'DELETE')).status).toBe(401);
    expect((await post(mcpUrl, list, { ...accept, ...session })).status).toBe(200);
  });

  it('end when their client says so, and are unknown afterwards', async () => {
    const { mcpUrl } = await openNotes();
    const opened = await post(mcpUrl, initialize, accept);
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    expect((await post(mcpUrl, '', session, 'DELETE')).status).toBe(200);
    expect((await post(mcpUrl, list, { ...accept, ...session })).status).toBe(404);
  });

  it('are closed when they idle, and bounded in number', async () => {
    const { server } = notesServer();
    const http = await openHttp(server, { sessionIdleMs: 50, sessionLimit: 1 });
    open.push(http);
    expect((await post(http.mcpUrl, initialize, accept)).status).toBe(200);
    expect((await post(http.mcpUrl, initialize, accept)).status).toBe(503);
    await expect.poll(async () => (await post(http.mcpUrl, initialize, accept)).status).toBe(200);
  });

  describe('with an open stream', () => {
    async function openIdling(sessionLimit: number): Promise<string> {
      const { operation } = sleeper();
      const server = createServer({ name: 's', version: '1', operations: [operation] });
      const http = await openHttp(server, { sessionIdleMs: 50, sessionLimit });
      open.push(http);
      return http.mcpUrl;
    }

    const type = { 'content-type': 'application/json' };

    /** Again if the machine was so slow that the session had idled before its stream was open. */
    async function openStream(url: string, request: RequestInit = {}) {
      for (;;) {
        const opened = await post(url, initialize, accept);
        const session = String(opened.headers['mcp-session-id']);
        const headers = { ...accept, ...type, 'mcp-session-id': session };
        const leaving = new AbortController();
        const stream = await fetch(url, { ...request, headers, signal: leaving.signal });
        if (stream.status === 200) return { headers, leaving, stream };
      }
    }

    const params = { name: 'sleep' };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params });

    it.each([
      ['a client that listens', {}],
      ['a call that takes longer', { method: 'POST', body: call }],
    ])('stay while others that idle are closed: %s', async (_what, request) => {
      const url = await openIdling(2);
      const { headers, leaving, stream } = await openStream(url, request);
      expect(stream.headers.get('content-type')).toBe('text/event-stream');
      await post(url, initialize, accept);
      await expect.poll(async () => (await post(url, initialize, accept)).status).toBe(200);
      expect((await post(url, list, headers)).status).toBe(200);
      leaving.abort();
    });

    it('are closed like others once their client has gone', async () => {
      const url = await openIdling(1);
      const { leaving } = await openStream(url);
      expect((await post(url, initialize, accept)).status).toBe(503);
      leaving.abort();
      await expect.poll(async () => (await post(url, initialize, accept)).status).toBe(200);
    });
  });
});

describe('a bare curl', () => {
  it('stops the work when it goes away', async () => {
    const { operation, wasAborted } = sleeper();
    const http = await openHttp(createServer({ name: 's', version: '1', operations: [operation] }));
    open.push(http);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'sleep' },
    });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const signal = AbortSignal.timeout(200);
    const gone = fetch(http.mcpUrl, { method: 'POST', headers, body, signal });
    await expect(gone.then((response) => response.text())).rejects.toThrow(/abort|timeout/i);
    await expect.poll(wasAborted).toBe(true);
  });

  it('R57 R58: gets the list as plain JSON from one POST, without a session', async () => {
    const { mcpUrl } = await openNotes();
    const answer = await post(mcpUrl, '{"jsonrpc":"2.0","method":"tools/list","id":1}', {
      accept: 'application/json, text/event-stream',
    });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(answer.text)).toMatchObject({
      id: 1,
      result: { tools: [{ name: 'count_notes' }, { name: 'get_note' }, {}, {}, {}] },
    });
  });

  it.each([{}, { accept: '*/*' }])('needs no Accept header: %j', async (headers) => {
    const { mcpUrl } = await openNotes();
    const answer = await post(mcpUrl, '{"jsonrpc":"2.0","method":"tools/list","id":1}', headers);
    expect(answer.status).toBe(200);
  });
});
