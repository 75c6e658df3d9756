/** Over real sockets: whether a request left, and that nothing is waited for or kept without a bound. */
import type { RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { queryObjects } from 'node:v8';
import { afterEach, describe, expect, it } from 'vitest';
import {
  HttpFixture,
  answer,
  modernRequest,
  notification,
  request,
  withJson,
} from '../../../test/gate/http-fixture.ts';
import { createSelfSigned } from '../../../test/support/self-signed.ts';
import type { Failure } from '../protocol/channel.ts';
import { toFrame } from '../protocol/frame.ts';
import { HttpExchange } from './http-exchange.ts';
import type { HttpUpstreamOptions } from './http-upstream.ts';

const fixture = new HttpFixture();

afterEach(() => fixture[Symbol.asyncDispose]());

async function failureOf(options: HttpUpstreamOptions, frame = request()): Promise<Failure> {
  const heard = fixture.hear(options);
  heard.channel.send(frame);
  await expect.poll(() => heard.failures, { interval: 10 }).toHaveLength(1);
  expect(heard.frames).toEqual([]);
  const [[, failure] = []] = heard.failures;
  if (failure === undefined) throw new Error('no failure');
  return failure;
}

/** A server that is not one: what it does with a connection is up to the test. */
async function listenRaw(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    handle(socket);
  });
  fixture.add({
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const large = toFrame({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'x', arguments: { text: 'x'.repeat(48 * 1024 * 1024) } },
});

describe('a request that did not leave', () => {
  it('was for a server whose certificate is not trusted, which does not see it', async () => {
    const seen: string[] = [];
    const handler: RequestListener = (incoming) => void seen.push(incoming.url ?? '');
    const url = await fixture.listen(handler, createSelfSigned());
    const failure = await failureOf({ url });
    expect(failure).toMatchObject({ kind: 'not-sent' });
    expect(failure.detail).toContain('SELF_SIGNED');
    await wait(50);
    expect(seen).toEqual([]);
  });

  it('was for a server that accepts connections and says nothing of TLS', async () => {
    const bytes: Buffer[] = [];
    const place = await listenRaw((socket) => socket.on('data', (chunk) => bytes.push(chunk)));
    const failure = await failureOf({ url: `https://${place}`, connectTimeoutMs: 100 });
    expect(failure).toMatchObject({ kind: 'not-sent' });
    expect(failure.detail).toContain('no connection in time');
    expect(Buffer.concat(bytes).toString('latin1')).not.toContain('tools/call');
  });

  it('was for a server that does not speak TLS', async () => {
    const place = await listenRaw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await failureOf({ url: `https://${place}` })).toMatchObject({ kind: 'not-sent' });
  });

  it('was only half written when the server stopped reading or closed', async () => {
    const deaf = await listenRaw((socket) => socket.pause());
    const stuck = await failureOf({ url: `http://${deaf}`, timeoutMs: 200 }, large);
    expect(stuck).toMatchObject({ kind: 'not-sent' });
    const rude = await listenRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await failureOf({ url: `http://${rude}` }, large)).toMatchObject({ kind: 'not-sent' });
  });

  it('had no token, also when nobody answers for one', async () => {
    const url = 'http://127.0.0.1:1/mcp';
    const none = (): never => {
      throw new Error('no token file');
    };
    expect(await failureOf({ url, authorize: none })).toMatchObject({ kind: 'not-sent' });
    const heard = fixture.hear({ url, authorize: () => new Promise(() => {}) });
    heard.channel.send(request());
    await wait(10);
    await heard.channel[Symbol.asyncDispose]();
    expect(heard.log).toEqual(['failed 1 not-sent', 'closed']);
  });
});

