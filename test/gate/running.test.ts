/** How calls run once they may: counted, kept, keyed, sent again or not, and told truly. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../src/gate/protocol/channel.ts';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import type { Reply } from './recording-server.ts';
import { problemIn, toText, toTool } from './recording-server.ts';

const READ = toTool('get_note', 'Gives one note.', ['id']);
const CREATE = toTool('create_note', 'Adds a note.', ['text'], {
  annotations: { destructiveHint: false },
});
const UPDATE = toTool('update_note', 'Replaces the text of a note.', ['id', 'text']);
const DELETE = toTool('delete_note', 'Deletes a note for good.', ['id']);
const SHARE = toTool('create_share_link', 'Makes a public link to a note that anyone can open.', [
  'id',
]);
const SPEND = toTool('place_order', 'Places an order and charges the account.', ['item']);
const KEYED = toTool('place_order', 'Places an order and charges the account.', [
  'item',
  'idempotency_key',
]);
const TOOLS = [READ, CREATE, UPDATE, DELETE, SHARE, SPEND];

const LOST: Failure = { kind: 'lost', detail: 'the server ended' };
// oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
const ALLOW_ALL = [{ name: 'all', then: 'allow' }] as const;
const NO_WAIT = { attempts: 3, baseMs: 0, capMs: 0 };

let gate: GateFixture;

async function open(options: Partial<GateFixtureOptions> = {}): Promise<GateFixture> {
  gate = await GateFixture.open({ tools: TOOLS, ...options });
  return gate;
}

afterEach(() => gate[Symbol.asyncDispose]());

/** Fails this many times, then answers. */
function failing(times: number, failure: Failure = LOST): () => Reply {
  let left = times;
  return () => {
    left -= 1;
    return left >= 0 ? { failure } : { result: toText('done') };
  };
}

describe('budgets and caches', () => {
  it('counts money by what the estimate told, and stops before a budget is passed', async () => {
    const estimate = toTool('estimate_order', 'Tells what an order would cost.', ['item']);
    const run = (name: string): Reply => ({
      result:
        name === 'estimate_order'
          ? { ...toText('{}'), structuredContent: { total: 40, currency: 'credits' } }
          : toText('ordered'),
    });
    const budget = { name: 'purse', counts: 'money', limit: 100, per: 'day' } as const;
    const budgets = [{ ...budget, match: { tool: 'place_order' } }];
    await open({ tools: [...TOOLS, estimate], run, policy: { rules: ALLOW_ALL, budgets } });
    for (const item of ['a', 'b']) {
      expect(await gate.call('place_order', { item })).toMatchObject({ result: toText('ordered') });
    }
    const problem = problemIn(await gate.call('place_order', { item: 'c' }));
    expect(problem).toMatchObject({ code: 'budget-exhausted' });
    expect(gate.server.ran.filter((name) => name === 'place_order')).toHaveLength(2);
  });

  it('R125: calls that change ordinary state draw on a budget, not on a person', async () => {
    const budget = { name: 'writes', counts: 'calls', limit: 2, per: 'day' } as const;
    await open({ policy: { budgets: [{ ...budget, match: { tool: 'create_*' } }] } });
    for (const text of ['a', 'b']) {
      expect(await gate.call('create_note', { text })).toMatchObject({
        result: toText('create_note ran'),
      });
    }
    const problem = problemIn(await gate.call('create_note', { text: 'c' }));
    expect(problem).toMatchObject({ code: 'budget-exhausted', status: 429 });
    expect(problem['retryAfter']).toBeGreaterThan(0);
    expect(await gate.call('get_note', { id: '1' })).toMatchObject({
      result: toText('get_note ran'),
    });
    expect(gate.server.ran).toEqual(['create_note', 'create_note', 'get_note']);
    expect(await gate.services.approvals.listPending()).toEqual([]);
  });

  it('R154: a read is answered again from what is kept where the policy opted in', async () => {
    await open({ policy: { caches: [{ tool: 'get_*', seconds: 60 }] } });
    const answers = [];
    for (const id of ['1', '1', '2', '1']) answers.push(await gate.call('get_note', { id }));
    expect(answers.map(({ result }) => result)).toEqual(Array(4).fill(toText('get_note ran')));
    expect(gate.server.calls.map(({ arguments: args }) => args)).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
    await gate.call('create_note', { text: 'x' });
    await gate.call('get_note', { id: '1' });
    expect(gate.server.ran).toEqual(['get_note', 'get_note', 'create_note', 'get_note']);
  });

  it('keeps nothing where the policy said nothing', async () => {
    await open();
    await gate.call('get_note', { id: '1' });
    await gate.call('get_note', { id: '1' });
    expect(gate.server.ran).toEqual(['get_note', 'get_note']);
  });

  it('R150: the result of a share is kept neither in the cache nor in the ledger', async () => {
    const secret = 'canary-6b1f';
    await open({
      policy: { rules: ALLOW_ALL, caches: [{ tool: '*', seconds: 60 }] },
      run: () => ({ result: { ...toText(secret), structuredContent: { token: secret } } }),
    });
    const first = await gate.call('create_share_link', { id: '1' });
    expect(JSON.stringify(first)).toContain(secret);
    await gate.call('create_share_link', { id: '1' });
    expect(gate.server.ran).toHaveLength(2);
    await gate.services.ledger.flush();
    const dumps = await gate.services.ledger.store.transaction(async (tx) => {
      const tables = await tx.execute("SELECT name FROM sqlite_master WHERE type = 'table'");
      const rows = [];
      for (const { name } of tables) rows.push(await tx.execute(`SELECT * FROM "${String(name)}"`));
      return JSON.stringify(rows);
    });
    expect(dumps).toContain('create_share_link');
    expect(dumps).not.toContain(secret);
  });
});

