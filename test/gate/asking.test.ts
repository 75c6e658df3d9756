/** How a person is asked outside of the host, and what a yes is good for. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import type { Reply } from './recording-server.ts';
import { problemIn, toText, toTool } from './recording-server.ts';

const TOOLS = [
  toTool('delete_note', 'Deletes a note for good.', ['id']),
  toTool('estimate_order', 'Tells what an order would cost.', ['item', 'count']),
  toTool('place_order', 'Places an order and charges the account.', ['item', 'count', 'note']),
];

const PENDING = { code: 'approval-pending', status: 428 };

let gate: GateFixture;

async function open(options: Partial<GateFixtureOptions> = {}): Promise<GateFixture> {
  gate = await GateFixture.open({ tools: TOOLS, ...options });
  return gate;
}

afterEach(() => gate[Symbol.asyncDispose]());

describe('asking outside of the host', () => {
  it('R135: a call waits for a person, and the same call runs once after the yes', async () => {
    await open();
    expect(problemIn(await gate.call('delete_note', { id: '1' }))).toMatchObject(PENDING);
    expect(problemIn(await gate.call('delete_note', { id: '1' }))).toMatchObject(PENDING);
    expect(gate.server.ran).toEqual([]);
    const { id } = await gate.answer();
    expect(await gate.call('delete_note', { id: '1' })).toMatchObject({
      result: toText('delete_note ran'),
    });
    expect(problemIn(await gate.call('delete_note', { id: '1' }))).toMatchObject(PENDING);
    expect(gate.server.ran).toEqual(['delete_note']);
    expect(await gate.receipts()).toMatchObject([
      { decision: 'waiting', outcome: 'approval-pending', approval: id },
      { decision: 'waiting', outcome: 'approval-pending', approval: id },
      { decision: 'ran', outcome: 'success', approval: id },
      { decision: 'waiting', outcome: 'approval-pending' },
    ]);
  });

  it('a yes is for these arguments, in any order of keys and spacing: another value asks again', async () => {
    await open();
    await gate.call('delete_note', { id: '1' });
    await gate.answer();
    expect(problemIn(await gate.call('delete_note', { id: '2' }))).toMatchObject(PENDING);
    const spaced = `{"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"delete_note","arguments":{"id": "1"}}}`;
    gate.write(spaced);
    expect(problemIn(await gate.answerTo('s'))).not.toMatchObject(PENDING);
    expect(gate.server.ran).toEqual(['delete_note']);
  });

  it('a no stands for the call that comes again', async () => {
    await open();
    await gate.call('delete_note', { id: '1' });
    await gate.answer('decline');
    const answer = await gate.call('delete_note', { id: '1' });
    expect(problemIn(answer)).toMatchObject({ code: 'approval-declined' });
    expect(gate.server.ran).toEqual([]);
  });

  it('a no with a reason tells the agent why, also when the call comes again', async () => {
    await open();
    await gate.call('delete_note', { id: '1' });
    await gate.answer('decline', { reason: 'Ask "Ann"\nfirst' });
    for (let times = 0; times < 2; times += 1) {
      const answer = await gate.call('delete_note', { id: '1' });
      expect(problemIn(answer)).toMatchObject({
        code: 'approval-declined',
        detail: 'The reason: "Ask \\"Ann\\"⟨U+000A⟩first".',
      });
    }
    expect(gate.server.ran).toEqual([]);
  });

  it('tells of an equal call whose outcome is not known, until that is known', async () => {
    const lost = (): Reply => 'silence';
    await open({ run: lost });
    await gate.call('delete_note', { id: '1' });
    const [first] = await gate.services.approvals.listPending();
    expect(first?.card?.warnings).toEqual([]);
    await gate.answer();
    const call = gate.call('delete_note', { id: '1' });
    await expect.poll(() => gate.server.ran).toEqual(['delete_note']);
    await gate.call('delete_note', { id: '2' });
    await gate.call('delete_note', { id: '1' });
    const [other, second] = await gate.services.approvals.listPending();
    expect(other?.card?.warnings).toEqual([]);
    expect(second?.card?.warnings).toEqual([
      expect.stringMatching(/^An equal call was sent at \S+ \S+ UTC and has not been answered yet/),
    ]);
    gate.server.fail('delete_note', { kind: 'lost', detail: 'the pipe broke' });
    expect(problemIn(await call)).toMatchObject({ code: 'outcome-doubtful' });
    await gate.services.approvals.withdraw(second?.id ?? '', 'cancelled');
    await gate.call('delete_note', { id: '1' });
    const third = (await gate.services.approvals.listPending()).at(-1);
    expect(third?.card?.warnings).toEqual([
      expect.stringMatching(/its outcome is not known: it may have taken effect/),
    ]);
  });

  it('shows what a call would replace, where the policy wants it and another tool reads it', async () => {
    const tools = [
      toTool('write_file', 'Overwrites an existing file with new content.', ['path', 'content']),
      toTool('read_file', 'Returns the content of a file.', ['path']),
      toTool('read_secret_file', 'Returns something else.', ['path']),
    ];
    let reply: Reply = { result: toText('one\ntwo\n') };
    await open({
      tools,
      run: (name) => (name === 'read_file' ? reply : { result: toText('written') }),
      policy: { asking: { readBefore: true } },
    });
    const write = (path: string): Promise<unknown> =>
      gate.call('write_file', { path, content: 'one\n2\u202E\n' });
    const changeOf = async (): Promise<unknown> =>
      (await gate.services.approvals.listPending()).at(-1)?.card?.change;
    await write('a');
    expect(await changeOf()).toEqual({
      from: 'read_file',
      diff: expect.stringMatching(/\n-two\n\+2⟨U\+202E⟩\n/),
    });
    expect(gate.server.calls).toEqual([{ name: 'read_file', arguments: { path: 'a' } }]);
    const records = await gate.receipts();
    expect(records.find(({ operation }) => operation === 'read_file')).toMatchObject({
      request: 'before',
      decision: 'ran',
    });
    expect(records).toHaveLength(2);
    for (const failing of [
      { result: { ...toText('no such file'), isError: true } },
      { error: { code: -32_603, message: 'broken' } },
      { result: toText('x'.repeat(70_000)) },
    ]) {
      reply = failing;
      await write(`b${JSON.stringify(failing).length}`);
      expect(await changeOf()).toBeUndefined();
    }
  });

  it('reads nothing first where the policy does not say so, or would ask about the read itself', async () => {
    const tools = [
      toTool('update_row', 'Updates a row.', ['id', 'name']),
      toTool('get_row', 'Returns a row.', ['id']),
    ];
    const run = (name: string): Reply => ({
      result:
        name === 'get_row'
          ? { ...toText('{}'), structuredContent: { row: { id: '1', name: 'old', size: 3 } } }
          : toText('updated'),
    });
    // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
    const rules = [{ name: 'rows', match: { tool: 'update_*' }, then: 'ask' as const }];
    await open({ tools, run, policy: { rules } });
    await gate.call('update_row', { id: '1', name: 'new' });
    expect(gate.server.ran).toEqual([]);
    await gate[Symbol.asyncDispose]();
    const asking = rules.map((rule) => ({ ...rule, ask: { readBefore: true } }));
    await open({ tools, run, policy: { rules: asking } });
    await gate.call('update_row', { id: '1', name: 'new' });
    const [question] = await gate.services.approvals.listPending();
    expect(question?.card?.change?.diff).toMatch(/-\s+"name": "old",\n\+\s+"name": "new",/);
    await gate[Symbol.asyncDispose]();
    const all = asking.map((rule) => ({ ...rule, match: {} }));
    await open({ tools, run, policy: { rules: all } });
    await gate.call('update_row', { id: '1', name: 'new' });
    expect(gate.server.ran).toEqual([]);
    expect(await gate.services.approvals.listPending()).toHaveLength(1);
  });

  it('holds the call open while a person may still answer', async () => {
    await open({ policy: { asking: { holdSeconds: 20 } } });
    const pending = gate.call('delete_note', { id: '1' });
    await expect.poll(async () => (await gate.services.approvals.listPending()).length).toBe(1);
    expect(gate.server.ran).toEqual([]);
    await gate.answer();
    expect(await pending).toMatchObject({ result: toText('delete_note ran') });
  });

  it('R119 R120 R128: asks about a spend, with the price that the estimate told', async () => {
    const run = (name: string): Reply => ({
      result:
        name === 'estimate_order'
          ? { ...toText('{}'), structuredContent: { total: 240, currency: 'credits' } }
          : toText('ordered'),
    });
    await open({ run });
    const args = { item: 'map', count: '2', note: 'soon' };
    expect(problemIn(await gate.call('place_order', args))).toMatchObject(PENDING);
    const [question] = await gate.services.approvals.listPending();
    expect(question?.card?.price).toEqual({
      amount: '240',
      unit: 'credits',
      from: 'estimate_order',
    });
    expect(gate.server.calls).toEqual([
      { name: 'estimate_order', arguments: { item: 'map', count: '2' } },
    ]);
    await gate.answer();
    expect(await gate.call('place_order', args)).toMatchObject({ result: toText('ordered') });
  });

  it('a price that the caller expects does not keep the estimate from telling it', async () => {
    const estimate = { ...toText('{}'), structuredContent: { total: 240, currency: 'credits' } };
    const run = (name: string): Reply => ({
      result: name === 'estimate_order' ? estimate : toText('ordered'),
    });
    await open({ run });
    await gate.call('place_order', { item: 'map', expected_credits: 240 });
    await gate.call('place_order', { item: 'map', expected_count: 240 });
    const cards = (await gate.services.approvals.listPending()).map(({ card }) => card?.price);
    expect(cards).toEqual([{ amount: '240', unit: 'credits', from: 'estimate_order' }, undefined]);
  });

  it('a yes to one price is no yes to another', async () => {
    let total = 240;
    const run = (name: string): Reply =>
      name === 'estimate_order'
        ? { result: { ...toText('{}'), structuredContent: { total } } }
        : { result: toText('ordered') };
    await open({ run });
    await gate.call('place_order', { item: 'map' });
    await gate.answer();
    total = 9000;
    expect(problemIn(await gate.call('place_order', { item: 'map' }))).toMatchObject(PENDING);
    expect(gate.server.ran).not.toContain('place_order');
  });

  it('an estimate that fails after the yes does not void it, and the shown price counts', async () => {
    let isUp = true;
    const run = (name: string): Reply =>
      name === 'estimate_order'
        ? isUp
          ? { result: { ...toText('{}'), structuredContent: { total: 240 } } }
          : { result: { ...toText('no quote now'), isError: true } }
        : { result: toText('ordered') };
    const budget = { name: 'purse', counts: 'money', limit: 300, per: 'day' } as const;
    const budgets = [{ ...budget, match: { tool: 'place_order' } }];
    await open({ run, policy: { budgets } });
    await gate.call('place_order', { item: 'map' });
    const { id } = await gate.answer();
    isUp = false;
    expect(await gate.call('place_order', { item: 'map' })).toMatchObject({
      result: toText('ordered'),
    });
    expect(await gate.services.approvals.find(id)).toMatchObject({ state: 'USED' });
    isUp = true;
    await gate.call('place_order', { item: 'other map' });
    await gate.answer();
    const second = await gate.call('place_order', { item: 'other map' });
    expect(problemIn(second)).toMatchObject({ code: 'budget-exhausted' });
  });

  it('says who holds the call, why, where to answer and when to send it again', async () => {
    await open({ policy: { asking: { channels: ['terminal'] } } });
    const answer = await gate.call('delete_note', { id: '1' });
    const [question] = await gate.services.approvals.listPending();
    const { detail, retryAfter } = problemIn(answer) as { detail: string; retryAfter: number };
    expect(detail).toContain('Plimsoll is holding this call');
    expect(detail).toContain('delete_note on shop');
    expect(detail).toContain(`\`plimsoll approve ${question?.id.slice(0, 8)}\``);
    const [{ text }] = (answer['result'] as { content: [{ text: string }] }).content;
    expect(text).toContain(detail);
    expect(text).toContain(`Retry the exact same call after ${retryAfter} seconds`);
    expect(text.match(/Nothing was run/g)).toHaveLength(1);
    expect(text.match(/same call/g)).toHaveLength(1);
  });

  it('says how long the call was really held', async () => {
    await open({
      canElicit: true,
      policy: { asking: { channels: ['elicitation'], holdSeconds: 30 } },
    });
    const answer = gate.call('delete_note', { id: '1' });
    const form = await gate.find(({ method }) => method === 'elicitation/create');
    await wait(1000);
    gate.write(JSON.stringify({ jsonrpc: '2.0', id: form['id'], result: { action: 'cancel' } }));
    const { detail } = problemIn(await answer) as { detail: string };
    expect(detail).toMatch(/Nobody answered within [12] seconds?\./);
  });

  it.each(['modern', 'legacy'] as const)(
    'refuses at once where only the form of the host counts, and a client of %s shows none',
    async (era) => {
      await open({ era, policy: { asking: { channels: ['elicitation'], holdSeconds: 30 } } });
      const answer = await gate.call('delete_note', { id: '1' });
      expect(problemIn(answer)).toMatchObject({ code: 'nobody-to-ask' });
      expect(await gate.services.approvals.listPending()).toEqual([]);
      expect(await gate.receipts()).toMatchObject([
        { decision: 'refused', outcome: 'nobody-to-ask', rule: 'tier-asks' },
      ]);
    },
  );

  it('tells the caller when the question was withdrawn while the call was held', async () => {
    await open({ policy: { asking: { holdSeconds: 20 } } });
    const pending = gate.call('delete_note', { id: '1' });
    const { approvals } = gate.services;
    await expect.poll(async () => (await approvals.listPending()).length).toBe(1);
    const [question] = await approvals.listPending();
    await approvals.withdraw(question?.id ?? '', 'gate-stopped');
    const answer = problemIn(await pending) as { detail: string };
    expect(answer.detail).toContain('the gate stopped');
    expect(gate.server.ran).toEqual([]);
  });

  it('a grant covers what it says and no more', async () => {
    await open({ policy: { asking: { grants: ['call', 'arguments'] } } });
    await gate.call('delete_note', { id: '1' });
    await gate.answer('approve', { grant: 'arguments' });
    await gate.call('delete_note', { id: '1' });
    await gate.call('delete_note', { id: '1' });
    expect(gate.server.ran).toEqual(['delete_note', 'delete_note']);
    expect(problemIn(await gate.call('delete_note', { id: '2' }))).toMatchObject(PENDING);
    gate.server.script = { tools: [{ ...TOOLS[0], title: 'Another one' }] };
    gate.server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    expect(problemIn(await gate.call('delete_note', { id: '1' }))).toMatchObject(PENDING);
  });
});
