/** Who is asked by which channel, how often, and what they hear afterwards; the webhook is a real server. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toTestAnswer, toTestQuestion } from '../../../test/gate/approval-fixture.ts';
import { openSqliteStore } from '../../ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../ledger/store.ts';
import type { Announcer } from './announcer.ts';
import { openAnnouncer } from './announcer.ts';
import type { Approval } from './approval.ts';
import type { Approvals } from './approvals.ts';
import { openApprovals } from './approvals.ts';
import { SIGNATURE_HEADER, signWebhook, verifyWebhook } from './webhook.ts';

const SECRET = 'a shared secret of some length';

interface Posted {
  readonly method: string;
  readonly path: string;
  readonly isSigned: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The outside world's end of the webhook. */
class Receiver {
  readonly got: Posted[] = [];
  reply: (posted: Posted, response: ServerResponse) => void = (_, response) =>
    response.writeHead(204).end();
  readonly #server: Server = createServer((request, response) => {
    void this.#take(request, response);
  });

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ask`;
  }

  kinds(): readonly unknown[] {
    return this.got.map(({ body }) => body['kind']);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const header = String(request.headers[SIGNATURE_HEADER]);
    const posted = {
      method: request.method ?? '',
      path: request.url ?? '',
      isSigned: verifyWebhook(body, header, SECRET, Date.now()).kind === 'signed',
      body: body === '' ? {} : (JSON.parse(body) as Posted['body']),
    };
    this.got.push(posted);
    this.reply(posted, response);
  }
}

let store: Store;
let approvals: Approvals;
let receiver: Receiver;
let announcer: Announcer;
let lines: string[];
let reports: string[];

beforeEach(async () => {
  store = await openSqliteStore(':memory:');
  approvals = openApprovals(store, { pollMs: 20 });
  receiver = new Receiver();
  await receiver.listen();
  [lines, reports] = [[], []];
  announcer = open();
});

afterEach(async () => {
  await announcer[Symbol.asyncDispose]();
  receiver.close();
  await store[Symbol.asyncDispose]();
});

function open(
  changes: { consoleUrl?: string; servedAt?: string; endsSessions?: boolean } = {},
): Announcer {
  const { consoleUrl, servedAt, endsSessions = false } = changes;
  return openAnnouncer({
    approvals,
    webhook: { url: receiver.url, secretEnv: 'HOOK' },
    environment: { HOOK: SECRET },
    consoleUrl: (id) => consoleUrl && `${consoleUrl}/approvals/${id}`,
    servedAt: () => servedAt,
    write: (line) => lines.push(line),
    endsSession: () => endsSessions,
    report: (message) => reports.push(message),
  });
}

function ask(n: number = 1): Promise<Approval> {
  return approvals.request(toTestQuestion(`{"n":${n}}`));
}

function toSigned(answer: Readonly<Record<string, unknown>>): [string, Record<string, string>] {
  const body = JSON.stringify(answer);
  return [body, { [SIGNATURE_HEADER]: signWebhook(body, SECRET, Date.now()) }];
}

async function post(url: unknown, answer: Readonly<Record<string, unknown>>): Promise<Response> {
  const [body, headers] = toSigned(answer);
  return fetch(String(url), { method: 'POST', headers, body });
}

function toYes({ id, display }: Approval): Readonly<Record<string, unknown>> {
  return { id, decision: 'approve', approver: 'ann', display };
}

async function stateOf({ id }: Approval): Promise<string | undefined> {
  return (await approvals.find(id))?.state;
}

describe('the channels', () => {
  it('uses those that the verdict allows, and no others', async () => {
    announcer.announce(await ask(1), ['terminal', 'console']);
    announcer.announce(await ask(2), ['elicitation']);
    announcer.announce(await ask(3), ['webhook']);
    await vi.waitUntil(() => receiver.got.length > 0);
    expect(lines).toHaveLength(1);
    expect(receiver.kinds()).toEqual(['question']);
  });

  it('asks once by each, however often the call is polled', async () => {
    const approval = await ask();
    announcer.announce(approval, ['terminal', 'webhook']);
    for (let times = 0; times < 10; times += 1) {
      announcer.announce(await ask(), ['terminal', 'webhook']);
    }
    await vi.waitUntil(() => receiver.got.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(receiver.got).toMatchObject([{ method: 'POST', isSigned: true }]);
    expect(lines).toEqual([
      `shop/place_order (${approval.id.slice(0, 8)}) is waiting for a person: ` +
        `run \`plimsoll approve ${approval.id.slice(0, 8)}\``,
    ]);
  });

  it('names the console when one runs, and how to start one when nothing else can answer', async () => {
    await announcer[Symbol.asyncDispose]();
    announcer = open({ consoleUrl: 'http://127.0.0.1:4300' });
    const approval = await ask();
    announcer.announce(approval, ['console', 'terminal']);
    expect(lines[0]).toContain(`open http://127.0.0.1:4300/approvals/${approval.id} or run`);
    await announcer[Symbol.asyncDispose]();
    announcer = open();
    announcer.announce(await ask(2), ['console']);
    expect(lines[1]).toContain('run `plimsoll console`');
  });

  it('says nothing about a question that has ended', async () => {
    const { id } = await ask();
    const ended = await approvals.withdraw(id, 'cancelled');
    if (ended !== undefined) announcer.announce(ended, ['terminal', 'webhook']);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([lines, receiver.got]).toEqual([[], []]);
  });
});

