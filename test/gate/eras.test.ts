/** Real SDK clients and servers of both eras, with only the translators between them. */
import { Client as ModernClient } from '@modelcontextprotocol/client';
import type { JSONRPCMessage as ModernMessage } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as LegacyStdio } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage as LegacyMessage } from '@modelcontextprotocol/sdk/types.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  SubscribeRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  McpServer as ModernServer,
  acceptedContent,
  inputRequired,
} from '@modelcontextprotocol/server';
import {
  StdioServerTransport as ModernStdio,
  serveStdio,
} from '@modelcontextprotocol/server/stdio';
import { createRequire } from 'node:module';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Channel } from '../../src/gate/protocol/channel.ts';
import { openEither } from '../../src/gate/protocol/eras/open-either.ts';
import { openProcess } from '../../src/gate/upstream/process.ts';
import { EraTransport } from './era-transport.ts';
import { StreamChannel } from './stream-channel.ts';

const CLIENT = { name: 'test-client', version: '1.0.0' };
const CONFIRM = z.object({ confirm: z.boolean() });

const require = createRequire(import.meta.url);
const open: AsyncDisposable[] = [];

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

function openEverything(): Channel {
  const path = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
  return openProcess({ command: process.execPath, args: [path, 'stdio'] });
}

async function connectModern(
  channel: Channel,
  capabilities = { elicitation: { form: {} } },
): Promise<{ client: ModernClient; transport: EraTransport<ModernMessage> }> {
  const either = openEither(channel, { clientInfo: CLIENT });
  open.push(either);
  const transport = new EraTransport<ModernMessage>(either);
  const mode = { pin: '2026-07-28' } as const;
  const client = new ModernClient(CLIENT, { capabilities, versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, transport };
}

async function connectLegacy(
  channel: Channel,
  capabilities = { elicitation: {} },
): Promise<{ client: LegacyClient; transport: EraTransport<LegacyMessage> }> {
  const either = openEither(channel, { clientInfo: CLIENT });
  open.push(either);
  const transport = new EraTransport<LegacyMessage>(either);
  const client = new LegacyClient(CLIENT, { capabilities });
  await client.connect(transport);
  return { client, transport };
}

function textOf(result: unknown): string {
  const { content } = result as { content: { text?: string }[] };
  return content.map(({ text }) => text ?? '').join('\n');
}

async function openLegacyServer(): Promise<{ server: LegacyServer; channel: StreamChannel }> {
  const channel = new StreamChannel();
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
  const server = new LegacyServer({ name: 'old', version: '1.0.0' }, { capabilities });
  server.registerTool('remove', { inputSchema: { id: z.string() } }, async ({ id }) => {
    const { action, content } = await server.server.elicitInput({
      message: `Remove ${id}?`,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } },
    });
    const text = action === 'accept' && content?.['confirm'] === true ? `removed ${id}` : action;
    return { content: [{ type: 'text', text }] };
  });
  server.registerTool('wait', {}, async ({ signal }) => {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
    aborted.push('legacy');
    return { content: [] };
  });
  await server.connect(new LegacyStdio(channel.stdin, channel.stdout));
  return { server, channel };
}

const aborted: string[] = [];

