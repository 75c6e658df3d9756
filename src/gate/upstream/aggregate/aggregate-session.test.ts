import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ScriptedChannel,
  ScriptedClient,
  toLine,
  toMeta,
} from '../../../../test/gate/scripted-channel.ts';
import type { Channel } from '../../protocol/channel.ts';
import type { JsonObject } from '../../protocol/frame.ts';
import { openAggregate } from './open-aggregate.ts';

const INFO = { name: 'plimsoll', version: '1.2.3' };
const INITIALIZE = { id: 'i', method: 'initialize', params: { protocolVersion: '2025-11-25' } };
const ALL = { tools: {}, prompts: {}, resources: {}, tasks: {} };
const toHello = (capabilities: JsonObject): JsonObject => ({
  result: { protocolVersion: '2025-11-25', capabilities },
});
const TELLS = { ...ALL, tools: { listChanged: true } };
const LOST = { kind: 'lost', detail: 'it died' } as const;
const GRACE_MS = 50;

interface Opened {
  readonly a: ScriptedChannel;
  readonly b: ScriptedChannel;
  readonly client: ScriptedClient;
  readonly aggregate: Channel;
  /** The calls that no server got, each with the reason. */
  readonly refused: string[];
}

function open(): Opened {
  const [a, b] = [new ScriptedChannel(), new ScriptedChannel()];
  const servers = [
    { name: 'a', channel: a },
    { name: 'b', channel: b },
  ];
  const refused: string[] = [];
  const aggregate = openAggregate(servers, {
    info: INFO,
    timeoutMs: 1000,
    graceMs: GRACE_MS,
    refused: ({ message }, why) => refused.push(`${message.id} ${why}`),
  });
  return { a, b, client: new ScriptedClient(aggregate), aggregate, refused };
}

async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

async function begin(ofA: JsonObject = ALL, ofB: JsonObject = ALL): Promise<Opened> {
  const opened = open();
  opened.client.send(INITIALIZE);
  opened.a.answer('initialize', toHello(ofA));
  opened.b.answer('initialize', toHello(ofB));
  await settle();
  opened.client.send({ method: 'notifications/initialized' });
  return opened;
}

function call(id: number, name: string, more: JsonObject = {}): JsonObject {
  return { id, method: 'tools/call', params: { name, arguments: {}, ...more } };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the handshake of the aggregate', () => {
  it('names the product with its version', async () => {
    const { client } = await begin();
    expect(client.result['serverInfo']).toEqual(INFO);
  });

  it('is refused with the reasons of every server when all refuse', async () => {
    const { a, b, client } = open();
    client.send(INITIALIZE);
    a.answer('initialize', { error: { code: -32_001, message: 'sign in first' } });
    b.answer('initialize', { error: { code: -32_000, message: 'closed today' } });
    await settle();
    expect(client.heard).toMatchObject({ id: 'i', error: { code: -32_001 } });
    expect(JSON.stringify(client.heard['error'])).toMatch(/a: .*sign in first.*b: .*closed today/);
  });

  it('fails when no server can be reached', async () => {
    const { a, b, client } = open();
    client.send(INITIALIZE);
    for (const server of [a, b]) {
      server.fail('initialize', { kind: 'not-sent', detail: 'no such command' });
    }
    await settle();
    expect(client.failures).toMatchObject([{ id: 'i', failure: { kind: 'not-sent' } }]);
    expect(client.failures[0]?.failure.detail).toContain('no such command');
  });

  it('does not wait for an answer to a server that pings or asks first', async () => {
    const { a, b, client } = open();
    client.send(INITIALIZE);
    a.say({ id: 1, method: 'ping' });
    expect(a.sent.at(-1)?.message).toMatchObject({ id: 1, result: {} });
    b.say({ id: 1, method: 'roots/list' });
    client.send({ id: client.heard['id'] ?? null, result: { roots: [] } });
    expect(b.sent.at(-1)?.message).toMatchObject({ id: 1, result: { roots: [] } });
    for (const server of [a, b]) server.answer('initialize', toHello(ALL));
    await settle();
    expect(client.heard).toMatchObject({ id: 'i', result: {} });
  });

  it('holds what is sent before it is done, and drops of it what is cancelled', async () => {
    const { a, b, client } = open();
    client.send(INITIALIZE);
    client.send(call(1, 'a__t'));
    client.send(call(2, 'a__t'));
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    expect(a.methods).toEqual(['initialize']);
    for (const server of [a, b]) server.answer('initialize', toHello(ALL));
    await settle();
    expect(a.methods).toEqual(['initialize', 'tools/call']);
    expect(client.failures).toMatchObject([{ id: 2, failure: { kind: 'not-sent' } }]);
    a.answer('tools/call', { result: {} });
    expect(client.heard).toMatchObject({ id: 1, result: {} });
  });

  it('is not done because an earlier probe is', async () => {
    const { a, b, client } = open();
    client.send({ id: 'd', method: 'server/discover', params: { _meta: toMeta() } });
    client.send(INITIALIZE);
    client.send(call(1, 'a__t'));
    for (const server of [a, b]) server.answer('server/discover', toHello(ALL));
    await settle();
    expect(a.methods).toEqual(['server/discover', 'initialize']);
    for (const server of [a, b]) server.answer('initialize', toHello(ALL));
    await settle();
    expect(a.methods).toEqual(['server/discover', 'initialize', 'tools/call']);
  });
});

