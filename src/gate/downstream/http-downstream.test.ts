/** Clients over HTTP, over real sockets, in front of a channel whose far end the test plays. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { messageIn, post } from '../../../test/support/post.ts';
import { staticTokens } from '../../serve/static-tokens.ts';
import type { Channel, Failure, Listener } from '../protocol/channel.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import type { RefusedMessage } from '../protocol/read-frame.ts';
import type { DownstreamCaller, HttpDownstreamOptions, HttpDownstream } from './http-downstream.ts';
import { openHttpDownstream } from './http-downstream.ts';

const open = new Set<AsyncDisposable>();

afterEach(async () => {
  for (const each of [...open].toReversed()) await each[Symbol.asyncDispose]();
  open.clear();
});

async function openTestDownstream(
  options: Partial<HttpDownstreamOptions> = {},
): Promise<HttpDownstream> {
  const downstream = await openHttpDownstream({
    principal: { id: 'local', scopes: [] },
    openSession: () => new FakeServer(),
    report: () => {},
    ...options,
  });
  open.add(downstream);
  return downstream;
}

/** The outside edge: a server whose answers the test decides on. By default it echoes. */
class FakeServer implements Channel {
  readonly received: Frame[] = [];
  isDisposed = false;
  readonly #answer: (frame: Frame, listener: Listener) => void;
  #listener: Listener | undefined;

  constructor(answer: (frame: Frame, listener: Listener) => void = echo) {
    this.#answer = answer;
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send(frame: Frame): void {
    this.received.push(frame);
    if (this.#listener !== undefined) this.#answer(frame, this.#listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true;
  }
}

function echo({ message }: Frame, listener: Listener): void {
  const { id, method, params } = message;
  if (id === undefined || id === null || method === undefined) return;
  const protocolVersion = params?.['protocolVersion'] ?? '2025-11-25';
  const result = method === 'initialize' ? { protocolVersion } : { echo: params ?? {} };
  setImmediate(() => listener.frame(toFrame({ jsonrpc: '2.0', id, result })));
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

function modern(
  method: string,
  params: JsonObject = {},
  id: RpcId = 1,
): [body: string, headers: Record<string, string>] {
  const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta: META, ...params } };
  const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  return [
    JSON.stringify(body),
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name },
  ];
}

const initialize = (protocolVersion = '2025-11-25'): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion } });

describe('what is let in', () => {
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

  it.each([
    [{ host: 'localhost:1234' }, 200],
    [{ host: '127.0.0.1' }, 200],
    [{ host: '[::1]:80' }, 200],
    [{ host: 'evil.example' }, 403],
    [{ host: '127.0.0.1.evil.example:80' }, 403],
    [{ host: 'localhost.evil.example' }, 403],
    [{ origin: 'http://localhost:3000' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'localhost', origin: 'http://localhost.evil.example' }, 403],
  ])('goes by Host and Origin: %j', async (headers, status) => {
    const { mcpUrl, url } = await openTestDownstream();
    expect((await post(mcpUrl, list, headers)).status).toBe(status);
    expect((await post(mcpUrl, list, headers)).status).toBe(status);
    expect((await post(`${url}/else`, list, headers)).status).toBe(status === 403 ? 403 : 404);
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32_700],
    ['{', 400, -32_700],
    [Buffer.from([0x22, 0xff, 0x22]), 400, -32_700],
    ['3', 400, -32_600],
    ['[]', 400, -32_600],
    [`[[${list}]]`, 400, -32_600],
    [`[${list},3]`, 400, -32_600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32_600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', 400, -32_600],
  ])('is one plain message: %s', async (body, status, code) => {
    const answer = await post((await openTestDownstream()).mcpUrl, body);
    expect([answer.status, messageIn(answer)]).toMatchObject([status, { error: { code } }]);
  });

  it('is JSON of bounded size', async () => {
    const { mcpUrl } = await openTestDownstream({ bodyLimit: 100 });
    expect((await post(mcpUrl, list, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(mcpUrl, list.padEnd(101))).status).toBe(413);
    for (const headers of [
      { 'content-type': 'application/json; charset=utf-7' },
      { 'content-type': 'application/json; Charset="utf-16le"' },
      { 'content-encoding': 'gzip' },
    ] as Record<string, string>[]) {
      expect((await post(mcpUrl, list, headers)).status).toBe(415);
    }
    const plain = {
      'content-type': 'application/json;charset=UTF-8',
      'content-encoding': 'identity',
    };
    expect((await post(mcpUrl, list, plain)).status).toBe(200);
    const chunked = { 'transfer-encoding': 'chunked' };
    expect((await post(mcpUrl, list.padEnd(101), chunked)).status).toBe(413);
    expect((await post(mcpUrl, list.padEnd(100))).status).toBe(200);
  });

  it('is nothing but POST without a session', async () => {
    const { mcpUrl } = await openTestDownstream();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      expect((await post(mcpUrl, '', {}, method)).status).toBe(405);
    }
  });

  it('hands other paths to others, behind the same checks', async () => {
    const { url } = await openTestDownstream({
      routes: (request, response) => {
        if (request.url !== '/approvals') return false;
        response.end('here');
        return true;
      },
    });
    expect((await post(`${url}/approvals`, '')).text).toBe('here');
    expect((await post(`${url}/approvals`, '', { host: 'evil.example' })).status).toBe(403);
    expect((await post(`${url}/none`, '')).status).toBe(404);
  });

  it('does not open to the world without tokens', async () => {
    await expect(openTestDownstream({ host: '0.0.0.0' })).rejects.toThrow(/this machine/);
  });
});

