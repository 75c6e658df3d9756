import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ADA,
  BOB,
  ScriptedChannel,
  ScriptedClient,
  toMeta,
  turn,
} from '../../../../test/gate/scripted-channel.ts';
import type { JsonValue } from '../../../lib/json-value.ts';
import type { JsonObject } from '../frame.ts';
import { openEither } from './open-either.ts';

const FORM = { elicitation: {} };
const QUESTION = { method: 'elicitation/create', params: { message: 'Sure?' } };
const YES = { action: 'accept', content: { sure: true } };
const SERVER = { name: 'old', version: '1' };

function open(capabilities: JsonObject = { tools: { listChanged: true }, logging: {} }): {
  server: ScriptedChannel;
  client: ScriptedClient;
} {
  const server = new ScriptedChannel();
  const options = { clientInfo: { name: 'gate', version: '1' } };
  const client = new ScriptedClient(openEither(server, options));
  client.send({ id: 'first', method: 'server/discover', params: { _meta: toMeta() } });
  server.answer('server/discover', { error: { code: -32_601, message: 'no' } });
  const hello = { protocolVersion: '2025-11-25', capabilities, serverInfo: SERVER };
  server.answer('initialize', { result: { ...hello, instructions: 'Be kind.' } });
  return { server, client };
}

function toCall(id: number, more: JsonObject = {}, meta: JsonObject = {}): JsonObject {
  const params = { name: 'remove', arguments: { id: 'a' }, ...more, _meta: toMeta(FORM, meta) };
  return { id, method: 'tools/call', params };
}

function stateOf(client: ScriptedClient): JsonValue {
  return client.result['requestState'] ?? null;
}

function toRetry(id: number, client: ScriptedClient, more: JsonObject = {}): JsonObject {
  const asked = client.result['inputRequests'] as JsonObject;
  const answers = Object.fromEntries(Object.keys(asked).map((key) => [key, YES]));
  return toCall(id, { inputResponses: answers, requestState: stateOf(client), ...more });
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('requests to a server of 2025', () => {
  it('are answered here when only 2026 has them', () => {
    const { client } = open();
    expect(client.result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, logging: {} },
      instructions: 'Be kind.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': SERVER },
    });
  });

  it('lose the envelope and nothing else', () => {
    const { server, client } = open();
    const version = '"io.modelcontextprotocol/protocolVersion":"2026-07-28"';
    const call = '"params":{"name":"x","arguments":{"n":1.50,"e":"\\u0041"}';
    client.send(`{"id":5,"method":"tools/call",${call},"_meta":{${version},"progressToken":7}}}`);
    expect(server.lines.at(-1)).toBe(
      `{"id":5,"method":"tools/call",${call},"_meta":{"progressToken":7}}}`,
    );
    client.send(`{"id":6,"method":"tools/call",${call},"_meta":{${version}}}}`);
    expect(server.lines.at(-1)).toBe(`{"id":6,"method":"tools/call",${call}}}`);
  });

  it.each(['ping', 'logging/setLevel', 'resources/subscribe', 'initialize'])(
    'do not reach it when they are no longer of the protocol: %s',
    async (method) => {
      const { server, client } = open();
      const before = server.sent.length;
      client.send({ id: 1, method, params: { _meta: toMeta() } });
      await turn();
      expect(client.errorCode).toBe(-32_601);
      expect(server.sent).toHaveLength(before);
    },
  );

  it('of an unknown revision are refused with those that are known', async () => {
    const { client } = open();
    const _meta = toMeta({}, { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' });
    client.send({ id: 1, method: 'tools/list', params: { _meta } });
    await turn();
    expect(client.heard['error']).toMatchObject({
      code: -32_022,
      data: { supported: ['2026-07-28'], requested: '2027-01-01' },
    });
  });

  it('set the log level once, and only those that ask are sent log messages', () => {
    const { server, client } = open();
    const level = { 'io.modelcontextprotocol/logLevel': 'info' };
    const log = { method: 'notifications/message', params: { level: 'info', data: 'x' } };
    const before = client.frames.length;
    client.send(toCall(1));
    server.say(log);
    expect(client.frames).toHaveLength(before);
    client.send(toCall(2, {}, level));
    client.send(toCall(3, {}, level));
    expect(server.methods.filter((method) => method === 'logging/setLevel')).toHaveLength(1);
    server.say(log);
    expect(client.frames.at(-1)?.about).toBe(2);
  });
});

