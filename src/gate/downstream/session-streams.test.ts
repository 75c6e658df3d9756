/** Sessions of the 2025 revisions over real sockets that break: nothing that was said is lost with them. */
import type { ClientRequest } from 'node:http';
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedChannel } from '../../../test/gate/scripted-channel.ts';
import type { Answered } from '../../../test/support/post.ts';
import { messageIn, post } from '../../../test/support/post.ts';
import { INTERNAL } from '../protocol/frame.ts';
import type { HttpDownstreamOptions } from './http-downstream.ts';
import { openHttpDownstream } from './http-downstream.ts';

const open = new Set<AsyncDisposable>();

afterEach(async () => {
  for (const each of [...open].toReversed()) await each[Symbol.asyncDispose]();
  open.clear();
});

const ACCEPT = 'application/json, text/event-stream';

/** A response that is read while it comes, and can be cut off. */
class Connection {
  text = '';
  isOver = false;
  readonly #request: ClientRequest;

  constructor(url: string, headers: Readonly<Record<string, string>>, body?: string) {
    const type = { 'content-type': 'application/json', accept: ACCEPT };
    const method = body === undefined ? 'GET' : 'POST';
    this.#request = request(url, { method, headers: { ...type, ...headers } });
    this.#request.on('error', () => {});
    this.#request.once('response', (response) => {
      response.on('data', (chunk: Buffer) => (this.text += chunk.toString('utf8')));
      response.once('end', () => (this.isOver = true));
      response.on('error', () => {});
    });
    this.#request.end(body);
  }

  get lastId(): string {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
  }

  /** The messages, in their order. */
  get data(): readonly unknown[] {
    const lines = [...this.text.matchAll(/^data: (.+)$/gm)];
    return lines.map(([, data = '']) => JSON.parse(data) as unknown);
  }

  cut(): void {
    this.#request.destroy();
  }
}

interface Opened {
  readonly url: string;
  readonly server: ScriptedChannel;
  readonly session: Readonly<Record<string, string>>;
  readonly call: (id: number) => Connection;
  readonly get: (lastEventId?: string) => Connection;
}

