/** What becomes of a conversation when the server is replaced, or asks before it has answered. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ScriptedChannel,
  ScriptedClient,
  toMeta,
  turn,
} from '../../../../test/gate/scripted-channel.ts';
import { openProcess } from '../../upstream/process.ts';
import type { JsonObject } from '../frame.ts';
import { openEither } from './open-either.ts';

const OPTIONS = { clientInfo: { name: 'gate', version: '1' }, timeoutMs: 100, graceMs: 50 };
const NOT_FOUND = { error: { code: -32_601, message: 'no such method' } };
const LOST = { kind: 'lost', detail: 'it died' } as const;
const INITIALIZE = {
  id: 'i',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host' } },
};

interface Opened {
  readonly server: ScriptedChannel;
  readonly client: ScriptedClient;
}

function open(): Opened {
  const server = new ScriptedChannel();
  return { server, client: new ScriptedClient(openEither(server, OPTIONS)) };
}

function toHello(capabilities: JsonObject): JsonObject {
  return { result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'old' } } };
}

function toCall(id: number, meta: JsonObject = {}, more: JsonObject = {}): JsonObject {
  const _meta = toMeta({ elicitation: {} }, meta);
  return { id, method: 'tools/call', params: { name: 'x', arguments: {}, ...more, _meta } };
}

/** A client of 2026 at a server of 2025. */
function openOld(): Opened {
  const opened = open();
  opened.client.send(toCall(1));
  opened.server.answer('server/discover', NOT_FOUND);
  opened.server.answer('initialize', toHello({ logging: {}, resources: { subscribe: true } }));
  return opened;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a server of 2025 that restarts under a client of 2026', () => {
  it('is greeted again before anything is sent, and what it says then counts', async () => {
    const { server, client } = openOld();
    server.fail('tools/call', LOST);
    server.renew();
    expect(client.failures).toMatchObject([{ id: 1, failure: LOST }]);
    expect(client.renewals).toBe(1);
    const before = server.sent.length;
    client.send(toCall(2));
    client.send({ id: 3, method: 'server/discover', params: { _meta: toMeta() } });
    expect(server.methods.slice(before)).toEqual(['initialize']);
    server.answer('initialize', toHello({ prompts: {} }));
    expect(server.methods.slice(before + 1)).toEqual(['notifications/initialized', 'tools/call']);
    expect(client.heard).toMatchObject({ id: 3, result: { capabilities: { prompts: {} } } });
  });

  it('is told the log level again, and subscriptions end so that clients renew them', async () => {
    const { server, client } = openOld();
    const level = { 'io.modelcontextprotocol/logLevel': 'info' };
    const notifications = { resourceSubscriptions: ['a:b'] };
    const params = { notifications, _meta: toMeta() };
    client.send(toCall(2, level));
    client.send({ id: 'l', method: 'subscriptions/listen', params });
    await turn();
    server.renew();
    expect(client.frames.find(({ message }) => message.id === 'l')?.message.result).toMatchObject({
      resultType: 'complete',
    });
    client.send(toCall(3, level));
    server.answer('initialize', toHello({ logging: {}, resources: { subscribe: true } }));
    client.send({ id: 'm', method: 'subscriptions/listen', params });
    const after = server.methods.slice(server.methods.lastIndexOf('notifications/initialized') + 1);
    expect(after).toEqual(['logging/setLevel', 'tools/call', 'resources/subscribe']);
  });

  it('does not leave a call without an end whose client is being asked', async () => {
    const { server, client } = openOld();
    server.say({ id: 9, method: 'elicitation/create', params: { message: 'Sure?' } });
    const requestState = client.result['requestState'] ?? null;
    server.renew();
    client.send(toCall(2, {}, { requestState }));
    server.answer('initialize', toHello({}));
    await turn();
    expect(client.failures).toMatchObject([{ id: 2, failure: { kind: 'lost' } }]);
    expect(server.sent.filter(({ message }) => message.id === 9)).toEqual([]);
  });

  it('is tried as a server of any era when it refuses the session', async () => {
    const { server, client } = openOld();
    server.renew();
    client.send(toCall(2));
    server.answer('initialize', { error: { code: -32_022, message: 'too old' } });
    expect(client.heard).toMatchObject({ id: 2, error: { code: -32_022 } });
    client.send(toCall(3));
    expect(server.methods.at(-1)).toBe('server/discover');
  });
});

it('a server of 2026 that restarts under a client of 2025 is listened to again, and the client hears of it', async () => {
  const { server, client } = open();
  client.send(INITIALIZE);
  server.answer('initialize', { error: { code: -32_022, message: 'too old' } });
  const capabilities = { tools: { listChanged: true } };
  server.answer('server/discover', {
    result: { supportedVersions: ['2026-07-28'], capabilities },
  });
  client.send({ method: 'notifications/initialized' });
  const first = server.last('subscriptions/listen').id;
  client.send({ id: 2, method: 'tools/call', params: { name: 'x', arguments: {} } });
  server.renew();
  expect(client.failures).toMatchObject([{ id: 2, failure: { kind: 'lost' } }]);
  await turn();
  const { id, params } = server.last('subscriptions/listen');
  expect(id).not.toBe(first);
  expect(params['notifications']).toEqual({ toolsListChanged: true });
  const told = client.frames.filter(({ message }) => message.method !== undefined);
  expect(told.map(({ message }) => message.method)).toEqual(['notifications/tools/list_changed']);
});

