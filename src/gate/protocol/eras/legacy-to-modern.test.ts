import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScriptedChannel, ScriptedClient, turn } from '../../../../test/gate/scripted-channel.ts';
import type { JsonObject, RpcId } from '../frame.ts';
import { openEither } from './open-either.ts';

const QUESTION = { method: 'elicitation/create', params: { message: 'Sure?' } };
const CALL = { method: 'tools/call', params: { name: 'remove', arguments: { id: 'a' } } };
const INPUT = { resultType: 'input_required', inputRequests: { sure: QUESTION } };

function open(
  capabilities: JsonObject = { elicitation: {}, sampling: {} },
  serverCapabilities: JsonObject = { tools: {} },
): { server: ScriptedChannel; client: ScriptedClient } {
  const server = new ScriptedChannel();
  const options = { clientInfo: { name: 'gate', version: '1' } };
  const client = new ScriptedClient(openEither(server, options));
  const params = { protocolVersion: '1999-01-01', capabilities, clientInfo: { name: 'host' } };
  client.send({ id: 0, method: 'initialize', params });
  server.answer('initialize', { error: { code: -32_022, message: 'too old' } });
  const result = { supportedVersions: ['2026-07-28'], capabilities: serverCapabilities };
  server.answer('server/discover', { result });
  client.send({ method: 'notifications/initialized' });
  return { server, client };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a session of 2025 at a server of 2026', () => {
  it('is answered with a revision that is known, and never reaches the server', async () => {
    const { server, client } = open();
    expect(client.result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(client.result['serverInfo']).toHaveProperty('name');
    client.send({ id: 1, method: 'ping' });
    await turn();
    expect(client.heard).toMatchObject({ id: 1, result: {} });
    client.send({ method: 'notifications/roots/list_changed' });
    expect(server.methods).toEqual(['initialize', 'server/discover']);
  });

  it('gives every request what the client said, and the log level', () => {
    const { server, client } = open();
    client.send({ id: 1, method: 'logging/setLevel', params: { level: 'info' } });
    client.send('{"id":2,"method":"tools/call","params":{"name":"x","arguments":{"n":1.50}}}');
    expect(server.last('tools/call').params['_meta']).toEqual({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {} },
      'io.modelcontextprotocol/clientInfo': { name: 'host' },
      'io.modelcontextprotocol/logLevel': 'info',
    });
    expect(server.lines.at(-1)).toContain('"name":"x","arguments":{"n":1.50}}');
  });

  it('gets results without the word that they are complete', () => {
    const { server, client } = open();
    client.send({ id: 2, ...CALL });
    server.say('{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","n":1.50}}');
    expect(client.heard).toEqual({ jsonrpc: '2.0', id: 2, result: { n: 1.5 } });
    expect(Buffer.from(client.frames.at(-1)?.bytes ?? []).toString()).toContain('1.50');
  });
});