describe('a call that no server gets', () => {
  const cancel = (requestId: number): JsonObject => ({
    method: 'notifications/cancelled',
    params: { requestId },
  });

  it('is told with the reason, once', async () => {
    const { a, b, client, refused } = open();
    client.send(INITIALIZE);
    client.send(call(1, 'a__t'));
    client.send(cancel(1));
    a.answer('initialize', toHello(ALL));
    b.fail('initialize', LOST);
    await settle();
    const _meta = toMeta({}, { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' });
    client.send(call(2, 'a__t', { _meta }));
    client.send(call(3, 'nobody__t'));
    client.send(call(4, 'b__t'));
    await settle();
    expect(refused).toEqual(['1 cancelled', '2 invalid', '3 unknown', '4 unreachable']);
    expect(a.methods).toEqual(['initialize']);
  });

  it('has an id that is in use: it is answered, and so is the one before it', async () => {
    const { a, client, refused } = await begin();
    client.send(call(1, 'a__t'));
    client.send(call(1, 'a__t'));
    await settle();
    expect(refused).toEqual(['1 invalid']);
    expect(client.heard).toMatchObject({ id: 1, error: { code: -32_602 } });
    a.answer('tools/call', { result: { content: [] } });
    expect(client.heard).toMatchObject({ id: 1, result: { content: [] } });
    expect(a.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('waits for the handshake when all ends', async () => {
    const { client, aggregate, refused } = open();
    client.send(INITIALIZE);
    client.send(call(1, 'a__t'));
    await aggregate[Symbol.asyncDispose]();
    expect(refused).toEqual(['1 stopped']);
    expect(client.failures).toContainEqual({
      id: 1,
      failure: expect.objectContaining({ kind: 'not-sent' }),
    });
  });
});

describe('requests through the aggregate', () => {
  it('of an unknown revision are refused with those that are known', async () => {
    const { a, client } = open();
    const _meta = toMeta({}, { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' });
    client.send({ id: 1, method: 'tools/list', params: { _meta } });
    await settle();
    expect(client.heard['error']).toMatchObject({
      code: -32_022,
      data: { supported: ['2026-07-28'], requested: '2027-01-01' },
    });
    expect(a.sent).toEqual([]);
  });

  it('for a list fail when no server gives one', async () => {
    const { a, b, client } = await begin();
    client.send({ id: 1, method: 'tools/list' });
    a.answer('tools/list', { error: { code: -32_000, message: 'not now' } });
    b.fail('tools/list', LOST);
    await settle();
    expect(client.heard).toMatchObject({ id: 1, error: {} });
    expect(JSON.stringify(client.heard['error'])).toMatch(/not now.*it died/);
  });

  it('for a list ask for no further page once they are cancelled', async () => {
    const { a, b, client } = await begin();
    client.send({ id: 1, method: 'tools/list' });
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(a.methods.at(-1)).toBe('notifications/cancelled');
    a.answer('tools/list', { result: { tools: [], nextCursor: 'next' } });
    b.answer('tools/list', { result: { tools: [] } });
    await settle(GRACE_MS);
    expect(a.methods.filter((method) => method === 'tools/list')).toHaveLength(1);
    expect(client.failures).toMatchObject([{ id: 1, failure: { kind: 'lost' } }]);
  });

  it('for a list tell nobody whose resources are whose once they are cancelled', async () => {
    const { a, b, client } = await begin();
    const list = { id: 1, method: 'resources/list' };
    client.send(list);
    a.answer('resources/list', { result: { resources: [] } });
    b.answer('resources/list', { result: { resources: [{ uri: 'x:1', name: 'x' }] } });
    await settle();
    client.send({ ...list, id: 2 });
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    b.answer('resources/list', { result: { resources: [], nextCursor: 'next' } });
    a.answer('resources/list', { result: { resources: [] } });
    await settle(GRACE_MS);
    client.send({ id: 3, method: 'resources/read', params: { uri: 'x:1' } });
    expect(a.methods).not.toContain('resources/read');
    expect(b.methods.at(-1)).toBe('resources/read');
  });

  it('are settled by an answer that comes after their cancel', async () => {
    const { a, client } = await begin();
    client.send(call(1, 'a__t'));
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    a.answer('tools/call', { result: { content: [] } });
    expect(client.heard).toMatchObject({ id: 1, result: { content: [] } });
    await settle(GRACE_MS);
    expect(client.failures).toEqual([]);
  });

  it('stay well-formed when the answer has neither a result nor an error', async () => {
    const { a, client } = await begin();
    client.send(call(5, 'a__t'));
    a.answer('tools/call', {});
    const last = client.frames.at(-1);
    expect(last && toLine(last)).toBe('{"jsonrpc":"2.0","id":5}');
  });
});

describe('tasks behind the aggregate', () => {
  it('belong to the server that made them, whatever ids the others use', async () => {
    const { a, b, client } = await begin();
    client.send(call(1, 'b__t', { task: { ttl: 1000 } }));
    b.answer('tools/call', { result: { task: { taskId: '7', status: 'working' } } });
    expect(client.result['task']).toEqual({ taskId: 'b__7', status: 'working' });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      client.send({ id: method, method, params: { taskId: 'b__7' } });
      expect(b.last(method).params).toEqual({ taskId: '7' });
      expect(a.methods).not.toContain(method);
    }
    b.answer('tasks/get', { result: { taskId: '7', status: 'working' } });
    expect(client.heard).toMatchObject({ id: 'tasks/get', result: { taskId: 'b__7' } });
    b.say({ method: 'notifications/tasks/status', params: { taskId: '7', status: 'completed' } });
    expect(client.heard['params']).toMatchObject({ taskId: 'b__7' });
  });

  it('of 2026 get their prefix too, and unknown ones go nowhere', async () => {
    const { a, b, client } = open();
    const _meta = toMeta();
    client.send(call(1, 'a__t', { _meta }));
    a.answer('tools/call', { result: { resultType: 'task', taskId: '7' } });
    expect(client.result).toEqual({ resultType: 'task', taskId: 'a__7' });
    client.send({ id: 2, method: 'tasks/get', params: { taskId: '7', _meta } });
    await settle();
    expect(client.heard).toMatchObject({ id: 2, error: { code: -32_602 } });
    expect([...a.methods, ...b.methods]).toEqual(['tools/call']);
  });

  it('are named with their server in what the server asks about them', async () => {
    const { a, client } = await begin();
    const related = (taskId: string): JsonObject => ({
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
    a.say({ id: 3, method: 'elicitation/create', params: { message: 'Sure?', ...related('7') } });
    expect(client.heard['params']).toMatchObject(related('a__7'));
    client.send({
      id: client.heard['id'] ?? null,
      result: { action: 'accept', ...related('a__7') },
    });
    expect(a.sent.at(-1)?.message.result).toEqual({ action: 'accept', ...related('7') });
  });

  it('are listed from all servers', async () => {
    const { a, b, client } = await begin();
    client.send({ id: 1, method: 'tasks/list' });
    for (const server of [a, b])
      server.answer('tasks/list', { result: { tasks: [{ taskId: '7' }] } });
    await settle();
    expect(client.result['tasks']).toEqual([{ taskId: 'a__7' }, { taskId: 'b__7' }]);
  });
});

describe('a server behind the aggregate that restarts', () => {
  it('loses only its own requests and questions, and the client hears of new lists', async () => {
    const { a, b, client } = await begin(ALL, TELLS);
    client.send(call(1, 'a__t'));
    client.send(call(2, 'b__t'));
    a.say({ id: 1, method: 'roots/list' });
    const asked = client.heard['id'];
    a.fail('tools/call', { kind: 'lost', detail: 'It ended' });
    a.renew();
    expect(client.failures).toMatchObject([{ id: 1, failure: { kind: 'lost' } }]);
    expect(client.renewals).toBe(1);
    const said = client.frames.map(({ message }) => message.method);
    expect(said).toContain('notifications/tools/list_changed');
    const cancel = client.frames.find(
      ({ message }) => message.method === 'notifications/cancelled',
    );
    expect(cancel?.message.params).toMatchObject({ requestId: asked });
    const before = a.sent.length;
    client.send({ id: asked ?? null, result: { roots: [] } });
    expect(a.sent).toHaveLength(before);
    b.answer('tools/call', { result: {} });
    expect(client.heard).toMatchObject({ id: 2, result: {} });
  });

  it('is spoken for once: by itself if it said that it tells, and never of what nobody tells', async () => {
    const { a, b, client } = await begin(TELLS, ALL);
    const told = (): readonly unknown[] =>
      client.frames.flatMap(({ message }) => message.method ?? []);
    for (const times of [1, 2]) {
      a.renew();
      a.say({ method: 'notifications/tools/list_changed' });
      expect(told()).toEqual(Array(times).fill('notifications/tools/list_changed'));
    }
    b.renew();
    expect(told()).toEqual(Array(3).fill('notifications/tools/list_changed'));
  });

  it('is not spoken for where no server tells of changes', async () => {
    const { a, client } = await begin();
    a.renew();
    expect(client.frames.filter(({ message }) => message.method !== undefined)).toEqual([]);
  });

  it('still answers a call that its gate sends to it again', async () => {
    const { a, client } = await begin();
    client.send(call(1, 'a__t'));
    a.renew();
    expect(client.failures).toEqual([]);
    a.answer('tools/call', { result: {} });
    expect(client.heard).toMatchObject({ id: 1, result: {} });
  });

  it('ends the subscriptions that it had acknowledged', async () => {
    const { a, b, client } = open();
    const notifications = { toolsListChanged: true };
    client.send({
      id: 'l',
      method: 'subscriptions/listen',
      params: { notifications, _meta: toMeta() },
    });
    for (const server of [a, b]) {
      const key = 'io.modelcontextprotocol/subscriptionId';
      const _meta = { [key]: server.last('subscriptions/listen').id };
      const method = 'notifications/subscriptions/acknowledged';
      server.say({ method, params: { notifications, _meta } });
    }
    a.fail('subscriptions/listen', LOST);
    expect(client.heard).not.toHaveProperty('id');
    a.renew();
    expect(client.heard).toMatchObject({ id: 'l', result: { resultType: 'complete' } });
    expect(b.last('notifications/cancelled').params).toMatchObject({
      requestId: b.last('subscriptions/listen').id,
    });
  });
});

it('a server may not speak of the requests and resources of another', async () => {
  const { a, b, client } = await begin();
  client.send({ id: 1, method: 'resources/list' });
  a.answer('resources/list', { result: { resources: [{ uri: 'a:1', name: 'one' }] } });
  b.answer('resources/list', { result: { resources: [] } });
  await settle();
  client.send(call(2, 'a__t', { _meta: { progressToken: 'p' } }));
  const progress = { method: 'notifications/progress', params: { progressToken: 'p' } };
  const updated = { method: 'notifications/resources/updated', params: { uri: 'a:1' } };
  const before = client.frames.length;
  b.say(progress);
  b.say(updated);
  b.say({ id: a.last('tools/call').id, result: { content: [] } });
  b.say({ id: 2, result: { content: [] } });
  expect(client.frames).toHaveLength(before);
  a.say(progress);
  a.say(updated);
  expect(client.frames).toHaveLength(before + 2);
});