function openModernServer(): { server: () => ModernServer | undefined; channel: StreamChannel } {
  const channel = new StreamChannel();
  let server: ModernServer | undefined;
  const build = (): ModernServer => {
    const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
    server = new ModernServer(
      { name: 'new', version: '2.0.0' },
      { capabilities, instructions: 'Ask first.' },
    );
    server.registerTool(
      'remove',
      { inputSchema: z.object({ id: z.string() }) },
      async ({ id }, ctx) => {
        const answer = acceptedContent(ctx.mcpReq.inputResponses, 'sure', CONFIRM);
        if (answer === undefined) {
          const question = inputRequired.elicit({
            message: `Remove ${id}?`,
            requestedSchema: CONFIRM,
          });
          return inputRequired({ inputRequests: { sure: question }, requestState: `state-${id}` });
        }
        const text = answer.confirm ? `removed ${id}` : 'kept';
        return { content: [{ type: 'text', text }] };
      },
    );
    server.registerTool('count', {}, async (ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of [1, 2, 3]) {
        if (progressToken === undefined) break;
        const params = { progressToken, progress, total: 3 };
        await ctx.mcpReq.notify({ method: 'notifications/progress', params });
      }
      return { content: [{ type: 'text', text: 'counted' }] };
    });
    server.registerTool('wait', {}, async (ctx) => {
      await new Promise<void>((resolve) => {
        ctx.mcpReq.signal.addEventListener('abort', () => resolve());
      });
      aborted.push('modern');
      return { content: [] };
    });
    server.registerResource('note', 'note://1', {}, async (uri) => ({
      contents: [{ uri: uri.href, text: 'a note' }],
    }));
    return server;
  };
  const transport = new ModernStdio(channel.stdin, channel.stdout);
  const handle = serveStdio(build, { legacy: 'reject', transport });
  open.push({ [Symbol.asyncDispose]: async () => handle.close() });
  return { server: () => server, channel };
}

describe('a client of 2026 in front of a server of 2025', () => {
  it('talks to a published server as if it were of its own era', async () => {
    const { client } = await connectModern(openEverything());
    expect(client.getProtocolEra()).toBe('modern');
    expect(client.getServerVersion()?.name).toBe('mcp-servers/everything');
    expect(client.getInstructions()).toBeTruthy();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('get-sum');
    const sum = await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 40 } });
    expect(textOf(sum)).toContain('42');
    const { resources } = await client.listResources();
    const read = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(read.contents).toHaveLength(1);
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
  });

  it('is asked by the published server in the answer, and the call goes on', async () => {
    const { client, transport } = await connectModern(openEverything());
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { name: 'Ada', untrustedInput: 'x' } };
    });
    const result = await client.callTool({ name: 'trigger-elicitation-request', arguments: {} });
    expect(asked).toHaveLength(1);
    expect(textOf(result)).toContain('Ada');
    const requests = transport.frames.filter(({ message }) => message.method && message.id);
    expect(requests).toEqual([]);
  });

  it('sees how far a call is, under its own token', async () => {
    const { client } = await connectModern(openEverything());
    const seen: number[] = [];
    const params = {
      name: 'trigger-long-running-operation',
      arguments: { duration: 0.3, steps: 3 },
    };
    await client.callTool(params, { onprogress: ({ progress }) => void seen.push(progress) });
    expect(seen).toEqual([1, 2, 3]);
  });

  it('cancels a call that runs at the server', async () => {
    const { channel } = await openLegacyServer();
    const { client } = await connectModern(channel);
    aborted.length = 0;
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait' }, { signal: controller.signal });
    await expect.poll(() => channel.sent.at(-1)?.message.method).toBe('tools/call');
    controller.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await expect.poll(() => aborted).toEqual(['legacy']);
  });

  it('a call without elicitation declared is refused by the server, not left waiting', async () => {
    const { channel } = await openLegacyServer();
    const { client } = await connectModern(channel, {} as never);
    const result = await client.callTool({ name: 'remove', arguments: { id: 'a' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('cannot be asked');
  });

  it('hears of changed lists and resources while it listens', async () => {
    const { server, channel } = await openLegacyServer();
    const { client } = await connectModern(channel);
    const heard: string[] = [];
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      heard.push('tools');
    });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
    });
    server.server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
      heard.push(`subscribed ${params.uri}`);
      return {};
    });
    const filter = { toolsListChanged: true, resourceSubscriptions: ['note://1'] };
    const subscription = await client.listen(filter);
    await expect.poll(() => heard).toEqual(['subscribed note://1']);
    server.sendToolListChanged();
    await server.server.sendResourceUpdated({ uri: 'note://1' });
    await server.server.sendResourceUpdated({ uri: 'note://2' });
    await expect.poll(() => heard).toEqual(['subscribed note://1', 'tools', 'note://1']);
    await subscription.close();
    await expect.poll(() => channel.sent.at(-1)?.message.method).toBe('resources/unsubscribe');
  });
});

