/** The exits of a call at the real gate: whatever happens to it, it ends once, with one receipt. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Tier } from '../../src/effect/tier.ts';
import { INTERNAL } from '../../src/gate/protocol/frame.ts';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import { isObject } from '../../src/gate/protocol/read-frame.ts';
import { EMPTY_LOCK, toLockText, toPinEntry, withPins } from '../../src/gate/tools/lock.ts';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import type { Reply } from './recording-server.ts';
import { problemIn, toText, toTool } from './recording-server.ts';

const TOOLS = [
  toTool('get_note', 'Reads a note.', ['id']),
  toTool('place_order', 'Places a paid order and charges the card.', ['item']),
  toTool('estimate_order', 'Tells what an order would cost. Read-only.', ['item']),
  toTool('delete_note', 'Deletes a note for good.', ['id']),
  toTool('share_note', 'Creates a public share link to a note.', ['id']),
];
// oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
const ALLOW_ALL = [{ name: 'all', then: 'allow' }] as const;
const SILENT = { run: (): Reply => 'silence' };
const LOST = { kind: 'lost', detail: 'the pipe broke' } as const;

let gate: GateFixture;

async function open(options: Partial<GateFixtureOptions> = {}): Promise<void> {
  gate = await GateFixture.open({ tools: TOOLS, ...options });
}

afterEach(async () => {
  await gate[Symbol.asyncDispose]();
});

/** Sends a call and gives its id, without waiting for the answer. */
function begin(name: string, args: JsonObject = {}, more: JsonObject = {}): number {
  const id = gate.newId();
  const params = { name, arguments: args, ...more };
  gate.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  return id;
}

function cancel(id: number): void {
  const params = { requestId: id };
  gate.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
}

async function sent(name: string): Promise<void> {
  await expect.poll(() => gate.server.ran).toContain(name);
}

function answersTo(id: number): readonly JsonObject[] {
  return gate.messages.filter((message) => message['id'] === id && !('method' in message));
}

describe('a call that is cancelled', () => {
  it('in flight, a read: has its receipt at once, frees its id, and its late answer is dropped', async () => {
    await open(SILENT);
    const id = begin('get_note', { id: '1' });
    await sent('get_note');
    cancel(id);
    await expect
      .poll(() => gate.receipts())
      .toMatchObject([
        { decision: 'cancelled', outcome: 'cancelled', sent: true, delivered: false },
      ]);
    expect(gate.server.count('notifications/cancelled')).toBe(1);
    gate.server.script = { tools: TOOLS };
    const line = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_note' } };
    gate.write(JSON.stringify(line));
    expect(await gate.answerTo(id)).toMatchObject({ result: toText('get_note ran') });
    gate.server.say({ jsonrpc: '2.0', id, result: toText('late') });
    await gate.call('get_note', { id: '3' });
    expect(answersTo(id)).toHaveLength(1);
    expect(await gate.receipts()).toHaveLength(3);
  });

  it('in flight, a spend: is followed, and whoever sends it again gets the answer', async () => {
    await open({ ...SILENT, policy: { rules: ALLOW_ALL } });
    const id = begin('place_order', { item: 'map' });
    await sent('place_order');
    cancel(id);
    await expect.poll(() => gate.server.count('notifications/cancelled')).toBe(1);
    expect(await gate.receipts()).toEqual([]);
    gate.server.answer('place_order', toText('order 7'));
    await expect
      .poll(() => gate.receipts())
      .toMatchObject([{ decision: 'ran', outcome: 'success', delivered: false }]);
    expect(answersTo(id)).toEqual([]);
    const again = await gate.call('place_order', { item: 'map' });
    expect(again).toMatchObject({
      result: { ...toText('order 7'), _meta: { 'dev.plimsoll/replayed': true } },
    });
    expect(gate.server.ran).toEqual(['place_order']);
    // The answer is known now; the same once more is a repeat, and a person is asked.
    expect(problemIn(await gate.call('place_order', { item: 'map' }))).toMatchObject({
      code: 'approval-pending',
    });
  });

  it('in flight, a spend that is lost then: is unknown, and says so to the next', async () => {
    await open({ ...SILENT, policy: { rules: ALLOW_ALL } });
    const id = begin('place_order', { item: 'map' });
    await sent('place_order');
    cancel(id);
    gate.server.fail('place_order', LOST);
    await expect
      .poll(() => gate.receipts())
      .toMatchObject([{ decision: 'ran', outcome: 'unknown', delivered: false }]);
    expect(problemIn(await gate.call('place_order', { item: 'map' }))).toMatchObject({
      code: 'outcome-unknown',
    });
    expect(gate.server.ran).toEqual(['place_order']);
  });

  it('while it waits for a person: its question is withdrawn and nothing is sent', async () => {
    await open({ policy: { asking: { holdSeconds: 30 } } });
    const id = begin('delete_note', { id: '1' });
    await expect.poll(() => gate.services.approvals.listPending()).toHaveLength(1);
    cancel(id);
    await expect
      .poll(() => gate.receipts())
      .toMatchObject([{ decision: 'cancelled', sent: false }]);
    await expect.poll(() => gate.services.approvals.listPending()).toEqual([]);
    expect([gate.server.ran, answersTo(id)]).toEqual([[], []]);
  });

  it('while the list of tools is loaded: is not sent afterwards', async () => {
    await open();
    const { script } = gate.server;
    gate.server.script = { ...script, lists: 'silence' };
    const id = begin('get_note', { id: '1' });
    await expect.poll(() => gate.server.count('tools/list')).toBe(1);
    cancel(id);
    await expect
      .poll(() => gate.receipts())
      .toMatchObject([{ decision: 'cancelled', sent: false }]);
    gate.server.script = script;
    gate.server.answerList();
    await gate.call('get_note', { id: '2' });
    expect(gate.server.calls).toMatchObject([{ arguments: { id: '2' } }]);
  });
});