it('where eras agree, a restart settles what was in flight', () => {
  const { server, client } = open();
  client.send(INITIALIZE);
  server.answer('initialize', toHello({}));
  client.send({ id: 2, method: 'tools/list' });
  server.renew();
  expect(client.failures).toMatchObject([{ id: 2, failure: { kind: 'lost' } }]);
  expect(client.renewals).toBe(1);
});

describe('a server that speaks before it has answered the handshake', () => {
  it('is answered its pings, and its requests by the client', () => {
    const { server, client } = open();
    client.send(INITIALIZE);
    server.say({ id: 1, method: 'ping' });
    expect(server.sent.at(-1)?.message).toMatchObject({ id: 1, result: {} });
    server.say({ id: 2, method: 'roots/list' });
    client.send({ id: 2, result: { roots: [] } });
    expect(server.sent.at(-1)?.message).toMatchObject({ id: 2, result: { roots: [] } });
    server.say({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
    expect(client.heard).toMatchObject({ method: 'notifications/message' });
    server.answer('initialize', toHello({}));
    expect(client.heard).toMatchObject({ id: 'i', result: {} });
  });

  it('is answered for a client of 2026, which knows no requests', () => {
    const { server, client } = open();
    client.send(toCall(1));
    server.say({ id: 1, method: 'ping' });
    expect(server.sent.at(-1)?.message).toMatchObject({ id: 1, result: {} });
    server.say({ id: 2, method: 'roots/list' });
    expect(server.sent.at(-1)?.message).toMatchObject({ id: 2, error: { code: -32_601 } });
  });

  it('gets what the client sends meanwhile after it, without what was cancelled', async () => {
    const { server, client } = open();
    client.send(INITIALIZE);
    client.send({ id: 2, method: 'tools/list' });
    client.send({ id: 3, method: 'prompts/list' });
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    await turn();
    expect(client.failures).toMatchObject([{ id: 2, failure: { kind: 'not-sent' } }]);
    server.answer('initialize', toHello({}));
    expect(server.methods).toEqual(['initialize', 'prompts/list']);
  });
});

it('a call that is cancelled while its client is asked is settled, and its question withdrawn', async () => {
  const { server, client } = open();
  const capabilities = { elicitation: {} };
  client.send({ ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } });
  server.answer('initialize', { error: { code: -32_022, message: 'too old' } });
  server.answer('server/discover', {
    result: { supportedVersions: ['2026-07-28'], capabilities: {} },
  });
  client.send({ id: 2, method: 'tools/call', params: { name: 'x', arguments: {} } });
  const inputRequests = { sure: { method: 'elicitation/create', params: { message: 'Sure?' } } };
  server.answer('tools/call', { result: { resultType: 'input_required', inputRequests } });
  const question = client.heard['id'] ?? null;
  client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
  await turn();
  expect(client.failures).toMatchObject([{ id: 2, failure: { kind: 'lost' } }]);
  expect(client.heard).toMatchObject({ params: { requestId: question } });
  const before = server.sent.length;
  client.send({ id: question, result: { action: 'accept' } });
  expect(server.sent).toHaveLength(before);
});

/** A server of 2025 that counts its handshakes, and exits when it is told to. */
const DYING_SERVER = `
  let hellos = 0;
  const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === 'initialize') {
      hellos += 1;
      const capabilities = { tools: {} };
      say(id, { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'dying' } });
    } else if (method === 'server/discover') {
      console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
    } else if (params.name === 'die') process.exit(1);
    else say(id, { content: [{ type: 'text', text: process.pid + ' ' + hellos }] });
  });
`;

it('a real server of 2025 that dies is greeted once by its successor', async () => {
  vi.useRealTimers();
  const server = openProcess({ command: process.execPath, args: ['-e', DYING_SERVER] });
  await using channel = openEither(server, { ...OPTIONS, timeoutMs: 5000 });
  const client = new ScriptedClient(channel);
  const call = async (id: number, name: string): Promise<string> => {
    const { params } = toCall(id);
    client.send({ id, method: 'tools/call', params: { ...(params as JsonObject), name } });
    const isSettled = (): boolean =>
      client.frames.some(({ message }) => message.id === id) ||
      client.failures.some((failed) => failed.id === id);
    await vi.waitFor(() => expect(isSettled()).toBe(true), 10_000);
    const answer = client.frames.find(({ message }) => message.id === id);
    return JSON.stringify(answer?.message.result ?? client.failures.at(-1)?.failure.kind);
  };
  const first = await call(1, 'x');
  expect(first).toMatch(/"\d+ 1"/);
  expect(await call(2, 'die')).toBe('"lost"');
  await vi.waitFor(() => expect(client.renewals).toBe(1));
  const second = await call(3, 'x');
  expect(second).toMatch(/"\d+ 1"/);
  expect(second).not.toBe(first);
});
