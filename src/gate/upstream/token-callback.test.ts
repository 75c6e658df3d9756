/** Over real sockets: whoever is asked for a token may end, before it answers, what it is asked for. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Heard } from '../../../test/gate/http-fixture.ts';
import {
  answer,
  HttpFixture,
  modernRequest,
  notification,
  request,
  withJson,
} from '../../../test/gate/http-fixture.ts';
import { HttpClient } from './http-client.ts';
import type { End } from './http-exchange.ts';

const fixture = new HttpFixture();

afterEach(() => fixture[Symbol.asyncDispose]());

/** Longer than a request takes on this machine. */
const A_WHILE_MS = 100;

/** A server that refuses each token, and a channel to it whose tokens come at once. */
async function open(authorize: (heard: Heard, isRefused: boolean) => void): Promise<{
  readonly heard: Heard;
  readonly asked: readonly string[];
}> {
  const asked: string[] = [];
  const url = await fixture.listen((incoming, response) => {
    asked.push(String(incoming.headers.authorization));
    response.writeHead(401).end();
  });
  const heard: Heard = fixture.hear({
    url,
    authorize: (state) => {
      authorize(heard, state !== undefined);
      return 'token';
    },
  });
  return { heard, asked };
}

const ERAS = [
  ['2025', request()],
  ['2026', modernRequest()],
] as const;

describe.each(ERAS)('in revision %s, a request', (_, frame) => {
  it('is not sent when its channel is closed while its token is asked for', async () => {
    const { heard, asked } = await open(({ channel }) => void channel[Symbol.asyncDispose]());
    heard.channel.send(frame);
    await wait(A_WHILE_MS);
    expect(asked).toEqual([]);
    expect(heard.log).toEqual(['failed 1 not-sent', 'closed']);
  });

  it('is not sent when it is cancelled while its token is asked for', async () => {
    const cancel = notification('cancelled', { requestId: 1 });
    const { heard, asked } = await open(({ channel }) => channel.send(cancel));
    heard.channel.send(frame);
    await wait(A_WHILE_MS);
    expect(asked).toEqual([]);
    expect(heard.log).toEqual(['failed 1 not-sent']);
  });

  it('is not sent again when its channel is closed while a new token is asked for', async () => {
    const { heard, asked } = await open(({ channel }, isRefused) => {
      if (isRefused) void channel[Symbol.asyncDispose]();
    });
    heard.channel.send(frame);
    await expect.poll(() => heard.log).toEqual(['failed 1 not-sent', 'closed']);
    await wait(A_WHILE_MS);
    expect(asked).toEqual(['Bearer token']);
  });

  it('is not sent again when it is cancelled while a new token is asked for', async () => {
    const cancel = notification('cancelled', { requestId: 1 });
    const { heard, asked } = await open(({ channel }, isRefused) => {
      if (isRefused) channel.send(cancel);
    });
    heard.channel.send(frame);
    await expect.poll(() => heard.log).toEqual(['failed 1 not-sent']);
    await wait(A_WHILE_MS);
    expect(asked).toEqual(['Bearer token']);
  });
});

describe('in a session that ends slowly, a call', () => {
  /** Takes its time to end the session, and refuses the first token of a call where it is told to. */
  async function begin(refusesOnce: boolean): Promise<{ heard: Heard; calls: readonly string[] }> {
    const calls: string[] = [];
    let isCalling = false;
    let isRefused = false;
    const url = await fixture.listen(
      withJson((message, incoming, response) => {
        const { id, method } = message ?? {};
        response.setHeader('mcp-session-id', 's');
        if (incoming.method === 'DELETE')
          setTimeout(() => response.writeHead(200).end(), A_WHILE_MS);
        else if (method === 'initialize')
          answer(response, { id: 1, result: { protocolVersion: '2025-11-25' } });
        else if (method === 'tools/call') {
          calls.push(String(incoming.headers.authorization));
          if (refusesOnce && calls.length === 1) response.writeHead(401).end();
          else answer(response, { id: id ?? null, result: {} });
        } else response.writeHead(incoming.method === 'GET' ? 405 : 202).end();
      }),
    );
    const heard: Heard = fixture.hear({
      url,
      authorize: (state) => {
        isRefused ||= state !== undefined;
        if (isCalling && isRefused === refusesOnce) void heard.channel[Symbol.asyncDispose]();
        return 'token';
      },
    });
    heard.channel.send(request('initialize', 1));
    await expect.poll(() => heard.log).toEqual(['frame 1']);
    heard.channel.send(notification('initialized'));
    await wait(A_WHILE_MS);
    isCalling = true;
    heard.channel.send(request('tools/call', 2));
    await expect.poll(() => heard.log).toEqual(['frame 1', 'failed 2 not-sent', 'closed']);
    return { heard, calls };
  }

  it('is not sent when its channel is closed while its token is asked for', async () => {
    expect((await begin(false)).calls).toEqual([]);
  });

  it('is not sent again when its channel is closed while a new token is asked for', async () => {
    expect((await begin(true)).calls).toEqual(['Bearer token']);
  });
});

it('nothing waits for a token that nobody wants any more', async () => {
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  using client = new HttpClient({
    url: 'http://127.0.0.1:1',
    authorize: () => new Promise(() => {}),
  });
  const before = timers();
  const order = { method: 'GET', headers: {}, silenceMs: 5000 } as const;
  const exchange = client.start(order, { message: () => {}, done: () => {} });
  await turn();
  expect(timers()).toBe(before + 1);
  exchange.abort();
  await turn();
  expect(timers()).toBe(before);
});

/** Of the microtasks only, so that no timer of anybody else runs. */
async function turn(): Promise<void> {
  for (let step = 0; step < 10; step += 1) await Promise.resolve();
}

it('nothing is sent, kept open or told by a client that is disposed of while a token is asked for', async () => {
  const asked: unknown[] = [];
  const url = await fixture.listen((_, response) => {
    asked.push(1);
    response.writeHead(200).end();
  });
  const client: HttpClient = new HttpClient({
    url,
    authorize: () => {
      client[Symbol.dispose]();
      return 'token';
    },
  });
  const told: unknown[] = [];
  const watcher = { message: () => void told.push(1), done: (end: End) => void told.push(end) };
  client.start({ method: 'POST', headers: {}, body: Buffer.from('{}'), silenceMs: 5000 }, watcher);
  await wait(A_WHILE_MS);
  expect([asked, told]).toEqual([[], []]);
});
