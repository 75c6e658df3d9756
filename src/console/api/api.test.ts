import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { toTestQuestion } from '../../../test/gate/approval-fixture.ts';
import { callReceipt, keepCalls } from '../../../test/console/calls-fixture.ts';
import { ConsoleDoor } from '../../../test/support/console-door.ts';
import { openApprovals } from '../../gate/approvals/approvals.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { Secret } from '../../lib/secret.ts';
import type { QueueState } from '../queue-watch.ts';

const TOKEN = 't'.repeat(40);

/** The events of a stream, one after another. */
async function* eventsOf(door: ConsoleDoor): AsyncGenerator<QueueState, void> {
  const headers = { cookie: door.cookie, host: new URL(door.origin).host };
  const request = get(`http://127.0.0.1:${door.console.port}/api/events`, { headers });
  try {
    const [response] = await new Promise<readonly [AsyncIterable<Buffer>]>((resolve, reject) => {
      request.on('response', (answer) => resolve([answer])).on('error', reject);
    });
    let text = '';
    for await (const part of response) {
      text += part.toString('utf8');
      for (const [whole, data] of text.matchAll(/event: approvals\ndata: (.*)\n\n/g)) {
        text = text.replace(whole, '');
        yield JSON.parse(data ?? '') as QueueState;
      }
    }
  } finally {
    request.destroy();
  }
}

describe('approvals', () => {
  it('lists what waits and shows one, with its card', async () => {
    await using door = await ConsoleDoor.entered();
    const { id, display } = await door.ask();
    const list = JSON.parse((await door.get('/api/approvals')).text) as unknown;
    expect(list).toMatchObject({
      approvals: [{ id, display, state: 'PENDING', card: { tool: 'place_order' } }],
    });
    const one = await door.get(`/api/approvals/${id}`);
    expect(JSON.parse(one.text)).toMatchObject({ id, binding: { server: 'shop' } });
    const none = await door.get('/api/approvals/none');
    expect(none.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(none.text)).toMatchObject({ status: 404, code: 'not-found' });
  });

  it('answers once what was shown', async () => {
    await using door = await ConsoleDoor.entered();
    const { id, display } = await door.ask();
    const path = `/api/approvals/${id}/answer`;
    const other = await door.postJson(path, { decision: 'approve', display: 'x' });
    expect(JSON.parse(other.text)).toMatchObject({
      status: 409,
      code: 'conflict',
      remedy: expect.stringContaining('the whole digest that GET /api/approvals has'),
    });
    const wide = { decision: 'approve', display, grant: 'session', grantMinutes: 600 };
    expect(JSON.parse((await door.postJson(path, wide)).text)).toMatchObject({
      status: 403,
      remedy: expect.stringMatching(/^Answer with a `grant` that `detail` names/),
    });
    const no = await door.postJson(path, { decision: 'decline', display, reason: 'No.' });
    expect(JSON.parse(no.text)).toMatchObject({
      state: 'DECLINED',
      approver: 'mia',
      reason: 'No.',
    });
    const late = await door.postJson(path, { decision: 'approve', display });
    expect(JSON.parse(late.text)).toMatchObject({ status: 409, code: 'conflict' });
  });

  it.each([
    ['', 400],
    ['[]', 422],
    ['{"decision":"approve"}', 422],
    ['{"decision":"maybe","display":"x"}', 422],
    ['{"decision":"approve","display":"x","grant":"all"}', 422],
    ['{"decision":"approve","display":"x","extra":1}', 422],
    ['{"decision":"decline","decision":"approve","display":"x"}', 400],
  ])('takes no answer like %s', async (body, status) => {
    await using door = await ConsoleDoor.entered();
    const asked = await door.ask();
    const reply = await door.postJson(`/api/approvals/${asked.id}/answer`, body);
    expect(reply.status).toBe(status);
    expect(await door.stateOf(asked)).toBe('PENDING');
  });
});