describe('answers of a server of 2025', () => {
  it('get what 2026 demands, and keep every other byte', () => {
    const { server, client } = open();
    client.send({ id: 4, method: 'tools/list', params: { _meta: toMeta() } });
    server.say('{"jsonrpc":"2.0","id":4,"result":{"tools":[{"name":"x","n":1.50}],"own":true}}');
    expect(client.result).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      own: true,
      _meta: { 'io.modelcontextprotocol/serverInfo': SERVER },
    });
    expect(Buffer.from(client.frames.at(-1)?.bytes ?? []).toString()).toContain('"n":1.50');
  });

  it('keep what the server already says', () => {
    const { server, client } = open();
    client.send({ id: 4, method: 'tools/list', params: { _meta: toMeta() } });
    server.say({ id: 4, result: { tools: [], ttlMs: 5, cacheScope: 'public', _meta: { a: 1 } } });
    expect(client.result).toMatchObject({ ttlMs: 5, cacheScope: 'public', _meta: { a: 1 } });
  });

  it('word a missing resource as 2026 does', () => {
    const { server, client } = open();
    client.send({ id: 4, method: 'resources/read', params: { uri: 'a:b', _meta: toMeta() } });
    server.say({ id: 4, error: { code: -32_002, message: 'not found' } });
    expect(client.errorCode).toBe(-32_602);
  });

  it('that never come are told under the id of the client', () => {
    const { server, client } = open();
    client.send(toCall(0));
    const failure = { kind: 'lost', detail: 'it died' } as const;
    server.fail('tools/call', failure);
    expect(client.failures).toEqual([{ id: 0, failure }]);
  });
});

