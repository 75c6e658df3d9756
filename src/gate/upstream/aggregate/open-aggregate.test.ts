import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ScriptedChannel,
  ScriptedClient,
  toLine,
  toMeta,
} from '../../../../test/gate/scripted-channel.ts';
import type { JsonObject } from '../../protocol/frame.ts';
import { openAggregate } from './open-aggregate.ts';
import { checkServerNames, fromPrefixed, toPrefixed } from './names.ts';

const INFO = { name: 'plimsoll', version: '1.2.3' };

const INITIALIZE = { id: 'i', method: 'initialize', params: { protocolVersion: '2025-11-25' } };
const ALL = { tools: {}, prompts: {}, resources: {}, logging: {} };

interface Opened {
  readonly a: ScriptedChannel;
  readonly b: ScriptedChannel;
  readonly client: ScriptedClient;
  readonly reports: string[];
}

function open(): Opened {
  const [a, b] = [new ScriptedChannel(), new ScriptedChannel()];
  const reports: string[] = [];
  const servers = [
    { name: 'a', channel: a },
    { name: 'b', channel: b },
  ];
  const options = {
    info: INFO,
    report: (message: string) => reports.push(message),
    timeoutMs: 100,
  };
  return { a, b, client: new ScriptedClient(openAggregate(servers, options)), reports };
}

function toHello(capabilities: JsonObject = ALL): JsonObject {
  return { result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's' } } };
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