async function begin(
  version = '2025-11-25',
  options: Partial<HttpDownstreamOptions> = {},
  saysEvents = false,
): Promise<Opened> {
  const server = new ScriptedChannel();
  server.saysEvents = saysEvents;
  const downstream = await openHttpDownstream({
    principal: { id: 'local', scopes: [] },
    openSession: () => server,
    report: () => {},
    ...options,
  });
  open.add(downstream);
  const url = downstream.mcpUrl;
  const params = { protocolVersion: version };
  const hello = post(url, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  await expect.poll(() => server.methods).toContain('initialize');
  server.answer('initialize', { result: params });
  const session = { 'mcp-session-id': String((await hello).headers['mcp-session-id']) };
  return {
    url,
    server,
    session,
    call: (id) => new Connection(url, session, toCall(id)),
    get: (last) => new Connection(url, { ...session, ...(last && { 'last-event-id': last }) }),
  };
}

function toCall(id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow' } });
}

function toLog(data: string): { readonly method: string; readonly params: { data: string } } {
  return { method: 'notifications/message', params: { data } };
}

describe('a connection that breaks', () => {
  it('loses neither the answer nor what came before it', async () => {
    const { server, call, get } = await begin();
    const first = call(1);
    await expect.poll(() => first.text).toMatch(/^id: 2-\d+\nretry: \d+\ndata: \n\n$/);
    server.say(toLog('read'), 1);
    await expect.poll(() => first.data).toMatchObject([{ params: { data: 'read' } }]);
    first.cut();
    server.say(toLog('missed'), 1);
    server.answer('tools/call', { result: { done: true } });
    for (const _ of ['once', 'and once more']) {
      const second = get(first.lastId);
      await expect.poll(() => second.isOver).toBe(true);
      expect(second.data).toMatchObject([
        { params: { data: 'missed' } },
        { id: 1, result: { done: true } },
      ]);
    }
  });

  it('keeps an answer that is larger than all that is kept otherwise', async () => {
    const { server, call, get } = await begin('2025-11-25', { replayBytes: 1000 });
    const first = call(1);
    await expect.poll(() => first.lastId).not.toBe('');
    first.cut();
    server.answer('tools/call', { result: { text: 'x'.repeat(100_000) } });
    const second = get(first.lastId);
    await expect.poll(() => second.isOver).toBe(true);
    expect(second.data).toMatchObject([{ id: 1, result: { text: 'x'.repeat(100_000) } }]);
  });

  it('loses nothing either when only the priming event arrived', async () => {
    const { server, call, get } = await begin();
    const first = call(1);
    await expect.poll(() => server.methods.length).toBe(2);
    server.say(toLog('at once'), 1);
    await expect.poll(() => first.data).toHaveLength(1);
    const [primed = ''] = [...first.text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
    first.cut();
    server.answer('tools/call', { result: { done: true } });
    const second = get(primed);
    await expect.poll(() => second.isOver).toBe(true);
    expect(second.data).toMatchObject([
      { params: { data: 'at once' } },
      { result: { done: true } },
    ]);
  });

  it('can be taken up before the answer is there', async () => {
    const { server, call, get } = await begin();
    const first = call(1);
    await expect.poll(() => first.lastId).not.toBe('');
    first.cut();
    const second = get(first.lastId);
    await expect.poll(() => server.methods.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    server.answer('tools/call', { result: {} });
    await expect.poll(() => second.data).toMatchObject([{ id: 1, result: {} }]);
    expect(server.methods).toEqual(['initialize', 'tools/call']);
  });

  it('on the stream for what belongs to no request loses nothing either', async () => {
    const { server, get } = await begin();
    const first = get();
    await expect.poll(() => first.lastId).not.toBe('');
    server.say({ method: 'notifications/tools/list_changed' });
    await expect.poll(() => first.data.length).toBe(1);
    const { lastId } = first;
    first.cut();
    server.say({ method: 'notifications/prompts/list_changed' });
    const second = get(lastId);
    await expect
      .poll(() => second.data)
      .toMatchObject([{ method: 'notifications/prompts/list_changed' }]);
  });

  it('is taken up by an id of this session only', async () => {
    const { url, session } = await begin();
    for (const id of ['77-1', 'nonsense', '1-1']) {
      const answer = await post(url, '', { ...session, 'last-event-id': id }, 'GET');
      expect(answer.status).toBe(400);
    }
  });

  it('is not primed where clients cannot read it', async () => {
    const { server, call } = await begin('2025-06-18');
    const old = call(1);
    await expect.poll(() => server.methods.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(old.text).toBe('');
    server.say(toLog('first'), 1);
    await expect.poll(() => old.text).toMatch(/^id: 2-\d+\nevent: message\ndata: /);
    server.answer('tools/call', { result: {} });
    await expect.poll(() => old.isOver).toBe(true);
  });
});

describe('an answer that comes at once', () => {
  it.each(['2025-06-18', '2025-11-25'])('is JSON and no stream, in %s', async (version) => {
    const { url, server, session } = await begin(version);
    const answer = post(url, toCall(1), { ...session, accept: ACCEPT });
    // Before the time is over after which a stream begins.
    server.send = () => void server.say({ id: 1, result: { done: true } });
    const { headers, text } = await answer;
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { done: true } });
  });

  it('is JSON in older revisions, however the server itself answers', async () => {
    const { url, server, session } = await begin('2025-06-18', {}, true);
    const answer = post(url, toCall(1), { ...session, accept: ACCEPT });
    server.send = () => void server.say({ id: 1, result: { done: true } });
    expect((await answer).headers['content-type']).toBe('application/json');
  });

  it('is an event where the server itself answers with events', async () => {
    const { url, server, session } = await begin('2025-11-25', {}, true);
    const answer = post(url, toCall(1), { ...session, accept: ACCEPT });
    server.send = () => void server.say({ id: 1, result: { done: true } });
    const { headers, text } = await answer;
    expect(headers['content-type']).toBe('text/event-stream');
    expect(text).toMatch(/^event: message\ndata: \{.*"done":true.*\}\n\n$/);
  });
});

describe('a server that closes the stream of a call', () => {
  it('lets its client poll, and the client hears nothing of how that is done', async () => {
    const { server, call, get } = await begin();
    const first = call(1);
    await expect.poll(() => server.methods.length).toBe(2);
    server.say({ method: INTERNAL.streamClosed, params: { retryMs: 70 } }, 1);
    await expect.poll(() => first.isOver).toBe(true);
    expect(first.text).toMatch(/^id: 2-\d+\nretry: 70\ndata: \n\n$/);
    server.answer('tools/call', { result: {} });
    const second = get(first.lastId);
    await expect.poll(() => second.data).toMatchObject([{ id: 1, result: {} }]);
  });
});

describe('a batch', () => {
  it('is answered in full when its client comes back after it was given up', async () => {
    const { url, server, session, get } = await begin('2025-03-26', { graceMs: 30 });
    const calls = [1, 2, 3].map((id) => JSON.parse(toCall(id)) as unknown);
    const first = new Connection(url, session, JSON.stringify(calls));
    await expect.poll(() => server.methods.length).toBe(4);
    server.say(toLog('first'), 1);
    await expect.poll(() => first.data).toHaveLength(1);
    first.cut();
    await expect.poll(() => server.methods).toContain(INTERNAL.callerGone);
    server.say({ id: 1, result: {} });
    const second = get(first.lastId);
    await expect.poll(() => second.data).toHaveLength(1);
    server.say({ id: 2, result: {} });
    server.say({ id: 3, result: {} });
    await expect.poll(() => second.isOver).toBe(true);
    expect(second.data).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });
});

it('answers a request for what only the gate itself says', async () => {
  const { url, session } = await begin();
  const asked = { jsonrpc: '2.0', id: 5, method: INTERNAL.callerGone, params: { requestId: 1 } };
  const { text } = await post(url, JSON.stringify(asked), { ...session, accept: ACCEPT });
  expect(JSON.parse(text)).toMatchObject({ id: 5, error: { code: -32_601 } });
});

describe('a client that cancels', () => {
  it.each([false, true])(
    'leaves nothing to resume behind; messages before it: %j',
    async (hasLog) => {
      const { url, server, session, call } = await begin();
      const primed = call(1);
      await expect.poll(() => server.methods.length).toBe(2);
      if (hasLog) server.say(toLog('before'), 1);
      await expect.poll(() => primed.lastId).not.toBe('');
      const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
      await post(url, JSON.stringify({ jsonrpc: '2.0', ...cancel }), session);
      server.fail('tools/call', { kind: 'lost', detail: 'It was cancelled' });
      await expect.poll(() => primed.isOver).toBe(true);
      const headers = { ...session, accept: 'text/event-stream', 'last-event-id': primed.lastId };
      expect((await fetch(url, { headers })).status).toBe(400);
    },
  );

  it.each(['fails', 'answers'])(
    'gets no answer, and its stream ends: the server %s',
    async (how) => {
      const { url, server, session, call } = await begin();
      const connection = call(1);
      await expect.poll(() => server.methods.length).toBe(2);
      const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
      await post(url, JSON.stringify({ jsonrpc: '2.0', ...cancel }), session);
      await expect.poll(() => server.methods.length).toBe(3);
      if (how === 'answers') server.answer('tools/call', { result: {} });
      else server.fail('tools/call', { kind: 'lost', detail: 'It was cancelled' });
      await expect.poll(() => connection.isOver).toBe(true);
      expect(connection.data).toEqual([]);
    },
  );
});

describe('a cancel', () => {
  const cancel = (id: number): string =>
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id },
    });

  it.each([
    ['another call that waits', [1]],
    ['what belongs to no request', []],
  ] as const)('loses no question of another call: it goes to the stream of %s', async (_, ids) => {
    const { url, server, session, call, get } = await begin();
    const calls = [...ids, 2].map(call);
    for (const each of calls) await expect.poll(() => each.lastId).not.toBe('');
    for (const each of calls) each.cut();
    await expect.poll(() => server.methods.length).toBe(1 + calls.length);
    await new Promise((resolve) => setTimeout(resolve, 50));
    // Over stdio a server does not say which call it is about.
    server.say({ id: 'q', method: 'elicitation/create', params: {} });
    server.say(toLog('of the call'), 2);
    await post(url, cancel(2), session);
    server.say({ id: 2, result: {} });
    const [waiting] = calls.slice(0, ids.length);
    const again = get(waiting?.lastId);
    await expect.poll(() => again.data).toMatchObject([{ id: 'q', method: 'elicitation/create' }]);
    expect(again.text).not.toContain('of the call');
  });

  it('that comes at once leaves the client nothing to reconnect with', async () => {
    const { url, server, session, call } = await begin();
    const connection = call(1);
    await expect.poll(() => server.methods.length).toBe(2);
    await post(url, cancel(1), session);
    server.fail('tools/call', { kind: 'lost', detail: 'It was cancelled' });
    await expect.poll(() => connection.isOver).toBe(true);
    expect(connection.text).toBe('');
  });
});

