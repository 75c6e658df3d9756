/** Servers that fail in every way that HTTP knows, over real sockets: what a caller is told of each. */
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  HttpFixture,
  answer,
  modernRequest,
  notification,
  request,
  withJson,
} from '../../../test/gate/http-fixture.ts';
import type { Failure } from '../protocol/channel.ts';
import { toFrame } from '../protocol/frame.ts';

const fixture = new HttpFixture();

afterEach(() => fixture[Symbol.asyncDispose]());

async function failureOf(handler: RequestListener, options = {}): Promise<Failure | undefined> {
  const heard = fixture.hear({ url: await fixture.listen(handler), ...options });
  heard.channel.send(request());
  await expect.poll(() => heard.failures.length + heard.frames.length).toBe(1);
  return heard.failures[0]?.[1];
}

describe('servers that fail', () => {
  it('were not reached when nobody listens or nobody has that name', async () => {
    for (const url of ['http://127.0.0.1:1/mcp', 'http://nobody.invalid/mcp']) {
      const heard = fixture.hear({ url });
      heard.channel.send(request());
      await expect.poll(() => heard.failures).toMatchObject([[1, { kind: 'not-sent' }]]);
    }
  });

  it('refuse with the time to wait', async () => {
    const busy = await failureOf((_, response) => {
      response.writeHead(429, { 'retry-after': '7' }).end();
    });
    expect(busy).toMatchObject({ kind: 'refused', status: 429, retryAfterSeconds: 7 });
    const down = await failureOf((_, response) => {
      const soon = new Date(Date.now() + 60_000).toUTCString();
      response.writeHead(503, { 'retry-after': soon }).end();
    });
    expect(down).toMatchObject({ kind: 'refused', status: 503 });
    expect(down?.retryAfterSeconds).toBeGreaterThan(50);
  });

  it.each([
    ['a status of its own fault', { status: 500, body: '' }],
    ['unavailable without a hint', { status: 503, body: '' }],
    ['an answer to something else', { status: 200, body: '{"jsonrpc":"2.0","id":2,"result":{}}' }],
    ['nothing', { status: 202, body: '' }],
  ])('leave it open what happened: %s', async (_, { status, body }) => {
    const heard = fixture.hear({
      url: await fixture.listen((__, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      }),
    });
    heard.channel.send(request());
    await expect.poll(() => heard.failures).toMatchObject([[1, { kind: 'lost' }]]);
  });

  it('die in the middle of a call', async () => {
    expect(await failureOf((_, response) => void response.destroy())).toMatchObject({
      kind: 'lost',
    });
    const halfWay: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0",');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await failureOf(halfWay)).toMatchObject({ kind: 'lost' });
    const short: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"jsonrpc"');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await failureOf(short)).toMatchObject({ kind: 'lost' });
  });

  it('say nothing for long, or too much', async () => {
    const silent = await failureOf(() => {}, { timeoutMs: 50 });
    expect(silent).toMatchObject({ kind: 'lost' });
    const endless = await failureOf(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('x'.repeat(2000));
      },
      { maxBytes: 1000 },
    );
    expect(endless).toMatchObject({ kind: 'lost' });
  });

  it('send errors as JSON-RPC, which are passed on under the id of the request', async () => {
    for (const [status, id] of [
      [404, 1],
      [400, null],
      [500, 1],
    ] as const) {
      const heard = fixture.hear({
        url: await fixture.listen((_, response) => {
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -1, message: 'no' } }));
        }),
      });
      heard.channel.send(request());
      await expect.poll(() => heard.frames).toMatchObject([{ about: 1, message: { id: 1 } }]);
    }
  });

  it('are not bothered with what cannot stand in a header', async () => {
    const heard = fixture.hear({ url: 'http://127.0.0.1:1/mcp' });
    const _meta = { 'io.modelcontextprotocol/protocolVersion': 'a\nb' };
    heard.channel.send(toFrame({ jsonrpc: '2.0', id: 1, method: 'x\u2603', params: { _meta } }));
    await expect.poll(() => heard.failures).toMatchObject([[1, { kind: 'not-sent' }]]);
  });

  it('never get a redirect followed, since it would carry the token elsewhere', async () => {
    const failure = await failureOf((_, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    });
    expect(failure).toMatchObject({ kind: 'lost', status: 307 });
  });

  it('are reached over one connection, call after call', async () => {
    const ports = new Set<number | undefined>();
    const url = await fixture.listen(
      withJson((message, incoming, response) => {
        ports.add(incoming.socket.remotePort);
        answer(response, { id: message?.id ?? null, result: {} });
      }),
    );
    const heard = fixture.hear({ url });
    for (let id = 1; id <= 5; id += 1) {
      heard.channel.send(request('tools/list', id));
      await expect.poll(() => heard.frames.length).toBe(id);
    }
    expect(ports.size).toBe(1);
  });

  it('hand bytes up as they were sent, in one line', async () => {
    const body = '{ "jsonrpc":"2.0",\r\n "id":1, "result":{"n":1.50,"s":"\\u00e9"} }';
    const heard = fixture.hear({
      url: await fixture.listen((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      }),
    });
    heard.channel.send(request());
    await expect.poll(() => heard.frames.length).toBe(1);
    const [frame] = heard.frames;
    expect(Buffer.from(frame?.bytes ?? []).toString('utf8')).toBe(body.replace('\r\n', '  '));
  });

  it('get a new token once when they refuse the old one, and the caller gets neither', async () => {
    const asked: unknown[] = [];
    const seen: (string | undefined)[] = [];
    const url = await fixture.listen((incoming, response) => {
      seen.push(incoming.headers.authorization);
      const isGood = incoming.headers.authorization === 'Bearer new';
      response.writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' });
      response.end(isGood ? '{"jsonrpc":"2.0","id":1,"result":{}}' : '');
    });
    const authorize = async (state?: { refused: true }) => {
      asked.push(state);
      return state === undefined ? 'old' : 'new';
    };
    const heard = fixture.hear({ url, authorize });
    heard.channel.send(request());
    await expect.poll(() => heard.frames.length).toBe(1);
    expect([asked, seen]).toEqual([
      [undefined, { refused: true }],
      ['Bearer old', 'Bearer new'],
    ]);
    const stubborn = fixture.hear({ url, authorize: async () => 'old' });
    stubborn.channel.send(request());
    await expect
      .poll(() => stubborn.failures)
      .toMatchObject([[1, { kind: 'refused', status: 401 }]]);
  });

  it('forget a session: it is begun again, and only what is not a call is sent again', async () => {
    const log: string[] = [];
    let session = 0;
    const url = await fixture.listen(
      withJson((message, incoming, response) => {
        const id = String(incoming.headers['mcp-session-id'] ?? '');
        log.push(`${incoming.method} ${message?.method ?? ''} ${id}`.trim());
        if (incoming.method === 'DELETE') response.writeHead(200).end();
        else if (message === undefined) response.writeHead(405).end();
        else if (message.method === 'initialize') {
          session += 1;
          const result = { protocolVersion: '2025-11-25', capabilities: {} };
          response.setHeader('mcp-session-id', `s${session}`);
          answer(response, { id: message.id ?? null, result });
        } else if (id !== `s${session}`) response.writeHead(404).end();
        else if (message.id === undefined) response.writeHead(202).end();
        else answer(response, { id: message.id ?? null, result: {} });
      }),
    );
    const heard = fixture.hear({ url });
    heard.channel.send(request('initialize', 0));
    await expect.poll(() => heard.frames.length).toBe(1);
    heard.channel.send(toFrame({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    heard.channel.send(request('tools/list', 1));
    await expect.poll(() => heard.frames.length).toBe(2);
    // The list waited until the server knew that the session has begun.
    expect(log.filter((line) => !line.startsWith('GET'))).toEqual([
      'POST initialize',
      'POST notifications/initialized s1',
      'POST tools/list s1',
    ]);
    session = 7;
    log.length = 0;
    heard.channel.send(request('tools/list', 2));
    await expect.poll(() => heard.frames.length).toBe(3);
    expect(log.filter((line) => line.startsWith('POST'))).toEqual([
      'POST tools/list s1',
      'POST initialize',
      'POST notifications/initialized s8',
      'POST tools/list s8',
    ]);
    session = 20;
    heard.channel.send(request('tools/call', 3));
    await expect.poll(() => heard.failures).toMatchObject([[3, { kind: 'refused', status: 404 }]]);
    heard.channel.send(request('tools/call', 4));
    await expect.poll(() => heard.frames.at(-1)?.message.id).toBe(4);
    await heard.channel[Symbol.asyncDispose]();
    expect(log.at(-1)).toBe('DELETE  s21');
  });

  it('hear of a cancel: by the closed request in 2026, by a message in the 2025 revisions', async () => {
    const closed: string[] = [];
    const seen: string[] = [];
    const url = await fixture.listen(
      withJson((message, _, response) => {
        const method = message?.method ?? '';
        seen.push(method);
        if (method === 'notifications/cancelled') response.writeHead(202).end();
        else response.once('close', () => closed.push(method));
      }),
    );
    const heard = fixture.hear({ url, cancelGraceMs: 300 });
    heard.channel.send(modernRequest('modern', 1));
    await expect.poll(() => seen).toEqual(['modern']);
    heard.channel.send(notification('cancelled', { requestId: 1 }));
    expect(heard.failures).toEqual([]);
    await expect.poll(() => heard.failures).toMatchObject([[1, { kind: 'lost' }]]);
    await expect.poll(() => closed).toEqual(['modern']);
    heard.channel.send(request('legacy', 2));
    await expect.poll(() => seen).toEqual(['modern', 'legacy']);
    const cancelledAt = performance.now();
    heard.channel.send(notification('cancelled', { requestId: 2 }));
    heard.channel.send(notification('cancelled', { requestId: 2 }));
    await expect
      .poll(() => heard.failures)
      .toMatchObject([
        [1, {}],
        [2, { kind: 'lost' }],
      ]);
    expect(performance.now() - cancelledAt).toBeGreaterThan(250);
    await expect.poll(() => closed).toEqual(['modern', 'legacy']);
    expect(seen).toEqual(['modern', 'legacy', 'notifications/cancelled']);
    expect(heard.frames).toEqual([]);
  });
});