describe('a token for scripts', () => {
  const answer = (door: ConsoleDoor, id: string, display: string, token: string, origin?: string) =>
    door.send(`/api/approvals/${id}/answer`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(origin !== undefined && { origin }),
      },
      body: JSON.stringify({ decision: 'approve', display }),
    });

  it('lets a program use the API, under a name that says so', async () => {
    await using door = await ConsoleDoor.open({ apiToken: new Secret(TOKEN) });
    const { id, display } = await door.ask();
    expect((await answer(door, id, display, 'x'.repeat(40))).status).toBe(401);
    expect(JSON.parse((await door.get('/api/approvals')).text)).toMatchObject({
      status: 401,
      remedy: expect.stringMatching(/^Send the API token as Authorization: Bearer/),
    });
    expect((await answer(door, id, display, TOKEN, 'http://evil.example')).status).toBe(403);
    const reply = await answer(door, id, display, TOKEN);
    expect(JSON.parse(reply.text)).toMatchObject({
      state: 'APPROVED',
      approver: 'mia, by a script',
    });
  });

  it('opens nothing where the console has none, nor any page', async () => {
    await using door = await ConsoleDoor.open();
    const { id, display } = await door.ask();
    for (const token of ['undefined', '', TOKEN]) {
      expect((await answer(door, id, display, token)).status).toBeGreaterThanOrEqual(401);
    }
    await using other = await ConsoleDoor.open({ apiToken: new Secret(TOKEN) });
    const page = await other.send('/', { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(page.status).toBe(401);
  });
});

describe('events', () => {
  it('tell of what any gate asks and any console answers on the same ledger', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
    const address = `sqlite:${join(folder, 'ledger.sqlite')}`;
    await using cleaning = new AsyncDisposableStack();
    cleaning.defer(() => rmSync(folder, { recursive: true }));
    const door = cleaning.use(await ConsoleDoor.entered({ address }));
    const elsewhere = cleaning.use(await openLedger(address));
    const approvals = openApprovals(elsewhere.store);
    const events = eventsOf(door);
    const next = async (): Promise<number> => {
      const { done, value } = await events.next();
      return done === true ? -1 : value.pending;
    };
    expect(await next()).toBe(0);
    const { id, display } = await approvals.request(toTestQuestion());
    expect(await next()).toBe(1);
    await approvals.request(toTestQuestion('{"to":"bob"}'));
    expect(await next()).toBe(2);
    await door.post(`/approvals/${id}`, { display, decision: 'approve' });
    expect(await next()).toBe(1);
    expect(await approvals.find(id)).toMatchObject({ state: 'APPROVED', channel: 'console' });
    await events.return(undefined);
  });

  it('end when the console closes, so that nothing keeps it open', async () => {
    const door = await ConsoleDoor.entered();
    const events = eventsOf(door);
    await events.next();
    const rest = events.next().catch(() => ({ done: true }));
    await door[Symbol.asyncDispose]();
    expect(await rest).toMatchObject({ done: true });
  });
});

describe('reading', () => {
  it('is good OpenAPI, and every path in it is served', async () => {
    await using door = await ConsoleDoor.entered();
    const document = JSON.parse((await door.get('/api/openapi.json')).text) as {
      readonly paths: Readonly<Record<string, object>>;
    };
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
    const { id } = await door.ask();
    for (const [path, item] of Object.entries(document.paths)) {
      const method = 'get' in item ? 'HEAD' : 'POST';
      const reply =
        method === 'HEAD'
          ? await door.send(path.replace('{id}', id), { method, headers: { cookie: door.cookie } })
          : await door.postJson(path.replace('{id}', id), {});
      expect([path, reply.status]).toEqual([path, method === 'HEAD' ? 200 : 422]);
    }
    expect(JSON.parse((await door.get('/api/nothing')).text)).toMatchObject({ code: 'not-found' });
  });

  it('gives receipts without arguments, by filter, page by page', async () => {
    await using door = await ConsoleDoor.entered();
    expect(JSON.parse((await door.get('/api/calls')).text)).toEqual({ calls: [], isCut: false });
    const receipts = ['a', 'b', 'c'].map((id) => callReceipt({ id, tier: 'external_spend' }));
    const kept = { policy: 'full', args: { card: 'hunter2' } } as const;
    await keepCalls(door.services.ledger, [...receipts, callReceipt()], kept);
    const first = await door.get('/api/calls?tier=external_spend&limit=2');
    expect(JSON.parse(first.text)).toMatchObject({
      calls: [{ seq: 2, receipt: { id: 'c' } }, { receipt: { id: 'b' } }],
      next: 1,
    });
    expect(first.text).not.toMatch(/hunter2|salt/);
    const second = await door.get('/api/calls?tier=external_spend&limit=2&before=1');
    expect(JSON.parse(second.text)).toMatchObject({ calls: [{ seq: 0, receipt: { id: 'a' } }] });
    const reply = await door.get('/api/calls?tier=none');
    expect(JSON.parse(reply.text)).toMatchObject({
      status: 422,
      code: 'invalid-input',
      remedy: 'Correct the query, then send it again.',
    });
  });
});