describe('a client that hangs up', () => {
  const gone = { method: INTERNAL.callerGone, params: { requestId: 1 } };

  it('has not cancelled: the channel is told that nobody waits', async () => {
    const { server, call } = await begin('2025-06-18');
    const connection = call(1);
    await expect.poll(() => server.methods.length).toBe(2);
    connection.cut();
    await expect.poll(() => server.sent[2]?.message).toMatchObject(gone);
    expect(server.sent[2]?.caller).toEqual(server.sent[1]?.caller);
    server.answer('tools/call', { result: {} });
    expect(server.methods).not.toContain('notifications/cancelled');
  });

  it('is expected back for a while when it can come back', async () => {
    const { server, call, get } = await begin('2025-11-25', { graceMs: 300 });
    const first = call(1);
    await expect.poll(() => first.lastId).not.toBe('');
    first.cut();
    const second = get(first.lastId);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(server.methods).toEqual(['initialize', 'tools/call']);
    second.cut();
    await expect.poll(() => server.sent[2]?.message).toMatchObject(gone);
  });

  it('without a session is told in the same way, and its channel closed after the answer', async () => {
    const server = new ScriptedChannel();
    let isClosed = false;
    const dispose = server[Symbol.asyncDispose].bind(server);
    server[Symbol.asyncDispose] = () => {
      isClosed = true;
      return dispose();
    };
    const downstream = await openHttpDownstream({
      principal: { id: 'local', scopes: [] },
      openSession: () => server,
      report: () => {},
    });
    open.add(downstream);
    const connection = new Connection(downstream.mcpUrl, {}, toCall(1));
    await expect.poll(() => server.methods.length).toBe(1);
    connection.cut();
    await expect.poll(() => server.sent[1]?.message).toMatchObject(gone);
    expect(isClosed).toBe(false);
    server.answer('tools/call', { result: {} });
    await expect.poll(() => isClosed).toBe(true);
  });

  it('cannot say it of another, nor in the words of the gate', async () => {
    const { server, url, session } = await begin();
    const note = JSON.stringify({ jsonrpc: '2.0', ...gone });
    expect((await post(url, note, session)).status).toBe(202);
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': INTERNAL.callerGone };
    expect((await post(url, note, modern)).status).toBe(202);
    expect(server.methods).toEqual(['initialize']);
  });
});

