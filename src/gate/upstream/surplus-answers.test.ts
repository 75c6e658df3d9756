/** Over real sockets: what a server sends without having been asked is never the answer to a later request. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RemoteSetup } from '../../../test/gate/remote-server.ts';
import { RemoteServer } from '../../../test/gate/remote-server.ts';
import { createSelfSigned } from '../../../test/support/self-signed.ts';
import { HttpClient } from './http-client.ts';
import type { End } from './http-exchange.ts';

const secure = createSelfSigned();
const trusted = getCACertificates('default');
let server: RemoteServer | undefined;
let client: HttpClient | undefined;

beforeEach(() => setDefaultCACertificates([...trusted, secure.cert]));

afterEach(async () => {
  setDefaultCACertificates(trusted);
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function open(setup: Omit<RemoteSetup, 'done'>): Promise<RemoteServer> {
  server = await RemoteServer.open(setup);
  client = new HttpClient({ url: server.url });
  return server;
}

interface Heard {
  readonly end: End;
  readonly body: string;
}

/** `whenDone` runs in the turn of the loop in which the answer arrived. */
function send(whenDone?: () => void): Promise<Heard> {
  let body = '';
  const { promise, resolve } = Promise.withResolvers<Heard>();
  client?.start(
    { method: 'POST', headers: {}, body: Buffer.from('hello!'), silenceMs: 5000 },
    {
      message: (bytes) => (body += bytes.toString('latin1')),
      done: (end) => {
        whenDone?.();
        resolve({ end, body });
      },
    },
  );
  return promise;
}

function answer(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** As much as libuv reads at once. */
const WHOLE_READ = 64 * 1024;
const LONG = answer('x'.repeat(WHOLE_READ - answer('x'.repeat(WHOLE_READ)).length + WHOLE_READ));

/** Over a connection of its own. */
async function expectOwnAnswer(remote: RemoteServer, second: Promise<Heard>): Promise<void> {
  await expect.poll(() => remote.asked).toHaveLength(2);
  expect(remote.asked).toEqual([0, 1]);
  remote.write(1, answer('2'));
  expect(await second).toMatchObject({ end: { status: 200 }, body: '2' });
}

describe.each([
  ['plain', {}],
  ['TLS', { secure }],
] as const)('over %s', (name, setup) => {
  it('an answer behind the answer is not that of a request that follows at once', async () => {
    const remote = await open(setup);
    const second = Promise.withResolvers<Heard>();
    const first = send(() => void send().then(second.resolve));
    await expect.poll(() => remote.asked).toEqual([0]);
    // Read together, and passed on one after the other.
    remote.write(0, name === 'TLS' ? answer('1') : LONG, answer('wrong'));
    expect((await first).end).toMatchObject({ status: 200 });
    await expectOwnAnswer(remote, second.promise);
  });

  it('one that arrived before the next request is not its answer, though it was not read yet', async () => {
    const remote = await open(setup);
    const second = Promise.withResolvers<Heard>();
    const first = send(() => {
      remote.write(0, answer('wrong'));
      void send().then(second.resolve);
    });
    await expect.poll(() => remote.asked).toEqual([0]);
    remote.write(0, answer('1'));
    expect(await first).toMatchObject({ end: { status: 200 }, body: '1' });
    await expectOwnAnswer(remote, second.promise);
  });

  it('a connection that was closed before the next request does not lose it', async () => {
    const remote = await open(setup);
    const second = Promise.withResolvers<Heard>();
    const first = send(() => {
      remote.end(0);
      void send().then(second.resolve);
    });
    await expect.poll(() => remote.asked).toEqual([0]);
    remote.write(0, answer('1'));
    expect(await first).toMatchObject({ end: { status: 200 }, body: '1' });
    await expectOwnAnswer(remote, second.promise);
  });
});

it.each([
  ['plain', {}],
  ['TLS', { secure }],
] as const)(
  'a server that has read a request and hangs up was sent it, over %s',
  async (_, setup) => {
    const remote = await open({ ...setup, hangsUp: true });
    // Busy in each turn of the loop between what it writes and what it reads.
    const busy = setInterval(() => RemoteServer.standStill(), 0);
    try {
      for (let time = 0; time < 5; time += 1) {
        const { end } = await send();
        expect(end).toMatchObject({ kind: 'failed', failure: { kind: 'lost' } });
      }
    } finally {
      clearInterval(busy);
    }
    await expect.poll(() => remote.asked).toHaveLength(5);
  },
);

it('a server that speaks before it is asked is sent nothing', async () => {
  const remote = await open({ greeting: answer('wrong') });
  const sent = send();
  await new Promise<void>((resolve) => void setImmediate(resolve));
  remote.awaitGreeting();
  expect(await sent).toMatchObject({
    end: { kind: 'failed', failure: { kind: 'not-sent' } },
    body: '',
  });
  expect(remote.asked).toEqual([]);
});
