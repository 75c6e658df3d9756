/** Moments of a call in which something else happens: what it has taken is given back, and what it did is kept. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { GateFixtureOptions } from '../../../test/gate/gate-fixture.ts';
import { GateFixture } from '../../../test/gate/gate-fixture.ts';
import { toTool } from '../../../test/gate/recording-server.ts';
import { UnrulyRun } from '../../../test/gate/unruly-run.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { INTERNAL } from '../protocol/frame.ts';

const ORDER = toTool('place_order', 'Places a paid order and charges the card.', ['item']);

let gate: GateFixture | undefined;

async function open(options: Partial<GateFixtureOptions> = {}): Promise<GateFixture> {
  gate = await GateFixture.open({ tools: [ORDER], ...options });
  return gate;
}

afterEach(async () => {
  await gate?.[Symbol.asyncDispose]();
  gate = undefined;
});

function notify(method: string, requestId: number): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params: { requestId } });
}

function toCall(id: number): string {
  const params = { name: 'place_order', arguments: { item: 'map' } };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

describe('a call whose question is just being opened', () => {
  it.each([0, 1, 2, 3, 5, 8, 13, 21])(
    'leaves none open when it is cancelled, %i turns later',
    async (turns) => {
      const { services, write, receipts } = bound(await open({ policy: HOLDING }));
      write(toCall(9));
      for (let turn = 0; turn < turns; turn += 1) await new Promise<void>(setImmediate);
      write(notify('notifications/cancelled', 9));
      await expect.poll(receipts).toMatchObject([{ decision: 'cancelled', sent: false }]);
      await sleep(20);
      expect(await services.approvals.listPending()).toEqual([]);
    },
  );
});

describe('a call whose client has gone while it waits for a yes', () => {
  it('is recorded as waiting, with the question that it waits for', async () => {
    const { services, write, receipts } = bound(await open({ policy: HOLDING }));
    write(toCall(9));
    await expect.poll(async () => (await services.approvals.listPending()).length).toBe(1);
    const [question] = await services.approvals.listPending();
    write(notify(INTERNAL.callerGone, 9));
    const waiting = { decision: 'waiting', outcome: 'approval-pending', approval: question?.id };
    await expect.poll(receipts).toMatchObject([{ ...waiting, delivered: false }]);
  });
});

describe('a call that is sent again after a refusal', () => {
  it('may have happened when the gate stops: its key record is kept, though the first attempt did nothing', async () => {
    await using ledger = await openLedger('sqlite::memory:');
    const setting = { asks: 'never', attempts: 3, dedups: true, canElicit: false } as const;
    const run = new UnrulyRun(ledger, setting);
    await run.act({ kind: 'call', tool: 'place_order', item: 'map' });
    await expect.poll(() => run.server.waiting.length).toBe(1);
    await run.act({ kind: 'refuse', which: 0 });
    await expect.poll(() => run.server.arrived.length).toBe(2);
    await run.stop();
    expect(run.server.effects).toHaveLength(1);
    const records = await ledger.store.transaction((tx) =>
      tx.list('key_records', { orderBy: 'created_at', limit: 10 }),
    );
    expect(records).toMatchObject([{ operation: 'shop/place_order', state: 'DISPATCHED' }]);
  });
});

describe('a call that was lost and is asked back when it is sent again', () => {
  it('may have happened the first time: its key record is kept', async () => {
    await using ledger = await openLedger('sqlite::memory:');
    const setting = { asks: 'never', attempts: 3, dedups: true, canElicit: false } as const;
    const run = new UnrulyRun(ledger, setting);
    await run.act({ kind: 'call', tool: 'place_order', item: 'map' });
    await expect.poll(() => run.server.waiting.length).toBe(1);
    await run.act({ kind: 'lose-done', which: 0 });
    await expect.poll(() => run.server.waiting.length).toBe(1);
    await run.act({ kind: 'ask-back', which: 0 });
    await run.stop();
    expect(run.server.effects).toHaveLength(1);
    const records = await ledger.store.transaction((tx) =>
      tx.list('key_records', { orderBy: 'created_at', limit: 10 }),
    );
    expect(records).toMatchObject([{ operation: 'shop/place_order', state: 'DISPATCHED' }]);
  });
});

describe('a call whose tool changes just when it has its yes', () => {
  it('asks again, and its receipt names the question that it waits for', async () => {
    await using ledger = await openLedger('sqlite::memory:');
    const setting = { asks: 'and holds', attempts: 1, dedups: false, canElicit: false } as const;
    const run = new UnrulyRun(ledger, setting);
    const pending = () => run.services.approvals.listPending();
    await run.act({ kind: 'call', tool: 'delete_note', item: 'map' });
    await expect.poll(async () => (await pending()).length).toBe(1);
    const [first] = await pending();
    run.services.approvals.watch(first?.id ?? '', () => run.server.changeTools());
    await run.act({ kind: 'yes', which: 0 });
    await expect.poll(async () => (await pending()).length).toBe(1);
    const [second] = await pending();
    await run.stop();
    await ledger.flush();
    const receipts = await ledger.store.transaction((tx) =>
      tx.list('receipts', { orderBy: 'seq', limit: 10 }),
    );
    const [answer, receipt] = receipts.map(({ body }) => JSON.parse(body) as Receipt);
    expect(answer).toMatchObject({ request: 'answer', approval: first?.id });
    expect(receipt).toMatchObject({ decision: 'abandoned', approval: second?.id });
    expect([receipt?.permit, receipt?.approver]).toEqual([undefined, undefined]);
  });
});

describe('a call whose server says that its tools changed just when it has its yes', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 8, 10, 13])(
    'runs on that yes, if its own tool is the same: %i turns later',
    async (turns) => {
      const fixture = await open({ policy: HOLDING, listChanged: true });
      const { services } = fixture;
      const called = fixture.call('place_order', { item: 'map' });
      await expect.poll(async () => (await services.approvals.listPending()).length).toBe(1);
      const answered = fixture.answer();
      for (let turn = 0; turn < turns; turn += 1) await new Promise<void>(setImmediate);
      fixture.server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      await answered;
      const asksAgain = async (): Promise<string> => {
        const [again] = await services.approvals.listPending();
        return again === undefined ? 'no' : 'yes';
      };
      await expect.poll(() => fixture.server.ran.length > 0 || asksAgain()).not.toBe('no');
      expect(await asksAgain()).toBe('no');
      expect(await called).toMatchObject({ result: { content: [{ text: 'place_order ran' }] } });
      expect(fixture.server.ran).toEqual(['place_order']);
    },
  );
});

const HOLDING = { asking: { holdSeconds: 30 } };

/** Its methods, to be used without it. */
function bound(fixture: GateFixture) {
  return {
    services: fixture.services,
    write: (line: string) => fixture.write(line),
    receipts: () => fixture.receipts(),
  };
}