describe('a question of a server of 2026', () => {
  it('is sent as a request, and the call again with the answer and the state', () => {
    const { server, client } = open();
    client.send({ id: 2, ...CALL });
    server.say({ id: 2, result: { ...INPUT, requestState: 'state' } });
    expect(client.heard).toMatchObject(QUESTION);
    expect(client.frames.at(-1)?.about).toBe(2);
    client.send({ id: client.heard['id'] ?? null, result: { action: 'accept' } });
    const { id, params } = server.last('tools/call');
    expect(id).not.toBe(2);
    expect(params).toMatchObject({
      ...CALL.params,
      inputResponses: { sure: { action: 'accept' } },
      requestState: 'state',
    });
    server.answer('tools/call', { result: { resultType: 'complete', content: [] } });
    expect(client.heard).toEqual({ jsonrpc: '2.0', id: 2, result: { content: [] } });
  });

  it('is answered as left open when the client cannot show it', () => {
    const { server, client } = open();
    client.send({ id: 2, ...CALL });
    server.say({ id: 2, result: INPUT });
    client.send({ id: client.heard['id'] ?? null, error: { code: -1, message: 'no window' } });
    expect(server.last('tools/call').params['inputResponses']).toEqual({
      sure: { action: 'cancel' },
    });
  });

  it('ends the call when a model was asked for and the client failed', async () => {
    const { server, client } = open();
    client.send({ id: 2, ...CALL });
    const inputRequests = { a: { method: 'sampling/createMessage', params: {} } };
    server.say({ id: 2, result: { ...INPUT, inputRequests } });
    client.send({ id: client.heard['id'] ?? null, error: { code: -1, message: 'no model' } });
    await turn();
    expect(client.heard).toMatchObject({ id: 2, error: { code: -32_602 } });
    expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it.each([
    ['roots', { method: 'roots/list' }],
    ['pages', { method: 'elicitation/create', params: { mode: 'url', url: 'a:b' } }],
    ['anything', { method: 'files/delete' }],
  ])('is not sent to a client that has not declared it: %s', (_, question) => {
    const { server, client } = open();
    client.send({ id: 2, ...CALL });
    server.say({ id: 2, result: { ...INPUT, inputRequests: { a: question } } });
    expect(client.heard).toMatchObject({ id: 2, error: { code: -32_602 } });
  });

  it('gets the id that 2025 wants for a page to open', () => {
    const { server, client } = open({ elicitation: { url: {} } });
    client.send({ id: 2, ...CALL });
    const question = { method: 'elicitation/create', params: { mode: 'url', url: 'a:b' } };
    server.say({ id: 2, result: { ...INPUT, inputRequests: { a: question } } });
    expect(client.heard['params']).toHaveProperty('elicitationId');
  });

  it('is asked ten times and no more; one that only says later is waited for', () => {
    const { server, client } = open();
    client.send({ id: 2, ...CALL });
    const later = { result: { resultType: 'input_required', requestState: 's' } };
    for (let round = 0; round < 10; round += 1) {
      const before = server.sent.length;
      server.answer('tools/call', later);
      expect(server.sent).toHaveLength(before);
      vi.advanceTimersByTime(250);
      expect(server.last('tools/call').params).toMatchObject({ requestState: 's' });
    }
    server.answer('tools/call', later);
    expect(client.heard).toMatchObject({ id: 2, error: { code: -32_602 } });
  });

  it('is taken back when the client cancels the call', async () => {
    const { server, client } = open();
    client.send({ id: 2, ...CALL });
    server.say({ id: 2, result: INPUT });
    const { id = null } = client.heard;
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    await turn();
    expect(client.heard).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
    client.send({ id, result: { action: 'accept' } });
    expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('is not waited for once the client has cancelled', () => {
    const { server, client } = open();
    client.send({ id: 2, ...CALL });
    server.say({ id: 2, result: { resultType: 'input_required', requestState: 's' } });
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    vi.advanceTimersByTime(250);
    expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('leaves cancelling and failing under the id of the client', () => {
    const { server, client } = open();
    client.send({ id: 2, ...CALL });
    server.say({ id: 2, result: INPUT });
    client.send({ id: client.heard['id'] ?? null, result: { action: 'accept' } });
    const { id } = server.last('tools/call');
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    expect(server.last('notifications/cancelled').params).toEqual({ requestId: id });
    client.send({ id: 3, ...CALL });
    const failure = { kind: 'lost', detail: 'it died' } as const;
    server.fail('tools/call', failure);
    expect(client.failures).toEqual([{ id: 3, failure }]);
  });
});

describe('what a client of 2025 hears unasked', () => {
  const LISTS = { tools: { listChanged: true }, resources: { subscribe: true } };

  it('comes by one stream, which is opened anew before the old one ends', () => {
    const { server, client } = open({}, LISTS);
    const first = server.last('subscriptions/listen');
    expect(first.params['notifications']).toEqual({ toolsListChanged: true });
    const acknowledge = (id: RpcId): void => {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      server.say({ method: 'notifications/subscriptions/acknowledged', params: { _meta } });
    };
    acknowledge(first.id);
    client.send({ id: 5, method: 'resources/subscribe', params: { uri: 'a:b' } });
    const second = server.last('subscriptions/listen');
    expect(second.params['notifications']).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['a:b'],
    });
    expect(server.methods.at(-1)).toBe('subscriptions/listen');
    acknowledge(second.id);
    expect(server.last('notifications/cancelled').params).toEqual({ requestId: first.id });
    expect(client.heard).toMatchObject({ id: 5, result: {} });
    const before = client.frames.length;
    for (const { id } of [first, second]) {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      server.say({ method: 'notifications/tools/list_changed', params: { _meta } });
    }
    expect(client.frames).toHaveLength(before + 1);
    expect(client.heard['params']).toEqual({ _meta: {} });
  });

  it('is refused with the error of the server', () => {
    const { server, client } = open();
    client.send({ id: 5, method: 'resources/subscribe', params: { uri: 'a:b' } });
    server.answer('subscriptions/listen', { error: { code: -32_601, message: 'no' } });
    expect(client.heard).toMatchObject({ id: 5, error: { code: -32_601 } });
  });
});