describe('keys and repeats', () => {
  const policy = { rules: ALLOW_ALL };

  it('R121: a spend carries the key of the gate where the tool takes one', async () => {
    await open({ tools: [KEYED] });
    await gate.call('place_order', { item: 'map' });
    await gate.answer();
    await gate.call('place_order', { item: 'map' });
    const [{ arguments: args } = {}] = gate.server.calls;
    expect(args).toEqual({ item: 'map', idempotency_key: expect.stringMatching(/^[\w.:-]{16,}$/) });
  });

  it('leaves alone what a tool does not take', async () => {
    await open({ policy });
    await gate.call('place_order', { item: 'map' });
    expect(gate.server.calls).toEqual([{ name: 'place_order', arguments: { item: 'map' } }]);
  });

  it('an equal spend a short while later is asked about, even where spends are allowed', async () => {
    await open({ policy });
    await gate.call('place_order', { item: 'map' });
    expect(problemIn(await gate.call('place_order', { item: 'map' }))).toMatchObject({
      code: 'approval-pending',
    });
    await gate.call('place_order', { item: 'book' });
    expect(gate.server.ran).toHaveLength(2);
    const [question] = await gate.services.approvals.listPending();
    expect(question?.card?.why).toMatch(/equal call/);
  });

  it('an answer that was recorded and never left is replayed to whoever sends the call again', async () => {
    await open({ policy });
    const { ledger } = gate.services;
    const record = ledger.record.bind(ledger);
    const crash = Promise.withResolvers<void>();
    const isRecorded = Promise.withResolvers<void>();
    vi.spyOn(ledger, 'record').mockImplementationOnce(async (...entry) => {
      await record(...entry);
      isRecorded.resolve();
      await crash.promise;
    });
    const first = gate.call('place_order', { item: 'map' });
    await isRecorded.promise;
    expect(await gate.call('place_order', { item: 'map' })).toMatchObject({
      result: { ...toText('place_order ran'), _meta: { 'dev.plimsoll/replayed': true } },
    });
    crash.resolve();
    await first;
    for (const isFlushed of [false, true]) {
      if (isFlushed) await ledger.flush();
      const again = problemIn(await gate.call('place_order', { item: 'map' }));
      expect(again).toMatchObject({ code: 'approval-pending' });
    }
    expect(gate.server.ran).toEqual(['place_order']);
  });

  it('R139: a spend is sent again only with the same key, to who is trusted to heed it', async () => {
    const options = { tools: [KEYED], policy: { ...policy, retries: NO_WAIT } };
    await open({ ...options, trusted: true, run: failing(1) });
    expect(await gate.call('place_order', { item: 'map' })).toMatchObject({
      result: toText('done'),
    });
    const [first, second] = gate.server.calls;
    expect(gate.server.calls).toHaveLength(2);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ arguments: { idempotency_key: expect.any(String) as string } });
  });

  it('R139: a spend without a key is never sent again, and nobody says it failed', async () => {
    await open({ policy: { ...policy, retries: NO_WAIT }, run: failing(1) });
    const problem = problemIn(await gate.call('place_order', { item: 'map' }));
    expect(problem).toMatchObject({ code: 'outcome-doubtful' });
    const again = problemIn(await gate.call('place_order', { item: 'map' }));
    expect(again).toMatchObject({ code: 'outcome-unknown' });
    expect(gate.server.ran).toEqual(['place_order']);
    expect(await gate.receipts()).toMatchObject([
      { decision: 'ran', outcome: 'unknown' },
      { decision: 'refused', outcome: 'outcome-unknown' },
    ]);
  });
});