describe('a request that left', () => {
  it('was written as a whole before the connection was reset', async () => {
    const rude = await listenRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await failureOf({ url: `http://${rude}` })).toMatchObject({ kind: 'lost' });
  });

  it('went through TLS with a certificate that is trusted', async () => {
    const secure = createSelfSigned();
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, secure.cert]);
    try {
      const handler = withJson((message, incoming, response) => {
        if (message?.id === 2) incoming.socket.destroy();
        else answer(response, { id: message?.id ?? null, result: {} });
      });
      const heard = fixture.hear({ url: await fixture.listen(handler, secure) });
      heard.channel.send(request());
      await expect.poll(() => heard.frames).toMatchObject([{ message: { id: 1 } }]);
      heard.channel.send(request('tools/call', 2));
      await expect.poll(() => heard.failures).toMatchObject([[2, { kind: 'lost' }]]);
    } finally {
      setDefaultCACertificates(trusted);
    }
  });
});

describe('an answer', () => {
  it('of an error counts by its status, however long, slow or broken its body is', async () => {
    let written = 0;
    const endless = await fixture.listen((_, response) => {
      response.writeHead(400);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    expect(await failureOf({ url: endless })).toMatchObject({ kind: 'refused', status: 400 });
    await wait(50);
    const before = written;
    await wait(100);
    expect(written).toBe(before);
    expect(written).toBeLessThan(32 * 1024 * 1024);
    const slow = await fixture.listen((_, response) => {
      response.writeHead(403);
      const timer = setInterval(() => response.write(' '), 10);
      response.once('close', () => clearInterval(timer));
    });
    const forbidden = await failureOf({ url: slow, timeoutMs: 150 });
    expect(forbidden).toMatchObject({ kind: 'refused', status: 403 });
    const broken = await fixture.listen((_, response) => {
      response.writeHead(429, { 'retry-after': '3', 'content-length': 100 }).write('{');
      setTimeout(() => response.destroy(), 20);
    });
    const busy = await failureOf({ url: broken });
    expect(busy).toMatchObject({ kind: 'refused', status: 429, retryAfterSeconds: 3 });
  });

  it('must be complete in time, and a stream must show that it is alive', async () => {
    const drip = await fixture.listen((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 10);
      response.once('close', () => clearInterval(timer));
    });
    expect(await failureOf({ url: drip, timeoutMs: 150 })).toMatchObject({ kind: 'lost' });
    const mute = await fixture.listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n');
    });
    expect(await failureOf({ url: mute, timeoutMs: 150 })).toMatchObject({ kind: 'lost' });
    const alive = await fixture.listen((_, response) => {
      response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' });
      const timer = setInterval(() => response.write(': \n\n'), 20);
      setTimeout(() => {
        clearInterval(timer);
        response.end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
      }, 500);
    });
    const heard = fixture.hear({ url: alive, timeoutMs: 200 });
    heard.channel.send(request());
    await expect.poll(() => heard.log).toEqual(['frame 1']);
  });

  it('with an error and no id is about the request that it answers', async () => {
    const error = { code: -32_700, message: 'not read' };
    const url = await fixture.listen((_, response) => answer(response, { id: null, error }));
    const heard = fixture.hear({ url });
    heard.channel.send(request('tools/call', 'a'));
    await expect
      .poll(() => heard.frames)
      .toMatchObject([{ about: 'a', message: { id: 'a', error } }]);
    expect(heard.log).toEqual(['frame a']);
  });
});

describe('a request that was cancelled', () => {
  it('is kept nowhere', async () => {
    let seen = 0;
    const url = await fixture.listen(() => {
      seen += 1;
    });
    const heard = fixture.hear({ url });
    for (let id = 1; id <= 20; id += 1) {
      heard.channel.send(modernRequest('tools/call', id));
      await expect.poll(() => seen).toBe(id);
      heard.channel.send(notification('cancelled', { requestId: id }));
    }
    await expect.poll(() => heard.failures).toHaveLength(20);
    await expect.poll(() => queryObjects(HttpExchange, { format: 'count' })).toBeLessThan(5);
  });
});