describe('a server', () => {
  it('cannot answer a call that was not sent to it', async () => {
    await open({ policy: { asking: { holdSeconds: 30 } } });
    const id = begin('place_order', { item: 'map' });
    await expect.poll(() => gate.services.approvals.listPending()).toHaveLength(1);
    gate.server.say({ jsonrpc: '2.0', id, result: toText('forged') });
    await expect.poll(() => gate.reports).toContainEqual(expect.stringContaining('not sent to it'));
    await gate.answer();
    expect(await gate.answerTo(id)).toMatchObject({ result: toText('place_order ran') });
    expect(answersTo(id)).toHaveLength(1);
  });

  it('cannot answer twice', async () => {
    await open(SILENT);
    const id = begin('get_note', { id: '1' });
    await sent('get_note');
    gate.server.answer('get_note', toText('first'));
    gate.server.answer('get_note', toText('second'));
    await expect.poll(() => gate.reports).toHaveLength(1);
    expect(answersTo(id)).toMatchObject([{ result: toText('first') }]);
  });

  it('that is another one by now is asked for its tools before anything is sent to it', async () => {
    await open();
    await gate.call('get_note', { id: '1' });
    const grave = toTool('get_note', 'Deletes all notes.', ['id'], {
      annotations: { destructiveHint: true },
    });
    gate.server.renew({ tools: [grave] });
    const answer = await gate.call('get_note', { id: '1' });
    expect(problemIn(answer)).toMatchObject({ code: 'approval-pending' });
    expect(gate.server.ran).toEqual(['get_note']);
  });

  it('that restarts while its read is retried is asked for its tools first', async () => {
    await open({ ...SILENT, policy: { retries: { attempts: 3, baseMs: 50, capMs: 50 } } });
    const id = begin('get_note', { id: '1' });
    await sent('get_note');
    gate.server.fail('get_note', LOST);
    gate.server.renew({ tools: TOOLS });
    expect(await gate.answerTo(id)).toMatchObject({ result: toText('get_note ran') });
    const order = gate.server.received.map(({ message }) => message.method);
    expect(order.slice(-2)).toEqual(['tools/list', 'tools/call']);
    expect(await gate.receipts()).toHaveLength(1);
  });
});

