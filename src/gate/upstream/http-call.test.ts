/** Requests over real sockets that are interrupted, cancelled, or in flight when the channel is closed. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, modernRequest, notification, request } from '../../../test/gate/http-fixture.ts';
import { BEGUN_AGAIN, SessionServer } from '../../../test/gate/session-server.ts';

let server = new SessionServer();

beforeEach(() => {
  server = new SessionServer();
});
afterEach(() => server[Symbol.asyncDispose]());

describe('an answer that is interrupted', () => {
  const stream = (response: ServerResponse, text: string): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    setTimeout(() => response.destroy(), 20);
  };

  it('is continued after the last event that was complete', async () => {
    const { channel, log } = await server.begin();
    const from: unknown[] = [];
    server.on.set('tools/call', (_, response) => {
      const half = 'id: 2\ndata: {"jsonrpc":"2.0","id":1,"res';
      stream(response, `retry: 20\nid: 1\ndata: \n\n${half}`);
    });
    server.on.set('GET', (_, response, incoming) => {
      from.push(incoming.headers['last-event-id']);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (from.length < 9) response.end();
      else response.end('id: 2\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
    });
    channel.send(request('tools/call', 1));
    await expect.poll(() => log).toEqual(['got tools/call s1', 'frame 1']);
    expect(from).toEqual(Array.from({ length: 9 }, () => '1'));
  });

  it.each([
    ['the server refuses', 405, ['failed 1 lost']],
    ['the session is gone', 404, ['failed 1 lost', 'renewed', ...BEGUN_AGAIN]],
  ])('is lost when it cannot be continued: %s', async (_, status, told) => {
    const { channel, log } = await server.begin();
    server.on.set('resources/read', (__, response) => {
      stream(response, 'retry: 20\nid: 1\ndata: \n\n');
    });
    server.on.set('GET', (__, response) => void response.writeHead(status).end());
    channel.send(request('resources/read', 1));
    await expect.poll(() => log).toEqual(['got resources/read s1', ...told]);
  });

  it('is lost in the 2026 revision, which knows no continuation', async () => {
    server.on.set('tools/call', (_, response) => stream(response, 'id: 1\ndata: \n\n'));
    const { channel, log } = await server.open();
    channel.send(modernRequest('tools/call', 1));
    await expect.poll(() => log).toEqual(['got tools/call', 'failed 1 lost']);
  });
});

describe('a cancelled request', () => {
  const cancel = (requestId: number): ReturnType<typeof notification> =>
    notification('cancelled', { requestId });

  it('may still be answered, and then counts as answered', async () => {
    const { channel, log } = await server.begin({ cancelGraceMs: 200 });
    let late: ServerResponse | undefined;
    server.on.set('tools/call', (_, response) => {
      late = response;
    });
    server.on.set('notifications/cancelled', (_, response) => {
      response.writeHead(202).end();
      if (late !== undefined) answer(late, { id: 1, result: {} });
    });
    channel.send(request('tools/call', 1));
    await expect.poll(() => late).toBeDefined();
    channel.send(cancel(1));
    await wait(300);
    expect(log).toEqual(['got tools/call s1', 'got notifications/cancelled s1', 'frame 1']);
  });

  it('was not sent if it waited for the session or the connection', async () => {
    const { channel, log } = await server.open();
    channel.send(request('initialize', 0));
    channel.send(request('tools/call', 1));
    channel.send(cancel(1));
    expect(log).toEqual([]);
    await expect.poll(() => log.at(-1)).toBe('frame 0');
    channel.send(notification('initialized'));
    channel.send(request('ping', 2));
    await expect.poll(() => log.at(-1)).toBe('frame 2');
    channel.send(modernRequest('tools/call', 3));
    channel.send(cancel(3));
    await expect.poll(() => log.at(-1)).toBe('failed 3 not-sent');
    expect(log.filter((line) => line.includes('tools/call'))).toEqual([]);
    expect(log).toContain('failed 1 not-sent');
  });
});

describe('a channel that is closed', () => {
  it('settles what was sent and what was held, ends the session, and is silent afterwards', async () => {
    const { channel, log } = await server.begin();
    server.on.set('tools/call', () => {});
    channel.send(request('tools/call', 1));
    channel.send(request('tools/call', 1));
    await expect.poll(() => log.toSorted()).toEqual(['failed 1 not-sent', 'got tools/call s1']);
    log.length = 0;
    channel.send(request('ping', 2));
    await Promise.all([channel[Symbol.asyncDispose](), channel[Symbol.asyncDispose]()]);
    expect(log).toEqual(['failed 1 lost', 'failed 2 not-sent', 'got DELETE s1', 'closed']);
    channel.send(request('ping', 3));
    await wait(20);
    expect(log).toHaveLength(4);
  });

  it('settles what waits for a session that is being begun again', async () => {
    const { channel, log } = await server.begin();
    server.forget();
    server.on.set('initialize', () => {});
    channel.send(request('tools/list', 1));
    await expect.poll(() => log.at(-1)).toBe('got initialize');
    await channel[Symbol.asyncDispose]();
    expect(log.slice(-2)).toEqual(['failed 1 not-sent', 'closed']);
  });
});
