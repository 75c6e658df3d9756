/** Sessions of the 2025 revisions over real sockets: begun, forgotten, and begun again. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, notification, request } from '../../../test/gate/http-fixture.ts';
import type { Handler } from '../../../test/gate/session-server.ts';
import { BEGUN_AGAIN, SessionServer } from '../../../test/gate/session-server.ts';
import { toFrame } from '../protocol/frame.ts';

let server = new SessionServer();

beforeEach(() => {
  server = new SessionServer();
});
afterEach(() => server[Symbol.asyncDispose]());

describe('a session that the server has forgotten', () => {
  it('is announced before anything is sent again, and a call is never sent again', async () => {
    const { channel, log, failures } = await server.begin();
    server.forget();
    channel.send(request('tools/call', 1));
    await expect.poll(() => log.length).toBe(5);
    expect(log).toEqual(['got tools/call s1', 'failed 1 refused', 'renewed', ...BEGUN_AGAIN]);
    expect(failures).toMatchObject([[1, { status: 404 }]]);
    channel.send(request('tools/call', 2));
    await expect.poll(() => log.slice(5)).toEqual(['got tools/call s2', 'frame 2']);
  });

  it('takes other requests along, and what comes meanwhile', async () => {
    const { channel, log } = await server.begin();
    server.forget();
    channel.send(request('resources/read', 1));
    channel.send(request('prompts/get', 2));
    await expect.poll(() => log.filter((line) => line.startsWith('frame'))).toHaveLength(2);
    expect(log).toContain('renewed');
    expect(log.indexOf('renewed')).toBeLessThan(log.indexOf('got initialize'));
    expect(log.filter((line) => line === 'got initialize')).toHaveLength(1);
    expect(log.filter((line) => line.endsWith(' s2')).toSorted()).toEqual([
      'got notifications/initialized s2',
      'got prompts/get s2',
      'got resources/read s2',
    ]);
  });

  it('settles all of its requests first: refused by the server, or lost if it says nothing', async () => {
    const { channel, log } = await server.begin();
    server.on.set('slow', () => {});
    channel.send(request('slow', 'open'));
    await expect.poll(() => log).toEqual(['got slow s1']);
    server.forget();
    channel.send(request('tools/call', 1));
    channel.send(request('tools/call', 2));
    await expect.poll(() => log.at(-1), { timeout: 5000 }).toBe(BEGUN_AGAIN[1]);
    const told = log.filter((line) => !line.startsWith('got tools'));
    expect(told.slice(1, 3).toSorted()).toEqual(['failed 1 refused', 'failed 2 refused']);
    expect(told.slice(3)).toEqual(['failed open lost', 'renewed', ...BEGUN_AGAIN]);
  });

  it('fails a call that was sent again at once, since it was decided on by the old definitions', async () => {
    const { channel, log, failures } = await server.begin();
    server.forget();
    channel.send(request('tools/call', 1));
    // A listener that is too hasty: it sends again from within `failed`.
    failures.push = ([id] = ['', { kind: 'lost', detail: '' }]): number => {
      channel.send(request('tools/call', `${id}'`));
      return 0;
    };
    await expect
      .poll(() => log.filter((line) => line.startsWith('got tools/call')))
      .toHaveLength(2);
    await expect.poll(() => log.at(-1)).toBe(`frame 1'''`);
    const before = log.slice(0, log.indexOf('renewed'));
    expect(before).toEqual(['got tools/call s1', 'failed 1 refused', `failed 1' not-sent`]);
    expect(log.filter((line) => line === 'renewed')).toHaveLength(1);
  });

  it('gets its log level and subscriptions again before anything else', async () => {
    const { channel, log, frames } = await server.begin();
    const params: unknown[] = [];
    const keep: Handler = (message, response) => {
      params.push(message.params);
      answer(response, { id: message.id ?? null, result: {} });
    };
    for (const method of ['logging/setLevel', 'resources/subscribe']) server.on.set(method, keep);
    channel.send(request('logging/setLevel', 1, { level: 'info' }));
    await expect.poll(() => frames.at(-1)?.message.id).toBe(1);
    channel.send(request('logging/setLevel', 2, { level: 'debug' }));
    channel.send(request('resources/subscribe', 3, { uri: 'a:1' }));
    channel.send(request('resources/subscribe', 4, { uri: 'a:2' }));
    await expect.poll(() => params).toHaveLength(4);
    await expect.poll(() => frames).toHaveLength(6);
    channel.send(request('resources/unsubscribe', 5, { uri: 'a:1' }));
    await expect.poll(() => frames.at(-1)?.message.id).toBe(5);
    server.forget();
    log.length = 0;
    params.length = 0;
    channel.send(request('tools/list', 6));
    await expect.poll(() => log.at(-1)).toBe('frame 6');
    expect(log).toEqual([
      'got tools/list s1',
      'renewed',
      ...BEGUN_AGAIN,
      'got logging/setLevel s2',
      'got resources/subscribe s2',
      'got tools/list s2',
      'frame 6',
    ]);
    expect(params).toMatchObject([{ level: 'debug' }, { uri: 'a:2' }]);
  });

  it('is followed by word of changed lists, as far as the client was promised to hear of them', async () => {
    server.on.set('initialize', (message, response) => {
      const capabilities = { tools: { listChanged: true }, prompts: { listChanged: false } };
      const result = { protocolVersion: '2025-11-25', capabilities };
      answer(response, { id: message.id ?? null, result });
    });
    const { channel, log } = await server.begin();
    server.forget();
    channel.send(request('tools/list', 1));
    await expect.poll(() => log.at(-1)).toBe('frame 1');
    expect(log).toEqual([
      'got tools/list s1',
      'renewed',
      ...BEGUN_AGAIN,
      'frame notifications/tools/list_changed',
      'got tools/list s2',
      'frame 1',
    ]);
  });

  it('gets no subscription again that the client has ended, answered or not', async () => {
    const { channel, log, frames } = await server.begin();
    channel.send(request('resources/subscribe', 1, { uri: 'a:1' }));
    await expect.poll(() => frames.at(-1)?.message.id).toBe(1);
    server.on.set('resources/unsubscribe', (_, response) => void response.destroy());
    channel.send(request('resources/unsubscribe', 2, { uri: 'a:1' }));
    await expect.poll(() => log.at(-1)).toBe('failed 2 lost');
    server.forget();
    log.length = 0;
    channel.send(request('tools/list', 3));
    await expect.poll(() => log.at(-1)).toBe('frame 3');
    expect(log).not.toContain('got resources/subscribe s2');
  });

  it('is also found on the stream, when nothing is sent', async () => {
    let stream: ServerResponse | undefined;
    server.on.set('GET', (_, response) => {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 50\n\n');
    });
    const { log } = await server.begin();
    await expect.poll(() => stream).toBeDefined();
    server.forget();
    stream?.end();
    await expect.poll(() => log).toEqual(['renewed', ...BEGUN_AGAIN]);
  });

  it('may be refused with 400 by servers that follow the examples of the SDK', async () => {
    const { channel, log } = await server.begin();
    const error = { code: -32_000, message: 'Bad Request: No valid session ID provided' };
    server.on.set('tools/list', (message, response, incoming) => {
      if (incoming.headers['mcp-session-id'] === 's2') {
        answer(response, { id: message.id ?? null, result: {} });
        return;
      }
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    });
    channel.send(request('tools/list', 1));
    await expect.poll(() => log.at(-1)).toBe('frame 1');
    expect(log).toEqual([
      'got tools/list s1',
      'renewed',
      ...BEGUN_AGAIN,
      'got tools/list s2',
      'frame 1',
    ]);
  });

  it('is tried again with the next message when the server is too busy to begin another', async () => {
    const { channel, log, failures } = await server.begin();
    server.forget();
    server.on.set('initialize', (_, response) => {
      response.writeHead(429, { 'retry-after': '9' }).end();
    });
    channel.send(request('tools/list', 1));
    await expect
      .poll(() => failures)
      .toMatchObject([[1, { kind: 'refused', status: 429, retryAfterSeconds: 9 }]]);
    server.on.delete('initialize');
    channel.send(request('tools/list', 2));
    await expect.poll(() => log.at(-1)).toBe('frame 2');
    expect(log.filter((line) => line === 'renewed')).toHaveLength(1);
  });

  it('gets no answer to what an earlier one had asked', async () => {
    server.on.set('ask', (message, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","id":0,"method":"roots/list"}\n\n');
      setTimeout(
        () => response.end(`data: {"jsonrpc":"2.0","id":${message.id},"result":{}}\n\n`),
        20,
      );
    });
    const { channel, log } = await server.begin();
    channel.send(request('ask', 1));
    await expect.poll(() => log).toEqual(['got ask s1', 'frame roots/list', 'frame 1']);
    server.forget();
    channel.send(request('ping', 2));
    await expect.poll(() => log.at(-1)).toBe('frame 2');
    channel.send(toFrame({ jsonrpc: '2.0', id: 0, result: {} }));
    channel.send(request('ping', 3));
    await expect.poll(() => log.at(-1)).toBe('frame 3');
    expect(log).not.toContain('got response s2');
  });
});

describe('the beginning of a session', () => {
  it('holds what is sent too early, and lets answers to the server pass', async () => {
    server.on.set('initialize', (message, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","id":"early","method":"ping"}\n\n');
      server.on.set('response', (_, accepted) => {
        accepted.writeHead(202).end();
        const result = { protocolVersion: '2025-11-25', capabilities: {} };
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`);
      });
    });
    const { channel, log } = await server.open();
    channel.send(request('initialize', 0));
    channel.send(request('tools/list', 1));
    await expect.poll(() => log).toEqual(['got initialize', 'frame ping']);
    channel.send(toFrame({ jsonrpc: '2.0', id: 'early', result: {} }));
    await expect.poll(() => log.at(-1)).toBe('frame 0');
    channel.send(notification('initialized'));
    channel.send(request('tools/call', 2));
    await expect.poll(() => log.filter((line) => /^frame \d/.test(line))).toHaveLength(3);
    expect(log.slice(2, 5)).toEqual([
      'got response s1',
      'frame 0',
      'got notifications/initialized s1',
    ]);
  });

  it('does not wait for a confirmation that is never sent', async () => {
    const { channel, log } = await server.open();
    channel.send(request('initialize', 0));
    channel.send(request('tools/list', 1));
    await expect
      .poll(() => log)
      .toEqual(['got initialize', 'frame 0', 'got tools/list s1', 'frame 1']);
  });

  it('fails what waits for it when the server refuses, and can be tried again', async () => {
    server.on.set('initialize', (_, response) => {
      response.writeHead(429, { 'retry-after': '2' }).end();
    });
    const { channel, log, failures } = await server.open();
    channel.send(request('initialize', 0));
    channel.send(request('tools/list', 1));
    await expect.poll(() => failures).toHaveLength(2);
    const busy = { kind: 'refused', status: 429, retryAfterSeconds: 2 };
    expect(new Map(failures)).toEqual(
      new Map([0, 1].map((id) => [id, expect.objectContaining(busy)])),
    );
    server.on.delete('initialize');
    channel.send(request('initialize', 2));
    await expect.poll(() => log.at(-1)).toBe('frame 2');
  });
});