describe('the answer by webhook', () => {
  it('is taken at a listener of our own when the gate serves no HTTP', async () => {
    const approval = await ask();
    announcer.announce(approval, ['webhook']);
    await vi.waitUntil(() => receiver.got.length > 0);
    const url = receiver.got[0]?.body['answerUrl'];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/approvals\/[\da-f]{32}$/);
    expect((await fetch(String(url))).status).toBe(405);
    expect((await fetch(new URL('/', String(url)))).status).toBe(404);
    const forged = { method: 'POST', body: JSON.stringify(toYes(approval)) };
    expect((await fetch(String(url), forged)).status).toBe(403);
    expect(await stateOf(approval)).toBe('PENDING');
    expect((await post(url, toYes(approval))).status).toBe(204);
    expect(await approvals.find(approval.id)).toMatchObject({
      state: 'APPROVED',
      approver: 'ann',
      channel: 'webhook',
    });
    const late = await post(url, { ...toYes(approval), decision: 'decline' });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      code: 'already-decided',
      detail: 'The question was already approved by ann by webhook.',
    });
    expect(receiver.kinds()).toEqual(['question']);
  });

  it('is for the question at whose address it comes', async () => {
    const [one, other] = [await ask(1), await ask(2)];
    announcer.announce(one, ['webhook']);
    await vi.waitUntil(() => receiver.got.length > 0);
    expect((await post(receiver.got[0]?.body['answerUrl'], toYes(other))).status).toBe(404);
    expect(await stateOf(other)).toBe('PENDING');
  });

  it('is expected at the address of the gate when it serves HTTP', async () => {
    await announcer[Symbol.asyncDispose]();
    announcer = open({ servedAt: 'http://127.0.0.1:4200' });
    const { id } = await ask();
    announcer.announce(await ask(), ['webhook']);
    await vi.waitUntil(() => receiver.got.length > 0);
    expect(receiver.got[0]?.body['answerUrl']).toBe(`http://127.0.0.1:4200/approvals/${id}`);
  });

  it('may come in the response', async () => {
    const approval = await ask();
    receiver.reply = (_, response) => {
      const [body, headers] = toSigned(toYes(approval));
      response.writeHead(200, headers).end(body);
    };
    announcer.announce(approval, ['webhook']);
    expect(await approvals.waitFor(approval.id, { timeoutMs: 5000 })).toMatchObject({
      state: 'APPROVED',
      channel: 'webhook',
    });
  });

  it('does not count in the response without our signature', async () => {
    const approval = await ask();
    receiver.reply = (_, response) => {
      const headers = { [SIGNATURE_HEADER]: `t=1,v1=${'0'.repeat(64)}` };
      response.writeHead(200, headers).end(JSON.stringify(toYes(approval)));
    };
    announcer.announce(approval, ['webhook']);
    await vi.waitUntil(() => reports.length > 0);
    expect(reports[0]).toContain('refused: bad-signature');
    expect(await stateOf(approval)).toBe('PENDING');
  });

  it('may be fetched from where the response says, until it is there', async () => {
    const approval = await ask();
    let polls = 0;
    receiver.reply = ({ method }, response) => {
      if (method === 'POST') {
        response.writeHead(202, { location: '/ask/1', 'retry-after': '1' }).end();
        return;
      }
      polls += 1;
      if (polls === 1) return void response.writeHead(204).end();
      const [body, headers] = toSigned(toYes(approval));
      response.writeHead(200, headers).end(body);
    };
    announcer.announce(approval, ['webhook']);
    expect(await approvals.waitFor(approval.id, { timeoutMs: 10_000 })).toMatchObject({
      state: 'APPROVED',
      approver: 'ann',
    });
    expect(receiver.got.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /ask',
      'GET /ask/1',
      'GET /ask/1',
    ]);
    expect(receiver.got.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it('is not fetched from another origin', async () => {
    receiver.reply = (_, response) =>
      response.writeHead(202, { location: 'http://127.0.0.2:9/steal' }).end();
    announcer.announce(await ask(), ['webhook']);
    await vi.waitUntil(() => reports.length > 0);
    expect(reports[0]).toContain('another origin');
  });

  it('reports a receiver that fails, and asks no second time', async () => {
    receiver.reply = (_, response) => response.writeHead(503).end();
    announcer.announce(await ask(), ['webhook']);
    await vi.waitUntil(() => reports.length > 0);
    expect(reports).toEqual(['asking by webhook failed: the webhook answered 503']);
    announcer.announce(await ask(), ['webhook']);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(receiver.got).toHaveLength(1);
  });
});

