/** Over real sockets: when a connection is used again, and that Node's own client reads every answer as we do. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from './http-client.ts';
import type { End } from './http-exchange.ts';

let server: Server | undefined;
let client: HttpClient | undefined;
let sockets: Socket[] = [];

afterEach(async () => {
  client?.[Symbol.dispose]();
  for (const socket of sockets) socket.destroy();
  sockets = [];
  const closing = server;
  if (closing === undefined) return;
  await new Promise<void>((resolve) => void closing.close(() => resolve()));
  server = undefined;
});

/** Answers each request with what the test says, as it is. */
async function listen(
  answer: (count: number, asked: string, socket: Socket) => string,
): Promise<string> {
  let count = 0;
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    let asked = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      asked += text;
      if (!asked.endsWith('!')) return;
      count += 1;
      const reply = answer(count, asked, socket);
      if (reply !== '') socket.write(reply, 'latin1');
      asked = '';
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?x=1`;
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';

interface Heard {
  readonly end: End;
  readonly body: string;
}

function send(headers: Readonly<Record<string, string>> = {}): Promise<Heard> {
  let body = '';
  const { promise, resolve } = Promise.withResolvers<Heard>();
  client?.start(
    { method: 'POST', headers, body: Buffer.from('hello!'), silenceMs: 5000 },
    {
      message: (bytes) => (body += bytes.toString('latin1')),
      done: (end) => resolve({ end, body }),
    },
  );
  return promise;
}

async function connectionsFor(first: string, between?: () => Promise<void>): Promise<number> {
  const url = await listen((count) => (count === 1 ? first : `${OK}\r\n{}`));
  client = new HttpClient({ url });
  expect((await send()).end).toMatchObject({ status: 200 });
  await between?.();
  expect(await send()).toMatchObject({ end: { status: 200 }, body: '{}' });
  return sockets.length;
}

describe('a connection', () => {
  it('is used again', async () => {
    expect(await connectionsFor(`${OK}\r\n{}`)).toBe(1);
  });

  it.each([
    ['the server closes it', `${OK}Connection: close\r\n\r\n{}`],
    ['there is more on it than the answer', `${OK}\r\n{}\r\n`],
    [
      'the server keeps it for no longer than the next request takes',
      `${OK}Keep-Alive: timeout=1\r\n\r\n{}`,
    ],
  ])('is not used again when %s', async (_, answer) => {
    expect(await connectionsFor(answer)).toBe(2);
  });

  it('is not used again after the server sent something unasked', async () => {
    const unasked = async (): Promise<void> => {
      const [socket] = sockets;
      if (socket === undefined) throw new Error('there is no connection');
      const closed = once(socket, 'close');
      socket.write(`${OK}\r\n[]`);
      await closed;
    };
    expect(await connectionsFor(`${OK}\r\n{}`, unasked)).toBe(2);
  });

  it('is left alone by an answered request that is aborted when the next one has it', async () => {
    const url = await listen(() => `${OK}\r\n{}`);
    client = new HttpClient({ url });
    const next = Promise.withResolvers<Heard>();
    const order = {
      method: 'POST',
      headers: {},
      body: Buffer.from('hello!'),
      silenceMs: 5000,
    } as const;
    const first = client.start(order, {
      message: () => {
        void send().then(next.resolve);
        first.abort();
      },
      done: () => {},
    });
    expect(await next.promise).toMatchObject({ end: { status: 200 }, body: '{}' });
    expect(sockets).toHaveLength(1);
  });

  it('is closed with its client', async () => {
    client = new HttpClient({ url: await listen(() => `${OK}\r\n{}`) });
    await send();
    const [socket] = sockets;
    if (socket === undefined) throw new Error('there is no connection');
    const closed = once(socket, 'close');
    client[Symbol.dispose]();
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});

describe('a request', () => {
  it('says where it goes and how long it is, whatever its headers say of that', async () => {
    let asked = '';
    const url = await listen((_, text) => {
      asked = text;
      return `${OK}\r\n{}`;
    });
    client = new HttpClient({ url, headers: { 'X-Key': 'a', 'Content-Length': '1' } });
    await send({ 'transfer-encoding': 'chunked', connection: 'close', 'x-text': 'é' });
    const [head = '', body] = asked.split('\r\n\r\n');
    expect(head.split('\r\n')).toEqual([
      'POST /mcp?x=1 HTTP/1.1',
      `host: ${new URL(url).host}`,
      'x-key: a',
      'x-text: é',
      'content-length: 6',
      'connection: keep-alive',
    ]);
    expect(body).toBe('hello!');
  });

  it.each([
    { 'x-a': 'b\r\nx-c: d' },
    { 'x-a': 'b\n' },
    { 'x-a': '\0' },
    { 'x-a': '€' },
    { 'x a': 'b' },
  ])('is not sent with a header that would be more than one: %j', async (headers) => {
    client = new HttpClient({ url: await listen(() => `${OK}\r\n{}`) });
    const { end } = await send(headers);
    expect(end).toMatchObject({ kind: 'failed', failure: { kind: 'not-sent' } });
    expect(sockets).toEqual([]);
  });
});

/** What Node's own client makes of the same bytes. */
function readByNode(url: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = request(url, { method: 'POST', agent: false }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => void chunks.push(chunk));
    response.once('error', () => resolve('refused'));
    response.once('end', () =>
      resolve(`${response.statusCode} ${Buffer.concat(chunks).toString('latin1')}`),
    );
  });
  asked.once('error', () => resolve('refused'));
  asked.end('hello!');
  return promise;
}

const anyOf = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);

/** Many are right, some nearly. Of a refusal the status counts, whatever its body is like. */
const ANSWERS = fc
  .record({
    first: anyOf(
      'HTTP/1.1 200 OK',
      'HTTP/1.0 200 OK',
      'HTTP/1.1 201 Made',
      'HTTP/1.1 204 None',
      'HTTP/1.1 200',
    ),
    headers: fc.array(
      anyOf(
        'Content-Length: 5',
        'content-length:5 ',
        'Content-Length: 05',
        'Content-Length: 4',
        'Content-Length: 5,5',
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: Chunked',
        'Transfer-Encoding: identity',
        'Connection: close',
        'X-A: b',
        'X-A:\tb',
        'X-A : b',
        ' folded',
      ),
      { maxLength: 3 },
    ),
    end: anyOf('\r\n', '\r\n', '\r\n', '\n'),
    body: anyOf(
      'hello',
      '5\r\nhello\r\n0\r\n\r\n',
      '2;a=b\r\nhe\r\n03\r\nllo\r\n0\r\nX: y\r\n\r\n',
      '5 \r\nhello\r\n0\r\n\r\n',
      '5\nhello\n0\n\n',
      '',
    ),
  })
  .map(({ first, headers, end, body }) => [first, ...headers, '', body].join(end));

it('an answer that is taken is the same for the client of Node', { timeout: 60_000 }, async () => {
  let answer = '';
  const url = await listen((_, __, socket) => {
    socket.end(answer, 'latin1');
    return '';
  });
  let taken = 0;
  const isSame = fc.asyncProperty(ANSWERS, async (text) => {
    answer = text;
    client = new HttpClient({ url });
    const { end, body } = await send();
    client[Symbol.dispose]();
    if (end.kind === 'failed') return;
    taken += 1;
    expect(`${end.status} ${body}`).toBe(await readByNode(url));
  });
  await fc.assert(isSame, { numRuns: 300 });
  expect(taken).toBeGreaterThan(20);
});