describe('a client of 2025 in front of a server of 2026', () => {
  it('begins a session that the server does not know of', async () => {
    const { channel } = openModernServer();
    const { client } = await connectLegacy(channel);
    expect(client.getServerVersion()).toMatchObject({ name: 'new', version: '2.0.0' });
    expect(client.getInstructions()).toBe('Ask first.');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['remove', 'count', 'wait']);
    expect(await client.ping()).toEqual({});
    const read = await client.readResource({ uri: 'note://1' });
    expect(read.contents[0]).toMatchObject({ text: 'a note' });
    expect(read).not.toHaveProperty('resultType');
  });

  it.each([
    [true, 'removed a'],
    [false, 'kept'],
  ])('is sent the question of the server as a request (%s)', async (confirm, text) => {
    const { channel } = openModernServer();
    const { client } = await connectLegacy(channel);
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { confirm } };
    });
    const result = await client.callTool({ name: 'remove', arguments: { id: 'a' } });
    expect(asked).toEqual(['Remove a?']);
    expect(textOf(result)).toBe(text);
  });

  it('is told when it cannot be asked', async () => {
    const { channel } = openModernServer();
    const { client } = await connectLegacy(channel, {} as never);
    const call = client.callTool({ name: 'remove', arguments: { id: 'a' } });
    await expect(call).rejects.toThrow('capabilities');
  });

  it('sees progress, and can cancel', async () => {
    const { channel } = openModernServer();
    const { client } = await connectLegacy(channel);
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
    await client.callTool({ name: 'count' }, undefined, { onprogress });
    expect(seen).toEqual([1, 2, 3]);
    aborted.length = 0;
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait' }, undefined, { signal: controller.signal });
    await expect.poll(() => channel.sent.at(-1)?.message.method).toBe('tools/call');
    controller.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await expect.poll(() => aborted).toEqual(['modern']);
  });

  it('hears of changes unasked, and of resources that it subscribed to', async () => {
    const { server, channel } = openModernServer();
    const { client, transport } = await connectLegacy(channel);
    const heard: string[] = [];
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      heard.push('tools');
    });
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      heard.push(params.uri);
    });
    await client.subscribeResource({ uri: 'note://1' });
    server()?.sendToolListChanged();
    await server()?.server.sendResourceUpdated({ uri: 'note://1' });
    await expect.poll(() => heard.toSorted()).toEqual(['note://1', 'tools']);
    const metas = transport.frames.map(({ message }) => message.params?.['_meta'] ?? {});
    expect(JSON.stringify(metas)).not.toContain('subscriptionId');
    await client.unsubscribeResource({ uri: 'note://1' });
    await server()?.server.sendResourceUpdated({ uri: 'note://1' });
    server()?.sendToolListChanged();
    await expect.poll(() => heard.toSorted()).toEqual(['note://1', 'tools', 'tools']);
  });
});

describe('client and server of one era', () => {
  it('2025: every frame passes as it was read', async () => {
    const { channel } = await openLegacyServer();
    const { client } = await connectLegacy(channel);
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      action: 'accept',
      content: { confirm: true },
    }));
    const result = await client.callTool({ name: 'remove', arguments: { id: 'b' } });
    expect(textOf(result)).toBe('removed b');
    expect(channel.sent[0]?.message.method).toBe('initialize');
  });

  it('2026: only a probe comes first', async () => {
    const { channel } = openModernServer();
    const { client } = await connectModern(channel);
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { confirm: true },
    }));
    const result = await client.callTool({ name: 'remove', arguments: { id: 'c' } });
    expect(textOf(result)).toBe('removed c');
    const methods = channel.sent.map(({ message }) => message.method);
    expect(methods.slice(0, 2)).toEqual(['server/discover', 'server/discover']);
    expect(methods).not.toContain('initialize');
  });
});