describe('a question of the server during a call', () => {
  it('is put in the answer, and the call goes on under the id of the retry', () => {
    const { server, client } = open();
    client.send(toCall(1, {}, { progressToken: 'p1' }));
    server.say({ id: 9, ...QUESTION });
    expect(client.result).toMatchObject({ resultType: 'input_required' });
    expect(Object.values(client.result['inputRequests'] as JsonObject)).toEqual([QUESTION]);
    const retry = toRetry(2, client);
    client.send({ ...retry, params: { ...(retry['params'] as JsonObject) } });
    expect(server.sent.at(-1)?.message).toMatchObject({ id: 9, result: YES });
    server.say({ id: 1, result: { content: [] } });
    expect(client.heard).toMatchObject({ id: 2, result: { resultType: 'complete' } });
    expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('has a handle that is good once', async () => {
    const { server, client } = open();
    client.send(toCall(1));
    server.say({ id: 9, ...QUESTION });
    const retry = toRetry(2, client);
    client.send(retry);
    client.send({ ...retry, id: 3 });
    await turn();
    expect(client.heard).toMatchObject({ id: 3, error: { code: -32_602 } });
  });

  it.each([
    ['other arguments', { arguments: { id: 'b' } }, ADA],
    ['another tool', { name: 'keep' }, ADA],
    ['another caller', {}, BOB],
    ['a made-up handle', { requestState: 'x' }, ADA],
    ['a handle that is no text', { requestState: 1 }, ADA],
  ])('has a handle that is no good for %s', async (_, more, caller) => {
    const { server, client } = open();
    client.send(toCall(1));
    server.say({ id: 9, ...QUESTION });
    const retry = toRetry(3, client);
    client.send(toRetry(2, client, more), caller);
    await turn();
    expect(client.heard).toMatchObject({ id: 2, error: { code: -32_602 } });
    client.send(retry);
    expect(server.sent.at(-1)?.message).toMatchObject({ id: 9, result: YES });
  });

  it('ends when nobody returns in time', async () => {
    const { server, client } = open();
    client.send(toCall(1));
    server.say({ id: 9, ...QUESTION });
    const retry = toRetry(2, client);
    vi.advanceTimersByTime(600_000);
    expect(server.sent.at(-2)?.message).toMatchObject({ id: 9, error: {} });
    expect(server.last('notifications/cancelled').params).toMatchObject({ requestId: 1 });
    client.send(retry);
    await turn();
    expect(client.errorCode).toBe(-32_602);
  });

  it('may be one of several, which are asked until all are answered', async () => {
    const { server, client } = open();
    client.send(toCall(1));
    server.say({ id: 8, ...QUESTION });
    server.say({ id: 9, ...QUESTION });
    client.send(toRetry(2, client));
    await turn();
    expect(client.heard).toMatchObject({ id: 2, result: { resultType: 'input_required' } });
    client.send(toCall(3, { requestState: stateOf(client) }));
    await turn();
    expect(client.heard).toMatchObject({ id: 3, result: { resultType: 'input_required' } });
    client.send(toRetry(4, client));
    const answered = server.sent.filter(({ message }) => message.method === undefined);
    expect(answered.map(({ message }) => message.id)).toEqual([8, 9]);
  });

  it('does not lose what the server says in the meantime', async () => {
    const { server, client } = open();
    client.send(toCall(1));
    server.say({ id: 9, ...QUESTION });
    const before = client.frames.length;
    const retry = toRetry(2, client);
    server.say({ id: 1, result: { content: [], isError: true } });
    expect(client.frames).toHaveLength(before);
    client.send(retry);
    await turn();
    expect(client.heard).toMatchObject({ id: 2, result: { isError: true } });
  });

  it('leaves the id of the first request to the client', () => {
    const { server, client } = open();
    client.send(toCall(1));
    server.say({ id: 9, ...QUESTION });
    client.send({ id: 1, method: 'tools/list', params: { _meta: toMeta() } });
    server.answer('tools/list', { result: { tools: [] } });
    expect(client.heard).toMatchObject({ id: 1, result: { tools: [] } });
  });

  it('is refused when the client has not declared it, or it cannot be told whose it is', () => {
    const { server, client } = open();
    client.send({ id: 1, method: 'tools/list', params: { _meta: toMeta(FORM) } });
    server.say({ id: 7, ...QUESTION });
    expect(server.sent.at(-1)?.message).toMatchObject({ id: 7, error: { code: -32_601 } });
    client.send(toCall(2));
    server.say({ id: 8, method: 'elicitation/create', params: { mode: 'url', url: 'a:b' } });
    expect(server.sent.at(-1)?.message).toMatchObject({ id: 8, error: { code: -32_601 } });
    client.send(toCall(3), BOB);
    server.say({ id: 9, ...QUESTION });
    expect(server.sent.at(-1)?.message).toMatchObject({ id: 9, error: { code: -32_601 } });
    server.say({ id: 10, ...QUESTION }, 3);
    expect(client.heard).toMatchObject({ id: 3, result: { resultType: 'input_required' } });
  });

  it('can be cancelled by the server, and the call by the client', () => {
    const { server, client } = open();
    client.send(toCall(1));
    server.say({ id: 9, ...QUESTION });
    const retry = toRetry(2, client);
    server.say({ method: 'notifications/cancelled', params: { requestId: 9 } });
    client.send(retry);
    expect(server.sent.filter(({ message }) => message.id === 9)).toEqual([]);
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    expect(server.last('notifications/cancelled').params).toEqual({ requestId: 1 });
  });

  it('is followed by progress under the token of the retry', () => {
    const { server, client } = open();
    client.send(toCall(1, {}, { progressToken: 'one' }));
    server.say({ id: 9, ...QUESTION });
    const { params } = toRetry(2, client);
    const progress = { method: 'notifications/progress', params: { progressToken: 'one' } };
    const before = client.frames.length;
    server.say(progress);
    expect(client.frames).toHaveLength(before);
    const _meta = toMeta(FORM, { progressToken: 'two' });
    client.send({ id: 2, method: 'tools/call', params: { ...(params as JsonObject), _meta } });
    server.say(progress);
    expect(client.heard['params']).toEqual({ progressToken: 'two' });
    expect(client.frames.at(-1)?.about).toBe(2);
  });
});

it('a server of 2025 that asks whether anybody is there is told so', () => {
  const { server } = open();
  server.say({ id: 9, method: 'ping' });
  expect(server.sent.at(-1)?.message).toMatchObject({ id: 9, result: {} });
});
