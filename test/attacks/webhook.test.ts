/** Whoever reaches the address for answers by webhook without the secret, and receivers that want more than the card. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { SIGNATURE_HEADER, signWebhook } from '../../src/gate/approvals/webhook.ts';
import { attack } from './attack.ts';
import { AttackedGate } from './attacked-gate.ts';

const SECRET = 'a shared secret of some length';
const TOOLS = [
  { name: 'delete_note', description: 'Deletes a note for good.', inputSchema: { type: 'object' } },
  { name: 'get_note', description: 'Gets a note. Read-only.', inputSchema: { type: 'object' } },
];

interface Question {
  readonly id: string;
  readonly display: string;
  readonly answerUrl: string;
}

interface Heard {
  readonly method: string | undefined;
  readonly signature: string;
  readonly body: string;
}

interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly heard: readonly Heard[];
}

async function openReceiver(
  reply: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<Receiver> {
  const heard: Heard[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, headers } = request;
    const body = await text(request);
    heard.push({ method, body, signature: String(headers[SIGNATURE_HEADER]) });
    reply(response, request);
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    heard,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function openGate(url: string): Promise<AttackedGate> {
  return AttackedGate.open({
    tools: TOOLS,
    policy: `webhook:\n  url: ${url}\n  secretEnv: HOOK_SECRET\nasking:\n  holdSeconds: 0\n  channels: [webhook]\n`,
    env: { HOOK_SECRET: SECRET },
  });
}

async function questionOf({ heard }: Receiver, index = 0): Promise<Question> {
  await vi.waitUntil(() => heard.length > index, { timeout: 10_000 });
  return JSON.parse(heard[index]?.body ?? '') as Question;
}

async function post(url: string, body: string, signature?: string): Promise<number> {
  const headers = signature === undefined ? {} : { [SIGNATURE_HEADER]: signature };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

attack(
  'a local user',
  'answers a question by webhook with a forged, altered, reflected, stale or replayed message',
  async () => {
    await using receiver = await openReceiver((response) => response.writeHead(204).end());
    await using gate = await openGate(receiver.url);
    await gate.call('delete_note', { id: '1' });
    const { id, display, answerUrl } = await questionOf(receiver);
    await gate.call('delete_note', { id: '2' });
    const other = await questionOf(receiver, 1);
    const yes = { id, decision: 'approve', approver: 'ann', display };
    const body = JSON.stringify(yes);
    const now = Date.now();
    const sign = (message: string, at = now): string => signWebhook(message, SECRET, at);
    const signed = (message: object): readonly [string, string] => {
      const content = JSON.stringify(message);
      return [content, sign(content)];
    };
    const [asked] = receiver.heard;
    const forged: readonly (readonly [string, (string | undefined)?])[] = [
      [body],
      [body, ''],
      [body, signWebhook(body, 'another secret, just as long', now)],
      [body, sign(body).replace(/,v1=.*/, '')],
      [body, sign(body).replace('v1=', 'v1=0')],
      [`${body} `, sign(body)],
      [body, sign(body, now - 600_000)],
      [body, sign(body, now + 600_000)],
      [body, `${sign(body, now - 600_000)}, ${sign('x')}`],
      [asked?.body ?? '', asked?.signature],
      ['', sign('')],
      signed({ ...yes, id: other.id, display: other.display }),
      signed({ ...yes, display: other.display }),
      signed({ ...yes, approver: ' ' }),
      signed({ ...yes, channel: 'console' }),
      [
        body.replace('{', '{"decision":"decline",'),
        sign(body.replace('{', '{"decision":"decline",')),
      ],
    ];
    for (const [content, signature] of forged) {
      expect(await post(answerUrl, content, signature)).toBeGreaterThanOrEqual(400);
    }
    expect((await fetch(answerUrl, { headers: { [SIGNATURE_HEADER]: sign('') } })).status).toBe(
      405,
    );
    await gate.call('delete_note', { id: '1' });
    expect(gate.ran()).toEqual([]);
    // The right answer counts once, and nothing after it does.
    expect(await post(answerUrl, body, sign(body))).toBe(204);
    await gate.call('delete_note', { id: '1' });
    expect(await post(answerUrl, body, sign(body))).toBe(409);
    expect(await post(answerUrl, ...signed({ ...yes, decision: 'decline' }))).toBe(409);
    await gate.call('delete_note', { id: '1' });
    await gate.call('delete_note', { id: '2' });
    expect(gate.ran()).toEqual(['delete_note']);
  },
);

attack(
  'a local user',
  'has the gate send cards and signatures to another service, as the receiver of its webhooks',
  async () => {
    await using service = await openReceiver((response) => response.end('{}'));
    const replies = [
      (response: ServerResponse) => response.writeHead(307, { location: service.url }).end(),
      (response: ServerResponse) => response.writeHead(302, { location: service.url }).end(),
      (response: ServerResponse) => response.writeHead(202, { location: service.url }).end(),
      (response: ServerResponse, { method }: IncomingMessage) =>
        method === 'POST'
          ? response.writeHead(202, { location: '/answer', 'retry-after': '0' }).end()
          : response.writeHead(302, { location: service.url }).end(),
    ];
    for (const reply of replies) {
      await using receiver = await openReceiver(reply);
      await using gate = await openGate(receiver.url);
      await gate.call('delete_note', { id: '1' });
      await vi.waitUntil(() => gate.said.includes('asking by webhook failed'), { timeout: 20_000 });
    }
    expect(service.heard).toEqual([]);
  },
);

attack(
  'a local user',
  'stops the gate, or the answers of people, with connections that never end',
  async () => {
    // A receiver that never finishes its response, and drips on.
    const drips: NodeJS.Timeout[] = [];
    await using receiver = await openReceiver((response) => {
      response.writeHead(200);
      drips.push(setInterval(() => response.write('x'), 100));
    });
    await using gate = await openGate(receiver.url);
    await gate.call('delete_note', { id: '1' });
    const { id, display, answerUrl } = await questionOf(receiver);
    const held: Socket[] = [];
    for (let count = 0; count < 200; count += 1) {
      const socket = connect(Number(new URL(answerUrl).port), '127.0.0.1').on('error', () => {});
      socket.write('POST /approvals/x HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
      held.push(socket);
    }
    await gate.call('get_note', {});
    const body = JSON.stringify({ id, decision: 'approve', approver: 'ann', display });
    expect(await post(answerUrl, body, signWebhook(body, SECRET, Date.now()))).toBe(204);
    await gate.call('delete_note', { id: '1' });
    expect(gate.ran()).toEqual(['get_note', 'delete_note']);
    await gate.close();
    for (const drip of drips) clearInterval(drip);
    for (const socket of held) socket.destroy();
  },
);