describe('who calls', () => {
  const authenticate = staticTokens([
    { token: 'of-ann', principal: { id: 'ann', tenant: 't', scopes: ['x'] } },
    { token: 'of-bob', principal: { id: 'bob', scopes: [] } },
  ]);
  const ann = { authorization: 'Bearer of-ann' };
  const bob = { authorization: 'Bearer of-bob' };

  async function openGuarded(): Promise<{ mcpUrl: string; servers: Map<string, FakeServer> }> {
    const servers = new Map<string, FakeServer>();
    const openSession = ({ principal, era }: DownstreamCaller) => {
      const server = new FakeServer();
      servers.set(`${era} ${principal.id}`, server);
      return server;
    };
    return { mcpUrl: (await openTestDownstream({ authenticate, openSession })).mcpUrl, servers };
  }

  it('must be known by a token, which goes no further', async () => {
    const { mcpUrl, servers } = await openGuarded();
    const [body, headers] = modern('tools/list');
    const nobody = await post(mcpUrl, body, headers);
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const wrong = await post(mcpUrl, body, { ...headers, authorization: 'Bearer guess' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers['www-authenticate']).toContain('invalid_token');
    const extra = { traceparent: '00-a', 'mcp-param-x': '1', cookie: 'c', 'x-other': 'o' };
    expect((await post(mcpUrl, body, { ...headers, ...ann, ...extra })).status).toBe(200);
    expect(servers.get('modern ann')?.received).toMatchObject([
      {
        caller: {
          principal: { id: 'ann' },
          session: 'principal:t/ann',
          via: 'mcp-http',
          headers: { traceparent: '00-a', 'mcp-param-x': '1', 'mcp-method': 'tools/list' },
        },
      },
    ]);
    const sent = JSON.stringify(servers.get('modern ann')?.received[0]?.caller);
    expect(sent).not.toMatch(/of-ann|cookie|x-other/);
  });

  it('shares a channel with nobody else', async () => {
    const { mcpUrl, servers } = await openGuarded();
    const [body, headers] = modern('tools/list');
    await post(mcpUrl, body, { ...headers, ...ann });
    await post(mcpUrl, body, { ...headers, ...bob });
    await post(mcpUrl, body, { ...headers, ...bob });
    expect(servers.get('modern ann')?.received).toHaveLength(1);
    expect(servers.get('modern bob')?.received).toHaveLength(2);
  });

  it('owns a session that nobody else can see', async () => {
    const { mcpUrl } = await openGuarded();
    const opened = await post(mcpUrl, initialize(), ann);
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect((await post(mcpUrl, list, { ...session, ...bob })).status).toBe(404);
    expect((await post(mcpUrl, '', { ...session, ...bob }, 'GET')).status).toBe(404);
    expect((await post(mcpUrl, '', { ...session, ...bob }, 'DELETE')).status).toBe(404);
    expect((await post(mcpUrl, list, { ...session, ...ann })).status).toBe(200);
    expect((await post(mcpUrl, list, { 'mcp-session-id': 'guess', ...ann })).status).toBe(404);
  });
});

describe('the modern era', () => {
  it('refuses headers that disagree with the body, and bodies without an envelope', async () => {
    const server = new FakeServer();
    const { mcpUrl } = await openTestDownstream({ openSession: () => server });
    const [body, headers] = modern('tools/call', { name: 'a' });
    const lying = await post(mcpUrl, body, { ...headers, 'mcp-name': 'b' });
    expect([lying.status, messageIn(lying)]).toMatchObject([
      400,
      { id: 1, error: { code: -32_020 } },
    ]);
    const bare = await post(mcpUrl, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers);
    expect([bare.status, messageIn(bare)]).toMatchObject([400, { error: { code: -32_602 } }]);
    expect(server.received).toEqual([]);
  });

  it('answers a thousand requests with the same id, each with its own answer', async () => {
    const { mcpUrl } = await openTestDownstream();
    const answers = await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const progressToken = 'same';
        const params = { name: `tool ${index}`, _meta: { ...META, progressToken } };
        const [body, headers] = modern('tools/call', params, 'same');
        return messageIn(await post(mcpUrl, body, headers));
      }),
    );
    answers.forEach((answer, index) => {
      expect(answer).toMatchObject({
        id: 'same',
        result: { echo: { name: `tool ${index}` } },
      });
    });
  });

  it('streams what comes before the answer, with ids and tokens put back', async () => {
    const server = new FakeServer(({ message }, listener) => {
      const token = message.params?.['_meta'] as JsonObject; // the test sends one
      const params = { progressToken: token['progressToken'] ?? null, progress: 1 };
      listener.frame(toFrame({ jsonrpc: '2.0', method: 'notifications/progress', params }));
      listener.frame(toFrame({ jsonrpc: '2.0', id: message.id ?? null, result: {} }));
    });
    const { mcpUrl } = await openTestDownstream({ openSession: () => server });
    const [body, headers] = modern('tools/call', {
      name: 'a',
      _meta: { ...META, progressToken: 'mine' },
    });
    const answer = await post(mcpUrl, body, headers);
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect([...answer.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data)).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"mine","progress":1}}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    ]);
    const plain = await post(mcpUrl, body, { ...headers, accept: 'application/json' });
    expect(messageIn(plain)).toMatchObject({ id: 1, result: {} });
  });

  it('keeps subscriptions of equal ids apart, also where only their id tells them', async () => {
    const KEY = 'io.modelcontextprotocol/subscriptionId';
    const heard: Frame[] = [];
    const server = new FakeServer((frame, listener) => {
      heard.push(frame);
      if (heard.length < 2) return;
      for (const { message } of heard) {
        const _meta = { [KEY]: message.id ?? null };
        const uri = message.params?.['uri'] ?? null;
        listener.frame(
          toFrame({ jsonrpc: '2.0', method: 'notifications/x', params: { uri, _meta } }),
        );
        listener.frame(toFrame({ jsonrpc: '2.0', id: message.id ?? null, result: { _meta } }));
      }
    });
    const { mcpUrl } = await openTestDownstream({ openSession: () => server });
    const listen = (uri: string) => post(mcpUrl, ...modern('subscriptions/listen', { uri }, 'id'));
    const answers = await Promise.all([listen('a'), listen('b')]);
    expect(answers.map(({ text }) => text.match(/^data: .*$/gm))).toEqual(
      ['a', 'b'].map((uri) => [
        `data: {"jsonrpc":"2.0","method":"notifications/x","params":{"uri":"${uri}","_meta":{"${KEY}":"id"}}}`,
        `data: {"jsonrpc":"2.0","id":"id","result":{"_meta":{"${KEY}":"id"}}}`,
      ]),
    );
  });

  it.each([
    [-32_601, 404],
    [-32_021, 400],
    [-32_022, 400],
    [-32_602, 200],
    [-32_603, 200],
    [5, 200],
  ])('shows the error %i as status %i', async (code, status) => {
    const openSession = () =>
      new FakeServer(({ message }, listener) => {
        const error = { code, message: 'no' };
        listener.frame(toFrame({ jsonrpc: '2.0', id: message.id ?? null, error }));
      });
    const { mcpUrl } = await openTestDownstream({ openSession });
    expect((await post(mcpUrl, ...modern('tools/list'))).status).toBe(status);
  });

  it.each<[Failure, number, string]>([
    [{ kind: 'lost', detail: 'It died' }, 502, 'server-stopped'],
    [{ kind: 'not-sent', detail: 'Nobody there' }, 503, 'unavailable'],
    [{ kind: 'refused', detail: 'Busy', retryAfterSeconds: 3 }, 503, 'unavailable'],
  ])('says what became of a request that failed: %j', async (failure, status, code) => {
    const openSession = () =>
      new FakeServer(({ message }, listener) => listener.failed(message.id ?? 0, failure));
    const { mcpUrl } = await openTestDownstream({ openSession });
    const answer = await post(mcpUrl, ...modern('tools/list'));
    expect([answer.status, messageIn(answer)]).toMatchObject([
      status,
      { id: 1, error: { code: -32_603, data: { code } } },
    ]);
    expect(answer.headers['retry-after']).toBe(failure.retryAfterSeconds?.toString());
  });

  it('gives a sign of life to a client that waits for long', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    open.add({ [Symbol.asyncDispose]: async () => void vi.useRealTimers() });
    const waiting: (() => void)[] = [];
    const server = new FakeServer((frame, listener) => {
      waiting.push(() => echo(frame, listener));
    });
    const { mcpUrl } = await openTestDownstream({ openSession: () => server });
    const slow = post(mcpUrl, ...modern('tools/list'));
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    vi.advanceTimersByTime(31_000);
    waiting[0]?.();
    const { text } = await slow;
    expect(text.match(/^: $/gm)).toHaveLength(2);
    expect(text).toContain('data: {"jsonrpc":"2.0","id":1,"result"');
  });

  it('takes a client that goes away for a cancel', async () => {
    const server = new FakeServer(() => {});
    const { mcpUrl } = await openTestDownstream({ openSession: () => server });
    const [body, headers] = modern('tools/call', { name: 'a' }, 'mine');
    const init = { 'content-type': 'application/json', ...headers };
    const signal = AbortSignal.timeout(100);
    const gone = fetch(mcpUrl, { method: 'POST', headers: init, body, signal });
    await expect(gone).rejects.toThrow(/abort|timeout/i);
    await expect.poll(() => server.received.length).toBe(2);
    expect(server.received[1]?.message).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: server.received[0]?.message.id },
    });
  });

  it('opens a new channel when the old one has ended, and closes one that idles', async () => {
    const servers: FakeServer[] = [];
    const { mcpUrl } = await openTestDownstream({
      sessionIdleMs: 50,
      openSession: () => {
        const server = new FakeServer((frame, listener) => {
          if (frame.message.method === 'end') listener.closed();
          else echo(frame, listener);
        });
        servers.push(server);
        return server;
      },
    });
    expect((await post(mcpUrl, ...modern('end'))).status).toBe(502);
    expect((await post(mcpUrl, ...modern('tools/list'))).status).toBe(200);
    expect(servers).toHaveLength(2);
    await expect.poll(() => servers[1]?.isDisposed).toBe(true);
  });
});

