/** Both sides together: real SDK clients, the downstream, a channel over HTTP, and a real SDK server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { openFixture } from '../conformance/fixture-server.ts';
import { messageIn, post } from '../support/post.ts';
import { openHttpUpstream } from '../../src/gate/upstream/http-upstream.ts';
import type { HttpDownstream } from '../../src/gate/downstream/http-downstream.ts';
import { openHttpDownstream } from '../../src/gate/downstream/http-downstream.ts';

const open = new Set<AsyncDisposable>();

afterEach(async () => {
  for (const each of [...open].toReversed()) await each[Symbol.asyncDispose]();
  open.clear();
});

/** What a gate would know of the tool that wants an argument repeated; it holds for no other. */
const MIRRORED = {
  inputSchema: { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
};

/** In front of the kit's own server. */
async function openRelay(): Promise<HttpDownstream> {
  const fixture = await openFixture();
  open.add(fixture);
  const downstream = await openHttpDownstream({
    principal: { id: 'local', scopes: [] },
    openSession: () => openHttpUpstream({ url: fixture.mcpUrl, toolOf: () => MIRRORED }),
    report: () => {},
  });
  open.add(downstream);
  return downstream;
}

const ERAS = [
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
  { era: '2025-11-25', mode: 'legacy' },
] as const;

async function connect(url: string, mode: (typeof ERAS)[number]['mode']): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: { elicitation: {} } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  open.add({ [Symbol.asyncDispose]: () => client.close() });
  return client;
}

describe.each(ERAS)('through the downstream to a server over HTTP, $era', ({ mode }) => {
  it('lists, calls and tells how far it is', async () => {
    const client = await connect((await openRelay()).mcpUrl, mode);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    const seen: number[] = [];
    const result = await client.callTool(
      { name: 'test_tool_with_progress', arguments: {} },
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    expect(seen).toEqual([0, 50, 100]);
    expect(result.content).toMatchObject([{ text: 'Done, with progress.' }]);
  });

  it('asks the client something in the middle of a call', async () => {
    const client = await connect((await openRelay()).mcpUrl, mode);
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { name: 'Ada' },
    }));
    const call = { name: 'test_elicitation_sep1034_defaults', arguments: {} };
    expect(JSON.stringify(await client.callTool(call))).toContain('action=accept');
  });

  it('mirrors arguments, and hands errors on', async () => {
    const client = await connect((await openRelay()).mcpUrl, mode);
    await client.listTools();
    const call = { name: 'test_mirrored_header', arguments: { region: 'Köln' } };
    expect(JSON.stringify(await client.callTool(call))).toContain('Looked in Köln.');
    await expect(client.getPrompt({ name: 'none' })).rejects.toThrow(/none|not found/i);
  });

  it('hears of changes', async () => {
    const client = await connect((await openRelay()).mcpUrl, mode);
    let changes = 0;
    client.setNotificationHandler('notifications/prompts/list_changed', () => void (changes += 1));
    if (mode !== 'legacy') await client.listen({ promptsListChanged: true });
    await expect
      .poll(async () => {
        await client.callTool({ name: 'test_trigger_prompt_change', arguments: {} });
        return changes;
      })
      .toBeGreaterThan(0);
  });
});

/** A server without sessions, streams or events: each POST is answered with JSON by a new instance. */
async function openStateless(): Promise<string> {
  const http = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    void (async () => {
      const server = new McpServer({ name: 'stateless', version: '1' });
      server.registerTool('get_time', { description: 'Reads the clock.' }, () => ({
        content: [{ type: 'text', text: 'noon' }],
      }));
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      await transport.handleRequest(request, response);
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', () => resolve()));
  open.add({
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
    },
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`; // it listens on TCP
}

describe('a server without sessions that answers with JSON only', () => {
  it('serves clients of both generations, and requests without a session', async () => {
    const upstream = await openStateless();
    const downstream = await openHttpDownstream({
      principal: { id: 'local', scopes: [] },
      openSession: () => openHttpUpstream({ url: upstream }),
      report: () => {},
    });
    open.add(downstream);
    const call = { name: 'get_time', arguments: {} };
    const v2 = await connect(downstream.mcpUrl, 'legacy');
    expect(await v2.callTool(call)).toMatchObject({ content: [{ text: 'noon' }] });
    const v1 = new ClientV1({ name: 'old', version: '1' });
    await v1.connect(new HttpV1(new URL(downstream.mcpUrl)));
    expect(await v1.callTool(call)).toMatchObject({ content: [{ text: 'noon' }] });
    await v1.close();
    const body = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: call };
    const alone = await post(downstream.mcpUrl, JSON.stringify(body));
    expect([alone.status, alone.headers['content-type']]).toEqual([200, 'application/json']);
    expect(messageIn(alone)).toMatchObject({ id: 3, result: { content: [{ text: 'noon' }] } });
    expect((await post(downstream.mcpUrl, '', {}, 'GET')).status).toBe(405);
  });
});

describe('clients of the first SDK generation', () => {
  it('initialise, list, call, are asked and end their session', async () => {
    const { mcpUrl } = await openRelay();
    const client = new ClientV1(
      { name: 'old', version: '1' },
      { capabilities: { elicitation: {} } },
    );
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' as const }));
    const transport = new HttpV1(new URL(mcpUrl));
    await client.connect(transport);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    const result = await client.callTool({
      name: 'test_elicitation',
      arguments: { message: 'hi' },
    });
    expect(JSON.stringify(result)).toContain('action=decline');
    const session = { 'mcp-session-id': transport.sessionId ?? '' };
    await transport.terminateSession();
    await client.close();
    expect((await post(mcpUrl, '', session, 'GET')).status).toBe(404);
  });
});