describe('the end of a question', () => {
  it('is told to those who were asked and did not answer', async () => {
    const approval = await ask();
    announcer.announce(approval, ['terminal', 'webhook']);
    await vi.waitUntil(() => receiver.got.length > 0);
    await approvals.answer(approval.id, toTestAnswer(approval.display, { channel: 'console' }));
    await vi.waitUntil(() => receiver.got.length > 1);
    expect(receiver.got[1]).toMatchObject({
      isSigned: true,
      body: { kind: 'ended', id: approval.id, state: 'APPROVED', channel: 'console' },
    });
    expect(lines[1]).toBe(
      `shop/place_order (${approval.id.slice(0, 8)}): approved by mia in the console`,
    );
  });

  it('is told when it was withdrawn', async () => {
    const approval = await ask();
    announcer.announce(approval, ['terminal', 'webhook']);
    await vi.waitUntil(() => receiver.got.length > 0);
    await announcer.withdraw(approval, 'cancelled');
    await vi.waitUntil(() => receiver.got.length > 1);
    expect(receiver.got[1]?.body).toMatchObject({
      kind: 'ended',
      state: 'WITHDRAWN',
      text: 'The question was withdrawn: the caller cancelled the call.',
    });
    expect(lines[1]).toContain('withdrawn: the caller cancelled the call');
  });

  it('comes with the end of a gate whose callers cannot come back', async () => {
    await announcer[Symbol.asyncDispose]();
    announcer = open({ endsSessions: true });
    const approval = await ask();
    announcer.announce(approval, ['webhook']);
    await vi.waitUntil(() => receiver.got.length > 0);
    await announcer[Symbol.asyncDispose]();
    expect(await approvals.find(approval.id)).toMatchObject({
      state: 'WITHDRAWN',
      reason: 'gate-stopped',
    });
    expect(receiver.kinds()).toEqual(['question', 'ended']);
  });

  it('does not come with the end of a gate whose callers can', async () => {
    const approval = await ask();
    announcer.announce(approval, ['terminal']);
    await announcer[Symbol.asyncDispose]();
    expect(await stateOf(approval)).toBe('PENDING');
  });
});

it('wants its secret when it is opened', () => {
  const options = {
    approvals,
    webhook: { url: receiver.url, secretEnv: 'HOOK' },
    environment: {},
    consoleUrl: () => undefined,
    servedAt: () => undefined,
    write: () => {},
    endsSession: () => false,
    report: () => {},
  };
  expect(() => openAnnouncer(options)).toThrow('HOOK');
});