describe('what nobody reads yet', () => {
  it('is kept, however many lines it has', async () => {
    const { server, get } = await begin();
    for (let line = 0; line < 500; line += 1) server.say(toLog(`line ${line}`));
    const stream = get();
    await expect.poll(() => stream.data.length).toBe(500);
    expect(stream.data.at(-1)).toMatchObject({ params: { data: 'line 499' } });
  });

  it('is bounded by its size, and what is dropped is reported', async () => {
    const reports: string[] = [];
    const report = (message: string): void => void reports.push(message);
    const { server, get } = await begin('2025-11-25', { replayBytes: 1000, report });
    for (let line = 0; line < 100; line += 1) server.say(toLog(`line ${line}`));
    expect(reports).toEqual([expect.stringContaining('1000 bytes')]);
    const stream = get();
    await expect.poll(() => stream.data.at(-1)).toMatchObject({ params: { data: 'line 99' } });
    const kept = stream.data.length;
    expect(kept).toBeLessThan(20);
    expect(reports[1]).toContain(`${100 - kept} messages were dropped`);
  });

  it('goes with a call that waits rather than nowhere', async () => {
    const { server, call } = await begin();
    const first = call(1);
    const second = call(2);
    await expect.poll(() => server.methods.length).toBe(3);
    server.say(toLog('a line'));
    await expect.poll(() => first.text + second.text).toContain('a line');
  });
});

