/** A server over HTTP as a channel: real SDK clients and servers in both eras. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { openFixture } from '../../../test/conformance/fixture-server.ts';
import type { Channel } from '../protocol/channel.ts';
import type { Caller, JsonObject } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import type { HttpUpstreamOptions } from './http-upstream.ts';
import { openHttpUpstream } from './http-upstream.ts';

const open = new Set<AsyncDisposable>();

afterEach(async () => {
  for (const each of [...open].toReversed()) await each[Symbol.asyncDispose]();
  open.clear();
});

const caller: Caller = { principal: { id: 'host', scopes: [] }, session: 'one', via: 'mcp-stdio' };

/** A host's end of a channel. */
class ChannelTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  async start(): Promise<void> {
    this.#channel.listen({
      frame: ({ bytes }) => {
        const message = JSON.parse(Buffer.from(bytes).toString('utf8')) as JSONRPCMessage;
        // The SDK forgets progress that comes in the same turn as the answer.
        setImmediate(() => this.onmessage?.(message));
      },
      failed: (id, { kind, detail }) => {
        const error = { code: -32_603, message: `${kind}: ${detail}` };
        this.onmessage?.({ jsonrpc: '2.0', id, error });
      },
      renewed: () => {},
      closed: () => this.onclose?.(),
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#channel.send({ ...toFrame(message as unknown as JsonObject), caller }); // it is JSON
  }

  async close(): Promise<void> {
    await this.#channel[Symbol.asyncDispose]();
  }
}

const ERAS = [
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
  { era: '2025-11-25', mode: 'legacy' },
] as const;

async function connect(
  options: HttpUpstreamOptions,
  mode: (typeof ERAS)[number]['mode'],
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: { elicitation: {} } },
  );
  open.add({ [Symbol.asyncDispose]: () => client.close() });
  await client.connect(new ChannelTransport(openHttpUpstream(options)));
  return client;
}

async function openFixtureUrl(): Promise<string> {
  const fixture = await openFixture();
  open.add(fixture);
  return fixture.mcpUrl;
}

describe.each(ERAS)('a server of the kit over HTTP, $era', ({ mode }) => {
  it('lists, calls and tells how far it is', async () => {
    const client = await connect({ url: await openFixtureUrl() }, mode);
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
    const client = await connect({ url: await openFixtureUrl() }, mode);
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { name: 'Ada' },
    }));
    const result = await client.callTool({
      name: 'test_elicitation_sep1034_defaults',
      arguments: {},
    });
    expect(JSON.stringify(result.content)).toContain('action=accept');
  });

  it('passes errors of the server on', async () => {
    const client = await connect({ url: await openFixtureUrl() }, mode);
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow(
      /no_such_tool|not found|unknown/i,
    );
    await expect(client.getPrompt({ name: 'none' })).rejects.toThrow(/none|not found/i);
  });

  it('makes many calls at once', async () => {
    const client = await connect({ url: await openFixtureUrl() }, mode);
    const calls = Array.from({ length: 100 }, () =>
      client.callTool({ name: 'test_simple_text', arguments: {} }),
    );
    for (const { content } of await Promise.all(calls)) expect(content).toHaveLength(1);
  });
});

describe('the modern era', () => {
  it('repeats arguments in headers for a caller that has none', async () => {
    const url = await openFixtureUrl();
    const tools = new Map<string, { inputSchema: JsonObject }>();
    const toolOf = (name: string) => tools.get(name);
    const client = await connect({ url, toolOf }, { pin: '2026-07-28' });
    for (const tool of (await client.listTools()).tools) {
      tools.set(tool.name, { inputSchema: tool.inputSchema as JsonObject });
    }
    const call = { name: 'test_mirrored_header', arguments: { region: 'Köln' } };
    expect(await client.callTool(call)).not.toHaveProperty('isError', true);
    tools.clear();
    await expect(client.callTool(call)).rejects.toThrow(/header/i);
  });

  it('hears of changes on a subscription until it is ended', async () => {
    const client = await connect({ url: await openFixtureUrl() }, { pin: '2026-07-28' });
    let changes = 0;
    client.setNotificationHandler('notifications/prompts/list_changed', () => void (changes += 1));
    const subscription = await client.listen({ promptsListChanged: true });
    await client.callTool({ name: 'test_trigger_prompt_change', arguments: {} });
    await expect.poll(() => changes).toBe(1);
    await subscription.close();
    await client.callTool({ name: 'test_trigger_prompt_change', arguments: {} });
    await wait(100);
    expect(changes).toBe(1);
  });
});

describe('the 2025 revisions', () => {
  it('hear what the server says unasked', async () => {
    const client = await connect({ url: await openFixtureUrl() }, 'legacy');
    let changes = 0;
    client.setNotificationHandler('notifications/prompts/list_changed', () => void (changes += 1));
    await expect
      .poll(async () => {
        await client.callTool({ name: 'test_trigger_prompt_change', arguments: {} });
        return changes;
      })
      .toBeGreaterThan(0);
  });

  it('take up a stream that the server has closed before the answer', async () => {
    const client = await connect({ url: await openFixtureUrl() }, 'legacy');
    const result = await client.callTool({ name: 'test_reconnection', arguments: {} });
    expect(result.content).toMatchObject([{ text: 'Answered after the stream was closed.' }]);
  });
});

type Mode = 'one transport' | 'one for each session';

/** A server on the first SDK generation, as its examples are built; each start forgets all sessions. */
class RestartedServer implements AsyncDisposable {
  readonly #server = createServer((incoming, response) => void this.#handle(incoming, response));
  readonly #mode: Mode;
  #transports = new Map<string, StreamableHTTPServerTransport>();
  #only: StreamableHTTPServerTransport | undefined;
  #starts = 0;

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  async start(): Promise<string> {
    this.#starts += 1;
    this.#transports = new Map();
    this.#only = this.#mode === 'one transport' ? await this.#connect() : undefined;
    if (!this.#server.listening) {
      await new Promise<void>((resolve) => {
        this.#server.listen(0, '127.0.0.1', () => resolve());
      });
    }
    this.#server.closeAllConnections();
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = incoming.headers['mcp-session-id'];
    if (this.#only !== undefined) return this.#only.handleRequest(incoming, response);
    const known = typeof session === 'string' ? this.#transports.get(session) : undefined;
    if (known !== undefined) return known.handleRequest(incoming, response);
    if (session === undefined) return (await this.#connect()).handleRequest(incoming, response);
    const error = { code: -32_000, message: 'Bad Request: No valid session ID provided' };
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
  }

  async #connect(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#transports.set(id, transport),
    });
    const server = new McpServer({ name: 'restarted', version: '1' });
    server.registerTool(`tool_of_start_${this.#starts}`, {}, () => ({ content: [] }));
    await server.connect(transport);
    return transport;
  }
}

describe.each(['one transport', 'one for each session'] as const)(
  'a restarted server of the first SDK generation, %s',
  (mode) => {
    it('is told the session again, and says what it offers now', async () => {
      const server = new RestartedServer(mode);
      open.add(server);
      const client = await connect({ url: await server.start() }, 'legacy');
      const names = async (): Promise<string[]> =>
        (await client.listTools()).tools.map(({ name }) => name);
      expect(await names()).toEqual(['tool_of_start_1']);
      await server.start();
      // A server needs some time to start again, in which its connections are seen to end.
      await wait(100);
      await expect(client.callTool({ name: 'tool_of_start_1' })).rejects.toThrow(
        /refused|not-sent/,
      );
      expect(await names()).toEqual(['tool_of_start_2']);
    });
  },
);