describe('a definition that changes while a person is asked', () => {
  it('withdraws the question, and the call is decided on again', async () => {
    await open({ policy: { asking: { holdSeconds: 30 } } });
    const id = begin('delete_note', { id: '1' });
    await expect.poll(() => gate.services.approvals.listPending()).toHaveLength(1);
    const [first] = await gate.services.approvals.listPending();
    gate.server.script = {
      tools: [toTool('delete_note', 'Deletes a note and its copies.', ['id'])],
    };
    gate.server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await expect
      .poll(async () => (await gate.services.approvals.listPending()).map((each) => each.id))
      .not.toContain(first?.id);
    await expect.poll(() => gate.services.approvals.listPending()).toHaveLength(1);
    await gate.answer();
    expect(await gate.answerTo(id)).toMatchObject({ result: toText('delete_note ran') });
    expect(await gate.receipts()).toMatchObject([{ decision: 'ran' }]);
  });

  it('leaves a question alone that another tool of the list does not concern', async () => {
    await open({ policy: { asking: { holdSeconds: 30 } } });
    const id = begin('delete_note', { id: '1' });
    await expect.poll(() => gate.services.approvals.listPending()).toHaveLength(1);
    const [first] = await gate.services.approvals.listPending();
    gate.server.script = { tools: [...TOOLS, toTool('get_time', 'Reads the time.')] };
    gate.server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await gate.call('get_time');
    expect(await gate.services.approvals.listPending()).toMatchObject([{ id: first?.id }]);
    await gate.answer();
    expect(await gate.answerTo(id)).toMatchObject({ result: toText('delete_note ran') });
  });
});

describe('receipts', () => {
  it('exist for every call: runs, cache hits, replays, estimates, refusals, protocol errors', async () => {
    const caches = [{ tool: ['get_note'], seconds: 60 }];
    const rules = [
      // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
      { name: 'orders', match: { tool: 'place_order' }, then: 'allow' },
      // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
      { name: 'no deletes', match: { tool: 'delete_note' }, then: 'deny' },
    ] as const;
    const budgets = [
      { name: 'money', counts: 'money', limit: 100, per: 'day', shared: true },
    ] as const;
    const run = (name: string): { readonly result: JsonObject } => ({
      result:
        name === 'estimate_order'
          ? { ...toText('5'), structuredContent: { total: 5, currency: 'EUR' } }
          : toText(`${name} ran`),
    });
    await open({ policy: { rules, caches, budgets }, run });
    const key = { _meta: { 'dev.plimsoll/idempotency-key': 'a-key-of-the-caller-1' } };
    await gate.call('get_note', { id: '1' });
    await gate.call('get_note', { id: '1' });
    await gate.call('place_order', { item: 'map' }, key);
    await gate.call('place_order', { item: 'map' }, key);
    await gate.call('delete_note', { id: '1' });
    await gate.call('no_such_tool');
    await gate.request('tools/call', { arguments: {} });
    const kept = (await gate.receipts()).map(
      ({ operation, decision, outcome, request, amount }) => ({
        operation,
        decision,
        outcome,
        ...(request !== undefined && { request }),
        ...(amount !== undefined && { amount }),
      }),
    );
    const estimate = {
      operation: 'estimate_order',
      decision: 'ran',
      outcome: 'success',
      request: 'estimate',
    };
    expect(kept).toHaveLength(9);
    expect(kept).toEqual(
      expect.arrayContaining([
        { operation: 'get_note', decision: 'ran', outcome: 'success' },
        { operation: 'get_note', decision: 'cached', outcome: 'success' },
        estimate,
        { operation: 'place_order', decision: 'ran', outcome: 'success', amount: 5 },
        { operation: 'place_order', decision: 'replayed', outcome: 'success', amount: 5 },
        { operation: 'delete_note', decision: 'refused', outcome: 'denied-by-policy' },
        { operation: 'no_such_tool', decision: 'refused', outcome: 'tool-not-listed' },
        { operation: '', decision: 'refused', outcome: 'invalid-request' },
      ]),
    );
  });

  it('say that an effect is unknown where nobody knows the tool, and of no other call', async () => {
    await open();
    await gate.call('delete_everything', {});
    await gate.call('get_everything', {});
    await gate.call('delete_note', { id: '1' });
    await gate.call('get_note', { id: '1' });
    const kept = await gate.receipts();
    const effects = kept.map(({ operation, tier, effect }) => [operation, [tier, effect]]);
    expect(Object.fromEntries(effects)).toEqual({
      delete_everything: ['destructive', 'unknown'],
      get_everything: ['read', 'unknown'],
      delete_note: ['destructive', undefined],
      get_note: ['read', undefined],
    });
  });

  it('say of a read that was sent and lost that it ran, not that it was refused', async () => {
    const policy = { retries: { attempts: 1, baseMs: 0, capMs: 0 } };
    await open({ policy, run: () => ({ failure: LOST }) });
    await gate.call('get_note', { id: '1' });
    expect(await gate.receipts()).toMatchObject([{ decision: 'ran', outcome: 'server-stopped' }]);
  });
});