async function begin(opened: Opened): Promise<void> {
  opened.client.send(INITIALIZE);
  opened.a.answer('initialize', toHello());
  opened.b.answer('initialize', toHello());
  await settle();
  opened.client.send({ method: 'notifications/initialized' });
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('calls through the aggregate', () => {
  it('go to the server of the prefix, with no byte of the arguments changed', async () => {
    const opened = open();
    await begin(opened);
    const { a, b, client } = opened;
    const rest = '"arguments": {"n":1.50,"e":"\\u0041"},"_meta":{"progressToken":7}';
    client.send(
      `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"b__t", ${rest}}}`,
    );
    const { id } = b.last('tools/call');
    expect(b.lines.at(-1)).toBe(
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t", ${rest}}}`,
    );
    expect(a.methods).not.toContain('tools/call');
    b.say(`{"jsonrpc":"2.0","id":${id},"result":{"n":1.50,"own": true}}`);
    expect(toLine(client.frames.at(-1) ?? { bytes: Buffer.from(''), message: {} })).toBe(
      '{"jsonrpc":"2.0","id":"x","result":{"n":1.50,"own": true}}',
    );
  });

  it('to nobody are refused', async () => {
    const opened = open();
    await begin(opened);
    for (const name of ['t', 'c__t', 'A__t', '']) {
      opened.client.send({ id: name, method: 'tools/call', params: { name } });
      await settle();
      expect(opened.client.heard).toMatchObject({ id: name, error: { code: -32_602 } });
    }
  });

  it('are answered by nobody else, even if a server writes two ids', async () => {
    const opened = open();
    await begin(opened);
    const { a, b, client } = opened;
    client.send({ id: 1, method: 'tools/call', params: { name: 'a__t' } });
    client.send({ id: 2, method: 'tools/call', params: { name: 'b__t' } });
    const { id } = b.last('tools/call');
    const before = client.frames.length;
    b.say({ id: 77, result: {} });
    expect(client.frames).toHaveLength(before);
    b.say(`{"jsonrpc":"2.0","id":1,"result":{},"id":${id}}`);
    expect(client.heard['id']).toBe(2);
    expect(a.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('are cancelled where they run, and fail under the id of the client', async () => {
    const opened = open();
    await begin(opened);
    const { a, b, client } = opened;
    client.send({ id: 1, method: 'tools/call', params: { name: 'b__t' } });
    const { id } = b.last('tools/call');
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(b.last('notifications/cancelled').params).toEqual({ requestId: id });
    expect(a.methods).not.toContain('notifications/cancelled');
    client.send({ id: 2, method: 'tools/call', params: { name: 'a__t' } });
    const failure = { kind: 'lost', detail: 'it died' } as const;
    a.fail('tools/call', failure);
    expect(client.failures).toEqual([{ id: 2, failure }]);
  });

  it('of a method that only some know reach whoever does', async () => {
    const opened = open();
    await begin(opened);
    const { a, b, client } = opened;
    client.send({ id: 1, method: 'own/method', params: { taskId: 't' } });
    a.answer('own/method', { error: { code: -32_601, message: 'no' } });
    await settle();
    b.answer('own/method', { result: { own: true } });
    await settle();
    expect(client.heard).toMatchObject({ id: 1, result: { own: true } });
  });
});

describe('lists through the aggregate', () => {
  const LIST = { id: 1, method: 'tools/list', params: { _meta: toMeta() } };

  it('hold all pages of all servers, and are not made anew without a change', async () => {
    const { a, b, client } = open();
    const answerAll = async (id: number, last: string): Promise<void> => {
      client.send({ ...LIST, id });
      a.answer('tools/list', { result: { tools: [{ name: 'x' }], nextCursor: 'more' } });
      b.answer('tools/list', { result: { tools: [{ name: 'z' }], ttlMs: 5 } });
      await settle();
      expect(a.last('tools/list').params).toMatchObject({ cursor: 'more' });
      a.answer('tools/list', { result: { tools: [{ name: last }] } });
      await settle();
    };
    await answerAll(1, 'y');
    expect(client.result).toMatchObject({
      tools: [{ name: 'a__x' }, { name: 'a__y' }, { name: 'b__z' }],
      cacheScope: 'private',
    });
    const first = client.frames.at(-1)?.message.result;
    await answerAll(2, 'y');
    expect(client.heard['id']).toBe(2);
    expect(client.frames.at(-1)?.message.result).toBe(first);
    await answerAll(3, 'w');
    expect(client.result).toMatchObject({ tools: [{}, { name: 'a__w' }, {}] });
  });

  it('come without a server that fails or is silent, and it is reported once', async () => {
    const { a, b, client, reports } = open();
    for (const id of [1, 2]) {
      client.send({ ...LIST, id });
      b.answer('tools/list', { result: { tools: [{ name: 'z' }] } });
      await vi.advanceTimersByTimeAsync(100);
      expect(client.result).toMatchObject({ tools: [{ name: 'b__z' }] });
    }
    expect(reports).toHaveLength(1);
    client.send({ ...LIST, id: 3 });
    a.answer('tools/list', { error: { code: -32_601, message: 'no tools' } });
    b.answer('tools/list', { result: { tools: [] } });
    await settle();
    expect(client.heard['id']).toBe(3);
    expect(reports).toHaveLength(1);
  });

  it('end with a server that sends round in a circle', async () => {
    const { a, b, client } = open();
    client.send(LIST);
    b.answer('tools/list', { result: { tools: [] } });
    for (let page = 0; page < 2; page += 1) {
      a.answer('tools/list', { result: { tools: [{ name: `t${page}` }], nextCursor: 'same' } });
      await settle();
    }
    expect(client.result).toMatchObject({ tools: [{ name: 'a__t0' }, { name: 'a__t1' }] });
  });

  it('tell who has a resource; what nobody lists is tried at each', async () => {
    const opened = open();
    await begin(opened);
    const { a, b, client } = opened;
    client.send({ id: 1, method: 'resources/list' });
    a.answer('resources/list', { result: { resources: [{ uri: 'a:1' }] } });
    b.answer('resources/list', { result: { resources: [{ uri: 'b:1' }] } });
    client.send({ id: 2, method: 'resources/templates/list' });
    a.answer('resources/templates/list', { result: { resourceTemplates: [] } });
    const template = { uriTemplate: 'note://b/{id}' };
    b.answer('resources/templates/list', { result: { resourceTemplates: [template] } });
    await settle();
    for (const uri of ['b:1', 'note://b/7']) {
      client.send({ id: uri, method: 'resources/read', params: { uri } });
      expect(b.last('resources/read').params).toEqual({ uri });
    }
    const ref = { type: 'ref/resource', uri: 'note://b/{id}' };
    client.send({ id: 3, method: 'completion/complete', params: { ref } });
    expect(b.methods.at(-1)).toBe('completion/complete');
    expect(a.methods).not.toContain('resources/read');
    client.send({ id: 4, method: 'resources/read', params: { uri: 'c:1' } });
    a.answer('resources/read', { error: { code: -32_002, message: 'no' } });
    await settle();
    b.answer('resources/read', { result: { contents: [] } });
    await settle();
    expect(client.heard).toMatchObject({ id: 4, result: { contents: [] } });
  });
});

describe('servers behind the aggregate', () => {
  it('that do not come up are left out, and join when they do', async () => {
    const { a, b, client, reports } = open();
    client.send(INITIALIZE);
    a.answer('initialize', toHello());
    await vi.advanceTimersByTimeAsync(100);
    // What joins later changes the lists, so the client is promised to hear of it.
    expect(client.heard).toMatchObject({
      id: 'i',
      result: {
        serverInfo: { name: 'plimsoll' },
        capabilities: { tools: { listChanged: true } },
      },
    });
    expect(reports[0]).toContain('b is left out');
    client.send({ method: 'notifications/initialized' });
    client.send({ id: 1, method: 'tools/call', params: { name: 'b__t' } });
    await settle();
    expect(client.failures).toMatchObject([{ id: 1, failure: { kind: 'not-sent' } }]);
    b.answer('initialize', toHello({ tools: {} }));
    expect(b.methods).toEqual(['initialize', 'notifications/initialized']);
    expect(client.heard['method']).toBe('notifications/tools/list_changed');
    client.send({ id: 2, method: 'tools/call', params: { name: 'b__t' } });
    expect(b.methods.at(-1)).toBe('tools/call');
  });

  it('ask the client under ids that do not clash, and get their own answers', async () => {
    const opened = open();
    await begin(opened);
    const { a, b, client } = opened;
    a.say({ id: 1, method: 'roots/list' });
    const forA = client.heard['id'] ?? null;
    b.say('{"jsonrpc":"2.0","id":9,"method":"roots/list","id":1}');
    const forB = client.heard['id'] ?? null;
    expect(forB).not.toBe(forA);
    client.send({ id: forB, result: { roots: ['b'] } });
    client.send({ id: forA, result: { roots: ['a'] } });
    expect(a.sent.at(-1)?.message).toMatchObject({ id: 1, result: { roots: ['a'] } });
    expect(b.sent.at(-1)?.message).toMatchObject({ id: 1, result: { roots: ['b'] } });
    const count = a.sent.length;
    client.send({ id: forA, result: {} });
    expect(a.sent).toHaveLength(count);
  });

  it('end one by one; what they were asked fails, and the rest goes on', async () => {
    const opened = open();
    await begin(opened);
    const { a, b, client } = opened;
    client.send({ id: 1, method: 'tools/call', params: { name: 'a__t' } });
    await a[Symbol.asyncDispose]();
    expect(client.failures).toMatchObject([{ id: 1, failure: { kind: 'lost' } }]);
    expect(client.isClosed).toBe(false);
    client.send({ id: 2, method: 'tools/call', params: { name: 'b__t' } });
    expect(b.methods.at(-1)).toBe('tools/call');
    await b[Symbol.asyncDispose]();
    expect(client.isClosed).toBe(true);
  });

  it('are reported when they end by themselves, not when the gate stops them', async () => {
    const reports: string[] = [];
    const report = (message: string): unknown => reports.push(message);
    const [a, b] = [new ScriptedChannel(), new ScriptedChannel()];
    const servers = [
      { name: 'a', channel: a },
      { name: 'b', channel: b },
    ];
    const aggregate = openAggregate(servers, { info: INFO, report });
    const client = new ScriptedClient(aggregate);
    await a[Symbol.asyncDispose]();
    expect(reports).toEqual(['a has ended']);
    await aggregate[Symbol.asyncDispose]();
    expect(client.isClosed).toBe(true);
    expect(reports).toEqual(['a has ended']);
  });

  it('all hear what the client announces', async () => {
    const opened = open();
    await begin(opened);
    const frame = opened.client.send({ method: 'notifications/roots/list_changed' });
    for (const server of [opened.a, opened.b]) expect(server.sent.at(-1)).toBe(frame);
    opened.client.send({ id: 1, method: 'logging/setLevel', params: { level: 'info' } });
    for (const server of [opened.a, opened.b]) server.answer('logging/setLevel', { result: {} });
    await settle();
    expect(opened.client.heard).toMatchObject({ id: 1, result: {} });
  });

  it('with bad or equal names are left out from the start', () => {
    const reports: string[] = [];
    const channels = [new ScriptedChannel(), new ScriptedChannel(), new ScriptedChannel()];
    const [good, bad, same] = channels.map((channel) => channel);
    if (good === undefined || bad === undefined || same === undefined) throw new Error('none');
    const servers = [
      { name: 'git', channel: good },
      { name: 'a__b', channel: bad },
      { name: 'GIT', channel: same },
    ];
    const aggregate = openAggregate(servers, {
      info: INFO,
      report: (message) => reports.push(message),
    });
    new ScriptedClient(aggregate).send(INITIALIZE);
    expect(reports).toHaveLength(2);
    expect(channels.map(({ sent }) => sent.length)).toEqual([1, 0, 0]);
  });
});

describe('subscriptions through the aggregate', () => {
  const LISTEN = {
    id: 'l',
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: toMeta() },
  };

  function tell(server: ScriptedChannel, method: string, params: JsonObject = {}): void {
    const { id } = server.last('subscriptions/listen');
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    server.say({ method, params: { ...params, _meta } });
  }

  it('are acknowledged first, when all servers have, and carry the id of the client', () => {
    const { a, b, client } = open();
    client.send(LISTEN);
    const notifications = { toolsListChanged: true };
    tell(a, 'notifications/subscriptions/acknowledged', { notifications });
    tell(a, 'notifications/tools/list_changed');
    expect(client.frames).toEqual([]);
    tell(b, 'notifications/subscriptions/acknowledged', { notifications: {} });
    expect(client.frames.map(({ message }) => message.method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]);
    expect(client.frames[0]?.message.params).toMatchObject({ notifications });
    expect(client.heard['params']).toEqual({
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' },
    });
  });

  it('end when all servers have ended them, or the client ends them', async () => {
    const { a, b, client } = open();
    client.send(LISTEN);
    a.answer('subscriptions/listen', { result: {} });
    expect(client.frames).toEqual([]);
    b.answer('subscriptions/listen', { error: { code: -32_601, message: 'no' } });
    expect(client.heard).toMatchObject({ id: 'l', result: { resultType: 'complete' } });
    client.send({ ...LISTEN, id: 'm' });
    const { id } = a.last('subscriptions/listen');
    client.send({ method: 'notifications/cancelled', params: { requestId: 'm' } });
    expect(a.last('notifications/cancelled').params).toEqual({ requestId: id });
    const before = client.frames.length;
    tell(a, 'notifications/tools/list_changed');
    await vi.advanceTimersByTimeAsync(100);
    expect(client.frames).toHaveLength(before);
  });
});

describe('names behind the aggregate', () => {
  it('can be taken apart again, whatever the tool is called', () => {
    for (const name of ['a', '__a', 'a__b', '_']) {
      expect(fromPrefixed(toPrefixed('my-server', name) ?? '')).toEqual({
        server: 'my-server',
        name,
      });
    }
    expect(fromPrefixed('plain')).toBeUndefined();
    expect(fromPrefixed('__plain')).toBeUndefined();
  });

  it('are not made too long', () => {
    expect(toPrefixed('s', 'x'.repeat(125))).toHaveLength(128);
    expect(toPrefixed('s', 'x'.repeat(126))).toBeUndefined();
  });

  it('of servers are letters, digits, hyphens and single underscores, and differ', () => {
    expect(checkServerNames(['a', 'GitHub-2'])).toEqual([]);
    const bad = ['', 'a__b', '_a', 'a_', 'a b', 'x'.repeat(33), 'é'];
    expect(checkServerNames(bad).map(({ code }) => code)).toEqual(bad.map(() => 'invalid-name'));
    expect(checkServerNames(['git', 'Git'])).toMatchObject([
      { code: 'name-collision', server: 'Git' },
    ]);
  });
});