describe('several messages in one', () => {
  const A = '{"jsonrpc":"2.0","id":"a","method":"one","params":{"n":1.0}}';
  const B = '{"jsonrpc":"2.0","id":"b","method":"two"}';
  const NOTE = '{"jsonrpc":"2.0","method":"notifications/x"}';

  function answerBoth(server: ScriptedChannel): void {
    server.answer('two', { result: { two: 2 } });
    server.answer('one', { error: { code: -1, message: 'no' } });
  }

  it('are answered on one stream, or by one array', async () => {
    const { server, url, session } = await begin('2025-03-26');
    const headers = { 'content-type': 'application/json', ...session };
    for (const [accept, type] of [
      [ACCEPT, 'text/event-stream'],
      ['application/json', 'application/json'],
    ] as const) {
      const before = server.sent.length;
      const answer = post(url, ` [${A}, ${NOTE},${B}]`, { ...headers, accept });
      await expect.poll(() => server.lines.slice(before)).toEqual([A, NOTE, B]);
      answerBoth(server);
      const { status, headers: got, text } = await answer;
      expect([status, got['content-type']]).toEqual([200, type]);
      const messages =
        type === 'application/json'
          ? (JSON.parse(text) as readonly unknown[])
          : [...text.matchAll(/^data: (.+)$/gm)].map(
              ([, data = '']) => JSON.parse(data) as unknown,
            );
      expect(messages).toMatchObject([
        { id: 'b', result: { two: 2 } },
        { id: 'a', error: { code: -1 } },
      ]);
    }
  });

  it('fail one by one', async () => {
    const { server, url, session } = await begin('2025-03-26');
    const answer = post(url, `[${A},${B}]`, { ...session, accept: 'application/json' });
    await expect.poll(() => server.methods.length).toBe(3);
    server.fail('one', { kind: 'not-sent', detail: 'Nobody there' });
    server.answer('two', { result: {} });
    const { status, text } = await answer;
    expect([status, JSON.parse(text)]).toMatchObject([200, [{ id: 'a', error: {} }, { id: 'b' }]]);
  });

  it('are accepted without an answer when they ask for none', async () => {
    const { server, url, session } = await begin('2025-03-26');
    const { status, text } = await post(url, `[${NOTE},${NOTE}]`, session);
    expect([status, text, server.methods.length]).toEqual([202, '', 3]);
  });

  it('are taken without a session too, unless the revision has none', async () => {
    const { server, url } = await begin();
    const answer = post(url, `[${A},${B}]`);
    await expect.poll(() => server.methods.length).toBe(3);
    answerBoth(server);
    expect((await answer).text.match(/"id":"."/g)).toEqual(['"id":"b"', '"id":"a"']);
    const later = await post(url, `[${A}]`, { 'mcp-protocol-version': '2025-06-18' });
    expect(later.status).toBe(400);
  });

  it.each([
    ['one id twice', `[${A},${A}]`],
    ['initialize among them', `[{"jsonrpc":"2.0","id":9,"method":"initialize"},${A}]`],
    ['too many', `[${Array.from({ length: 101 }, () => NOTE).join(',')}]`],
  ])('are refused: %s', async (_, body) => {
    const { server, url, session } = await begin('2025-03-26');
    for (const headers of [session, {}]) {
      const answer: Answered = await post(url, body, headers);
      expect([answer.status, messageIn(answer)]).toMatchObject([400, { error: { code: -32_600 } }]);
    }
    expect(server.methods).toEqual(['initialize']);
  });
});

describe('headers', () => {
  it.each([
    ['2025-11-25', 202],
    ['2024-11-05', 202],
    ['1999-01-01', 400],
    ['2026-07-28', 400],
    ['nonsense', 400],
  ])('name a revision that is known: %s', async (version, status) => {
    const { url, session } = await begin();
    const headers = { ...session, 'mcp-protocol-version': version };
    const note = '{"jsonrpc":"2.0","method":"notifications/x"}';
    expect((await post(url, note, headers)).status).toBe(status);
    if (status === 202) return;
    for (const method of ['GET', 'DELETE']) {
      expect((await post(url, '', headers, method)).status).toBe(status);
    }
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect((await post(url, list, { 'mcp-protocol-version': version })).status).toBe(status);
  });

  it.each([
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['application/json', 202],
    ['text/*;q=0.5', 202],
    ['*/*', 202],
  ])('say that the answer can be taken: %s', async (accept, status) => {
    const { url, session } = await begin();
    const note = '{"jsonrpc":"2.0","method":"notifications/x"}';
    expect((await post(url, note, { ...session, accept })).status).toBe(status);
  });

  it('say that a stream can be taken', async () => {
    const { url, session } = await begin();
    const accept = 'application/json';
    expect((await post(url, '', { ...session, accept }, 'GET')).status).toBe(406);
  });

  it('let a session begin once', async () => {
    const { url, session } = await begin();
    const again = '{"jsonrpc":"2.0","id":5,"method":"initialize","params":{}}';
    expect((await post(url, again, session)).status).toBe(400);
  });
});
