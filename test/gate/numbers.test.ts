/** Integers beyond 2^53 as JavaScript writes them: passed as bytes, shown and bound as text, never compared. */
import { afterEach, describe, expect, it } from 'vitest';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import type { Reply } from './recording-server.ts';
import { problemIn, toText, toTool } from './recording-server.ts';

const GET = toTool('get_note', 'Gives one note.', ['id']);
const DELETE = toTool('delete_note', 'Deletes a note for good.', ['id']);
const SPEND = toTool('place_order', 'Places an order and charges the account.', ['item']);
const ESTIMATE = toTool('estimate_order', 'Tells what an order would cost.', ['item']);
const SNOWFLAKE = 2 ** 60 + 2 ** 10;
const SPELLED = String(SNOWFLAKE);

let gate: GateFixture;

async function open(options: Partial<GateFixtureOptions> = {}): Promise<GateFixture> {
  gate = await GateFixture.open({ tools: [GET, DELETE, SPEND, ESTIMATE], ...options });
  return gate;
}

afterEach(() => gate[Symbol.asyncDispose]());

function toLine(name: string, args: string, id = 'n1'): string {
  return `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
}

function received(): readonly string[] {
  return gate.server.received.map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
}

describe('a number that doubles do not hold', () => {
  it('runs in a read as the bytes it is', async () => {
    expect(SPELLED).toBe('1152921504606848000');
    await open();
    const line = toLine('get_note', `{"id":${SPELLED},"more":[1e+21]}`);
    gate.write(line);
    expect(await gate.answerTo('n1')).toMatchObject({ result: toText('get_note ran') });
    expect(received()).toContain(line);
    expect(await gate.receipts()).toMatchObject([{ decision: 'ran', outcome: 'success' }]);
  });

  it('is shown and bound as its text, and sent as it was shown', async () => {
    await open();
    const line = toLine('delete_note', `{"id":${SPELLED}}`);
    gate.write(line);
    expect(problemIn(await gate.answerTo('n1'))).toMatchObject({ code: 'approval-pending' });
    const [question] = await gate.services.approvals.listPending();
    expect(question?.card?.arguments).toEqual([{ pointer: '/id', value: SPELLED }]);
    expect(question?.card?.warnings).toEqual([]);
    await gate.answer();
    // The same double for a reader of doubles, and another number for everybody else.
    gate.write(toLine('delete_note', '{"id":1152921504606847999}', 'n2'));
    expect(await gate.answerTo('n2')).toMatchObject({ error: { code: -32_700 } });
    expect(gate.server.ran).toEqual([]);
    gate.write(toLine('delete_note', `{"id":${SPELLED}}`, 'n3'));
    expect(await gate.answerTo('n3')).toMatchObject({ result: toText('delete_note ran') });
    expect(received()).toContain(toLine('delete_note', `{"id":${SPELLED}}`, 'n3'));
  });

  it('makes every condition that reads it fail, so that none allows and all forbid', async () => {
    // oxlint-disable unicorn/no-thenable -- a key of the policy; its value is a word
    const rules = [
      { name: 'free', match: { tool: 'delete_note' }, when: 'args.id != 5', then: 'allow' },
      { name: 'not five', match: { tool: 'get_note' }, when: 'args.id == 5', then: 'deny' },
    ] as const;
    // oxlint-enable unicorn/no-thenable
    await open({ policy: { rules } });
    gate.write(toLine('delete_note', `{"id":${SPELLED}}`));
    expect(problemIn(await gate.answerTo('n1'))).toMatchObject({ code: 'approval-pending' });
    gate.write(toLine('get_note', '{"id":1e+21}', 'n2'));
    expect(problemIn(await gate.answerTo('n2'))).toMatchObject({ code: 'denied-by-policy' });
    expect(gate.server.ran).toEqual([]);
    gate.write(toLine('get_note', '{"id":6}', 'n3'));
    expect(await gate.answerTo('n3')).toMatchObject({ result: toText('get_note ran') });
  });

  it('is priced as it is, and an equal spend is known again', async () => {
    const run = (name: string): Reply => ({
      result:
        name === 'estimate_order'
          ? { ...toText('{}'), structuredContent: { total: 40, currency: 'credits' } }
          : toText('ordered'),
    });
    // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
    const rules = [{ name: 'all', then: 'allow' }] as const;
    const budgets = [
      { name: 'purse', counts: 'money', limit: 100, per: 'day', match: { tool: 'place_order' } },
    ] as const;
    await open({ run, policy: { rules, budgets } });
    gate.write(toLine('place_order', `{"item":${SPELLED}}`));
    expect(await gate.answerTo('n1')).toMatchObject({ result: toText('ordered') });
    const estimate = received().find((line) => line.includes('estimate_order","arguments'));
    expect(estimate).toContain(`"arguments":{"item":${SPELLED}}`);
    gate.write(toLine('place_order', `{"item":${SPELLED}}`, 'n2'));
    expect(problemIn(await gate.answerTo('n2'))).toMatchObject({ code: 'approval-pending' });
  });
});
