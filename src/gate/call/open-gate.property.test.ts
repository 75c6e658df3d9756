/** Whatever server, client and people do, and when: every call ends once, and what is recorded is what happened. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Act, Setting } from '../../../test/gate/unruly-run.ts';
import { ACTS, TOOLS, UnrulyRun } from '../../../test/gate/unruly-run.ts';
import type { OpenLedger } from '../../ledger/open-ledger.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import type { Receipt } from '../../ledger/receipt.ts';

const anySetting: fc.Arbitrary<Setting> = fc.record({
  asks: fc.constantFrom('never', 'and comes back', 'and holds'),
  attempts: fc.constantFrom(1, 3),
  dedups: fc.boolean(),
  canElicit: fc.boolean(),
});

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      tool: fc.constantFrom(...TOOLS),
      item: fc.constantFrom('map', 'pen'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('keyed' as const),
      key: fc.constantFrom('order-key-number-1', 'order-key-number-2'),
    }),
  },
  { weight: 7, arbitrary: fc.record({ kind: fc.constantFrom(...ACTS), which: fc.nat(3) }) },
);

/** Whether the next act comes before everybody has gone on. */
const anyHaste = fc.nat(3).map((each) => each === 3);

/** A server that misbehaves is reported; nothing else may be. */
const HARMLESS = /dropped its answer to a request that was not sent to it/;

async function receiptsIn(ledger: OpenLedger): Promise<readonly Receipt[]> {
  await ledger.flush();
  const rows = await ledger.store.transaction((tx) =>
    tx.list('receipts', { orderBy: 'seq', limit: 1000 }),
  );
  const records = rows.map(({ body }) => JSON.parse(body) as Receipt);
  return records.filter(({ request }) => request !== 'answer');
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

/** What is wrong after a run, in words. */
async function faultsOf(
  run: UnrulyRun,
  ledger: OpenLedger,
  { asks, dedups }: Setting,
): Promise<readonly string[]> {
  const faults = [...run.faults];
  const { server, reports, settled, calls, closings } = run;
  faults.push(...reports.filter((report) => !HARMLESS.test(report)));
  for (const [id, times] of settled)
    if (times !== 1) faults.push(`${id} was settled ${times} times`);
  if (closings !== 1) faults.push(`closed ${closings} times`);

  const receipts = await receiptsIn(ledger);
  const ofClient = receipts.filter(({ request }) => request === undefined);
  if (ofClient.length !== calls.length) {
    const decisions = ofClient.map(({ decision }) => decision).join();
    faults.push(`${calls.length} calls have ${ofClient.length} receipts: ${decisions}`);
  }

  const records = await ledger.store.transaction((tx) =>
    tx.list('key_records', { orderBy: 'created_at', limit: 1000 }),
  );
  const now = await ledger.store.transaction((tx) => tx.now());
  for (const { state, lease_until, operation } of records) {
    const isResendable = dedups && state === 'DISPATCHED' && lease_until <= now;
    if (state !== 'SUCCEEDED' && state !== 'UNKNOWN' && !isResendable) {
      faults.push(`the key record of ${operation} is left ${state}`);
    }
  }
  for (const tool of ['place_order', 'delete_note']) {
    const effects = server.effects.filter((effect) => effect.tool === tool).length;
    const own = records.filter(({ operation }) => operation === `shop/${tool}`);
    const done = own.filter(({ state }) => state === 'SUCCEEDED').length;
    if (own.length < effects) faults.push(`${effects} effects of ${tool}, ${own.length} records`);
    if (done > effects) faults.push(`${done} records of ${tool} are done, of ${effects} effects`);
  }

  const approvals = await ledger.store.transaction((tx) =>
    tx.list('approvals', { orderBy: 'created_at', limit: 1000 }),
  );
  const named = new Set(ofClient.map(({ approval }) => approval));
  // One that was just being opened when its client went away is known by its state alone.
  const isUnnamed = ofClient.some((each) => each.decision === 'waiting' && !each.approval);
  for (const { id, state } of approvals) {
    if (state === 'PENDING' && !named.has(id) && !isUnnamed) faults.push(`question ${id} is open`);
  }

  const spends = server.effects.filter(({ tool }) => tool === 'place_order');
  for (const key of ['order-key-number-1', 'order-key-number-2']) {
    const times = spends.filter(({ item }) => item === key).length;
    if (times > 1) faults.push(`${key} had ${times} effects`);
  }
  const used = approvals.filter(({ state, tool }) => state === 'USED' && tool === 'place_order');
  const keyless = spends.filter(({ item }) => !item.startsWith('order'));
  const free = asks === 'never' ? new Set(keyless.map(({ item }) => item)).size : 0;
  if (keyless.length > free + used.length) {
    faults.push(
      `${keyless.length} orders, ${free} allowed by the policy, ${used.length} with a yes`,
    );
  }
  return faults;
}

describe('the gate', () => {
  it('ends every call once and forgets no effect, in any order of events', async () => {
    await fc.assert(
      fc.asyncProperty(
        anySetting,
        fc.array(fc.tuple(anyAct, anyHaste), { maxLength: 24, size: '+1' }),
        async (setting, acts) => {
          await using ledger = await openLedger('sqlite::memory:');
          const before = timers();
          const run = new UnrulyRun(ledger, setting);
          for (const [act, isHasty] of acts) {
            await run.act(act);
            if (!isHasty) await run.settle();
          }
          await run.stop();
          await ledger.flush();
          const left = timers() - before;
          const faults = await faultsOf(run, ledger, setting);
          expect([...faults, ...(left > 0 ? [`${left} timers are left`] : [])]).toEqual([]);
        },
      ),
      { numRuns: Number(process.env['RUNS'] ?? 300), seed: Number(process.env['SEED'] ?? 1) },
    );
  }, 600_000);
});