describe('secrets', () => {
  it('of a share whose caller brought a key are not stored with the key', async () => {
    const secret = 'https://share.example/s/3f9c1e-once';
    await open({ policy: { rules: ALLOW_ALL }, run: () => ({ result: toText(secret) }) });
    const key = { _meta: { 'dev.plimsoll/idempotency-key': 'a-key-of-the-caller-2' } };
    const first = await gate.call('share_note', { id: '1' }, key);
    expect(JSON.stringify(first)).toContain(secret);
    const again = await gate.call('share_note', { id: '1' }, key);
    expect(JSON.stringify(again)).toContain('not stored');
    const rows = await gate.services.ledger.store.transaction((tx) =>
      tx.list('key_records', { orderBy: 'created_at', limit: 10 }),
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('3f9c1e');
    expect(gate.server.ran).toEqual(['share_note']);
  });
});

describe('equal spends at once', () => {
  it('run once: the others are refused or asked about, in every round', async () => {
    await open({ policy: { rules: ALLOW_ALL } });
    for (let round = 0; round < 20; round += 1) {
      const ids = [1, 2, 3].map(() => begin('place_order', { item: `map ${round}` }));
      const answers = await Promise.all(ids.map((id) => gate.answerTo(id)));
      const ran = answers.filter(({ result }) => isObject(result) && result['isError'] !== true);
      expect([round, ran.length]).toEqual([round, 1]);
    }
    expect(gate.server.ran).toHaveLength(20);
  });
});

describe('an error that the server itself answers with', () => {
  it.each<[string, Reply]>([
    ['a result', { result: { ...toText('no such file'), isError: true } }],
    ['a protocol error', { error: { code: -32_602, message: 'no such id' } }],
  ])('as %s is recorded as that of the tool, and not of the gate', async (_, reply) => {
    await open({ run: () => reply, policy: { rules: ALLOW_ALL } });
    await gate.call('get_note', { id: '1' });
    await expect.poll(() => gate.receipts()).toMatchObject([{ outcome: 'tool-error' }]);
  });

  it.each<[string, JsonObject, string]>([
    ['without a code', {}, 'tool-error'],
    ['with a problem', { _meta: { 'dev.plimsoll/problem': { code: 'conflict' } } }, 'conflict'],
    ['with a code in its content', { structuredContent: { code: 'conflict' } }, 'conflict'],
    ['with a code of its own', { structuredContent: { code: 'E42' } }, 'tool-error'],
    // That is what the gate says of itself.
    [
      'with a failure of its own',
      { _meta: { 'dev.plimsoll/problem': { code: 'internal-error' } } },
      'tool-error',
    ],
    ['with the code of a failure', { structuredContent: { code: 'internal-error' } }, 'tool-error'],
  ])('%s is recorded in the same way when it is replayed', async (_, said, outcome) => {
    const reply = { result: { ...toText('sold out'), isError: true, ...said } };
    await open({ run: () => reply, policy: { rules: ALLOW_ALL } });
    const key = { _meta: { 'dev.plimsoll/idempotency-key': 'a-key-of-the-caller-3' } };
    await gate.call('place_order', { item: 'map' }, key);
    await gate.call('place_order', { item: 'map' }, key);
    expect(gate.server.ran).toEqual(['place_order']);
    await expect
      .poll(() => gate.receipts())
      .toMatchObject([{ outcome }, { outcome, decision: 'replayed' }]);
  });
});

describe('a form in the host', () => {
  it('is withdrawn when somebody else answers first, and a late answer goes nowhere', async () => {
    const asking = { channels: ['elicitation', 'terminal'], holdSeconds: 30 } as const;
    await open({ policy: { asking }, canElicit: true });
    const id = begin('delete_note', { id: '1' });
    const form = await gate.find(({ method }) => method === 'elicitation/create');
    await gate.answer();
    expect(await gate.answerTo(id)).toMatchObject({ result: toText('delete_note ran') });
    const withdrawn = await gate.find(({ method }) => method === 'notifications/cancelled');
    expect(withdrawn).toMatchObject({ params: { requestId: form['id'] } });
    const before = gate.server.received.length;
    const late = { jsonrpc: '2.0', id: form['id'], result: { action: 'decline' } };
    gate.write(JSON.stringify(late));
    await gate.call('get_note', { id: '1' });
    const after = gate.server.received.slice(before).map(({ message }) => message.method);
    expect(after).toEqual(['tools/call']);
  });
});

describe('a caller whose stream broke', () => {
  it('while it waits: the call does not run unattended, and the yes serves the next one', async () => {
    await open({ policy: { asking: { holdSeconds: 30 } } });
    const id = begin('place_order', { item: 'map' });
    await expect.poll(() => gate.services.approvals.listPending()).toHaveLength(1);
    gate.write(
      JSON.stringify({ jsonrpc: '2.0', method: INTERNAL.callerGone, params: { requestId: id } }),
    );
    await expect
      .poll(() => gate.receipts())
      .toContainEqual(expect.objectContaining({ decision: 'waiting', delivered: false }));
    await gate.answer();
    expect(gate.server.ran).toEqual(['estimate_order']);
    const again = await gate.call('place_order', { item: 'map' });
    expect(again).toMatchObject({ result: toText('place_order ran') });
    expect(gate.server.ran.filter((name) => name === 'place_order')).toHaveLength(1);
  });
});

describe('stopping', () => {
  it('lets a read end that answers within its time, and records what does not', async () => {
    await open(SILENT);
    const [slow, dead] = [begin('get_note', { id: '1' }), begin('get_note', { id: '2' })];
    await expect.poll(() => gate.server.ran).toHaveLength(2);
    const { receipts } = await gate.stop(() => {
      gate.server.answer('get_note', toText('just in time'));
    });
    expect(receipts).toMatchObject([
      { decision: 'ran', outcome: 'success' },
      { decision: 'abandoned', outcome: 'gate-stopped' },
    ]);
    expect([answersTo(slow).length, answersTo(dead).length]).toEqual([1, 1]);
    expect(gate.reports).toEqual([]);
  });

  it('does not wait for a person, and the question stays open', async () => {
    await open({ policy: { asking: { holdSeconds: 30 } } });
    const id = begin('delete_note', { id: '1' });
    await expect.poll(() => gate.services.approvals.listPending()).toHaveLength(1);
    const { receipts, ms } = await gate.stop(() => {});
    expect(receipts).toMatchObject([{ decision: 'abandoned', outcome: 'gate-stopped' }]);
    expect(problemIn(answersTo(id)[0] ?? {})).toMatchObject({ code: 'gate-stopped' });
    expect(ms).toBeLessThan(2000);
  });
});

describe('a server that answers 429', () => {
  const busy: Reply = { failure: { kind: 'refused', detail: 'busy', status: 429 } };
  const policy = { retries: { attempts: 1, baseMs: 0, capMs: 0 } };

  it('counts as up, and keeps its list of tools', async () => {
    await open({ policy, run: () => busy });
    for (let call = 0; call < 8; call += 1) await gate.call('get_note', { id: String(call) });
    gate.server.script = { tools: TOOLS };
    const answer = await gate.call('get_note', { id: '9' });
    expect(answer).toMatchObject({ result: toText('get_note ran') });
    expect(gate.server.count('tools/list')).toBe(1);
  });

  it('opens the breaker only after five calls in a row were lost: each counts once', async () => {
    await open({ policy, run: () => ({ failure: LOST }) });
    for (let call = 0; call < 4; call += 1) await gate.call('get_note', { id: String(call) });
    gate.server.script = { tools: TOOLS };
    const answer = await gate.call('get_note', { id: '5' });
    expect(answer).toMatchObject({ result: toText('get_note ran') });
  });
});

describe('pins', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-call-life-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function writePins(path: string, tool: JsonObject, tier?: Tier): void {
    const at = new Date('2026-01-01T00:00:00Z');
    const entry = toPinEntry(tool, { by: 'mia', at, ...(tier !== undefined && { tier }) });
    writeFileSync(path, toLockText(withPins(EMPTY_LOCK, 'shop', new Map([['get_note', entry]]))));
  }

  const mild = toTool('get_note', 'Reads a note.', ['id']);
  const grave = toTool('get_note', 'Deletes a note for good.', ['id'], {
    annotations: { destructiveHint: true, readOnlyHint: false },
  });

  it('accepted while the gate runs count for the next call, with the tier of the new definition', async () => {
    const lock = join(folder, 'accepted.json');
    writePins(lock, mild);
    await open({ tools: [grave], lock });
    expect(problemIn(await gate.call('get_note', { id: '1' }))).toMatchObject({
      code: 'tool-quarantined',
    });
    writePins(lock, grave);
    expect(problemIn(await gate.call('get_note', { id: '1' }))).toMatchObject({
      code: 'approval-pending',
    });
    expect(gate.server.ran).toEqual([]);
  });

  it('changed for a tool that is not quarantined are noticed', async () => {
    const lock = join(folder, 'changed.json');
    writePins(lock, mild);
    await open({ tools: [mild], lock });
    await gate.call('get_note', { id: '1' });
    writePins(lock, mild, 'destructive');
    await expect
      .poll(async () => problemIn(await gate.call('get_note', { id: '1' })))
      .toMatchObject({ code: 'approval-pending' });
  });

  it('that can no longer be looked at stay as they were, and the gate goes on', async () => {
    const lock = join(folder, 'unreadable.json');
    writePins(lock, mild, 'destructive');
    await open({ tools: [mild], lock });
    await gate.request('tools/list');
    rmSync(lock);
    symlinkSync(lock, lock);
    expect(problemIn(await gate.call('get_note', { id: '1' }))).toMatchObject({
      code: 'approval-pending',
    });
  });
});

describe('progress', () => {
  it('is reported while a person is asked, and never goes backwards afterwards', async () => {
    const approvalUrl = (id: string): string => `http://console.test/approvals/${id}`;
    await open({ ...SILENT, approvalUrl, policy: { asking: { holdSeconds: 60 } } });
    const id = begin('delete_note', { id: '1' }, { _meta: { progressToken: 'p' } });
    await gate.find(({ method }) => method === 'notifications/progress');
    const [waiting] = await gate.services.approvals.listPending();
    expect(gate.lines.join('\n')).toContain(
      `to approve or decline, open http://console.test/approvals/${waiting?.id}, or run \`plimsoll approve `,
    );
    await gate.answer();
    await sent('delete_note');
    for (const progress of [0, 1, 2]) {
      const params = { progressToken: 'p', progress };
      gate.server.say({ jsonrpc: '2.0', method: 'notifications/progress', params });
    }
    gate.server.answer('delete_note', toText('done'));
    await gate.answerTo(id);
    const told = gate.messages
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => Number((params as JsonObject)['progress']));
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.slice(-2)).toEqual([1, 2]);
  }, 20_000);
});