describe('the 2025 revisions', () => {
  it('serve a bare curl, and let go of its channel', async () => {
    const server = new FakeServer();
    const { mcpUrl } = await openTestDownstream({ openSession: () => server });
    const answer = await post(mcpUrl, '{"jsonrpc":"2.0","id":7,"method":"tools/list"}');
    expect([answer.status, messageIn(answer)]).toMatchObject([200, { id: 7, result: {} }]);
    await expect.poll(() => server.isDisposed).toBe(true);
  });

  it('take several messages in one only where the revision has it', async () => {
    const { mcpUrl } = await openTestDownstream();
    const batch = JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'a' },
      { jsonrpc: '2.0', id: 2, method: 'b' },
      { jsonrpc: '2.0', method: 'notifications/x' },
    ]);
    for (const [version, status] of [
      ['2025-03-26', 200],
      ['2025-06-18', 400],
    ] as const) {
      const opened = await post(mcpUrl, initialize(version));
      const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
      const answer = await post(mcpUrl, batch, session);
      const isTaken = answer.status === 200;
      expect(answer.status).toBe(status);
      expect(answer.text.match(/"id":[12]/g)).toEqual(isTaken ? ['"id":1', '"id":2'] : null);
    }
  });

  it('keep what the server says until there is a stream for it', async () => {
    const asking = toFrame({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
    const server = new FakeServer((frame, listener) => {
      if (frame.message.method === 'notifications/initialized') listener.frame(asking);
      echo(frame, listener);
    });
    const { mcpUrl } = await openTestDownstream({ openSession: () => server });
    const opened = await post(mcpUrl, initialize());
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    expect((await post(mcpUrl, initialized, session)).status).toBe(202);
    const stream = await fetch(mcpUrl, { headers: { ...session, accept: 'text/event-stream' } });
    const reader = stream.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString('utf8')).toContain('"roots/list"');
    const reply = '{"jsonrpc":"2.0","id":"q","result":{"roots":[]}}';
    expect((await post(mcpUrl, reply, session)).status).toBe(202);
    expect(server.received.at(-1)?.message).toMatchObject({ id: 'q', result: { roots: [] } });
    await reader?.cancel();
  });

  it('put a question on the stream of the call that it is about, else of the last one', async () => {
    const calls: Frame[] = [];
    const server = new FakeServer((frame, listener) => {
      if (frame.message.method !== 'slow') echo(frame, listener);
      else if (calls.push(frame) === 2) {
        const ask = (question: string) => ({ jsonrpc: '2.0', id: question, method: 'ping' });
        listener.frame(toFrame(ask('about the first'), calls[0]?.message.id ?? 0));
        listener.frame(toFrame(ask('about nothing')));
        for (const call of calls) echo(call, listener);
      }
    });
    const { mcpUrl } = await openTestDownstream({ openSession: () => server });
    const opened = await post(mcpUrl, initialize());
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const first = post(mcpUrl, '{"jsonrpc":"2.0","id":1,"method":"slow"}', session);
    await expect.poll(() => calls.length).toBe(1);
    const second = post(mcpUrl, '{"jsonrpc":"2.0","id":2,"method":"slow"}', session);
    expect((await first).text).toContain('about the first');
    expect((await second).text).toContain('about nothing');
  });

  it('refuse a second request under an id that is in use', async () => {
    const server = new FakeServer((frame, listener) => {
      if (frame.message.method !== 'slow') echo(frame, listener);
    });
    const { mcpUrl } = await openTestDownstream({ openSession: () => server });
    const opened = await post(mcpUrl, initialize());
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const slow = post(mcpUrl, '{"jsonrpc":"2.0","id":1,"method":"slow"}', session);
    await expect.poll(() => server.received.length).toBe(2);
    const twice = await post(mcpUrl, '{"jsonrpc":"2.0","id":1,"method":"a"}', session);
    expect(twice.status).toBe(400);
    expect((await post(mcpUrl, '', session, 'DELETE')).status).toBe(200);
    expect((await slow).status).toBe(502);
  });

  it.each(['with', 'without'])(
    'tell of a call in a body that is too large, %s its length',
    async (kind) => {
      const refused: RefusedMessage[] = [];
      const { mcpUrl } = await openTestDownstream({
        bodyLimit: 70_000,
        refused: (message) => refused.push(message),
      });
      const text = 'x'.repeat(200_000);
      const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"text":"${text}"}}}`;
      const chunks = call.match(/.{1,50000}/g) ?? [];
      const body =
        kind === 'with' ? call : ReadableStream.from(chunks.map((each) => Buffer.from(each)));
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const answer = await fetch(mcpUrl, { method: 'POST', headers, body, duplex: 'half' });
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ id: 7 });
      expect(refused).toMatchObject([{ calls: ['add'] }]);
    },
  );

  it('are bounded in number and closed when they idle', async () => {
    const { mcpUrl } = await openTestDownstream({ sessionIdleMs: 50, sessionLimit: 1 });
    expect((await post(mcpUrl, initialize())).status).toBe(200);
    expect((await post(mcpUrl, initialize())).status).toBe(503);
    await expect.poll(async () => (await post(mcpUrl, initialize())).status).toBe(200);
  });

  it('are bounded for each caller, who is told when to try again', async () => {
    const { mcpUrl } = await openTestDownstream();
    const statuses: number[] = [];
    for (let opened = 0; opened < 11; opened += 1) {
      statuses.push((await post(mcpUrl, initialize())).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    const refused = await post(mcpUrl, initialize());
    expect(refused.headers['retry-after']).toBe('30');
    expect(messageIn(refused)).toMatchObject({ error: { data: { code: 'rate-limited' } } });
  });

  it('make room for the next ones of a caller whose programs end without a word', async () => {
    const { mcpUrl } = await openTestDownstream();
    for (let opened = 0; opened < 10; opened += 1) {
      const { headers } = await post(mcpUrl, initialize());
      const control = new AbortController();
      const listening = await fetch(mcpUrl, {
        headers: {
          accept: 'text/event-stream',
          'mcp-session-id': String(headers['mcp-session-id']),
        },
        signal: control.signal,
      });
      expect(listening.status).toBe(200);
      control.abort();
    }
    await expect
      .poll(async () => (await post(mcpUrl, initialize())).status, { timeout: 10_000 })
      .toBe(200);
  });

  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

  it('refuse a header that repeats something else than the message', async () => {
    const { mcpUrl } = await openTestDownstream();
    for (const headers of [{ 'mcp-method': 'tools/call' }, { 'mcp-name': 'x' }] as Record<
      string,
      string
    >[]) {
      expect((await post(mcpUrl, PING, headers)).status).toBe(400);
    }
  });

  it('tell that a channel could not be opened', async () => {
    const causes: unknown[] = [];
    const { mcpUrl } = await openTestDownstream({
      openSession: () => Promise.reject(new Error('no such command')),
      report: (_, cause) => void causes.push(cause),
    });
    const answer = await post(mcpUrl, initialize());
    expect([answer.status, causes.length]).toEqual([503, 1]);
    expect(answer.text).not.toContain('no such command');
  });
});