describe('lost answers', () => {
  const policy = { rules: ALLOW_ALL, retries: NO_WAIT };

  it('R140: a destructive call is never sent again on its own', async () => {
    await open({ policy, run: failing(1) });
    expect(problemIn(await gate.call('delete_note', { id: '1' }))).toMatchObject({
      code: 'outcome-doubtful',
    });
    expect(gate.server.ran).toEqual(['delete_note']);
  });

  it('nor is one that changes ordinary state at a server that nobody vouches for', async () => {
    await open({ policy, run: failing(1) });
    expect(problemIn(await gate.call('update_note', { id: '1' }))).toMatchObject({
      code: 'outcome-doubtful',
    });
    expect(gate.server.ran).toEqual(['update_note']);
  });

  it('a read is sent again, and its receipt tells how often', async () => {
    await open({ policy: { retries: NO_WAIT }, run: failing(2) });
    expect(await gate.call('get_note', { id: '1' })).toMatchObject({ result: toText('done') });
    expect(gate.server.ran).toHaveLength(3);
    expect(await gate.receipts()).toMatchObject([{ outcome: 'success', attempts: 3 }]);
  });

  it('a read that is lost every time says so, and that nothing can have happened', async () => {
    await open({ policy: { retries: NO_WAIT }, run: failing(99) });
    const problem = problemIn(await gate.call('get_note', { id: '1' }));
    expect(problem).toMatchObject({ code: 'server-stopped' });
    expect(gate.server.ran).toHaveLength(3);
  });

  it('what was certainly not sent may be sent again, whatever it does', async () => {
    await open({ policy, run: failing(1, { kind: 'not-sent', detail: 'no line' }) });
    expect(await gate.call('delete_note', { id: '1' })).toMatchObject({ result: toText('done') });
    expect(gate.server.ran).toHaveLength(2);
  });
});

describe('a server that ends while its tools are listed', () => {
  it('leaves nothing in doubt: the call was not run, and its receipt says the same', async () => {
    await open({ lists: { failure: LOST }, policy: { rules: ALLOW_ALL } });
    const { error } = await gate.call('place_order', { item: 'map' });
    expect(error).toMatchObject({ data: { code: 'unavailable' } });
    expect(error).toMatchObject({ message: expect.stringMatching(/Nothing was run/) as string });
    expect(gate.server.ran).toEqual([]);
    expect(await gate.receipts()).toMatchObject([{ decision: 'refused', outcome: 'unavailable' }]);
  });
});

describe('modes', () => {
  it.each([
    ['sandbox', undefined],
    ['live', 'approval-pending'],
  ] as const)('R136 R207: a write that goes out to others, in %s', async (mode, code) => {
    const annotations = { openWorldHint: true };
    await open({ tools: [{ ...CREATE, annotations }, DELETE], mode });
    expect(problemIn(await gate.call('create_note', { text: 'x' }))['code']).toBe(code);
    expect(problemIn(await gate.call('delete_note', { id: '1' }))['code']).toBe('approval-pending');
    expect(gate.server.ran).toEqual(code === undefined ? ['create_note'] : []);
  });
});
