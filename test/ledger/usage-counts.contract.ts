/** The counts of calls in a ledger against a plain look at every receipt; run on every store. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callReceipt, keepCalls, NOON } from '../console/calls-fixture.ts';
import { deriveKeys } from '../../src/ledger/keys.ts';
import type { Receipt } from '../../src/ledger/receipt.ts';
import type { AuditFinding } from '../../src/ledger/receipts/audit-finding.ts';
import type { AuditRow } from '../../src/ledger/receipts/check-log.ts';
import { UsageCheck } from '../../src/ledger/receipts/check-usage.ts';
import { indexReceipts } from '../../src/ledger/receipts/index-receipts.ts';
import { leafOf } from '../../src/ledger/receipts/number-receipt.ts';
import { readUsage } from '../../src/ledger/receipts/usage-counts.ts';
import { readBody, toColumns } from '../../src/ledger/receipts/receipt-columns.ts';
import type { Store } from '../../src/ledger/store.ts';

const HOUR = 3_600_000;
const [START, END] = [NOON - 60 * HOUR, NOON + 60 * HOUR];
const keys = deriveKeys(Buffer.alloc(32, 7));
/** What is in the log and is no call. */
const OTHERS = ['approvals.answer', 'grants.revoke', 'pins.accept'];

/** Quarters add up exactly, in any order. */
const receipts: fc.Arbitrary<Partial<Receipt>> = fc
  .record({
    at: fc
      .integer({ min: -50, max: 50 })
      .map((hours) => new Date(NOON + hours * HOUR + 7).toISOString()),
    operation: fc.constantFrom('pay', 'pay', 'pay', ...OTHERS),
    tier: fc.constantFrom('read', 'external_spend', 'destructive'),
    server: fc.constantFrom('shop', 'bank', undefined),
    decision: fc.constantFrom('ran', 'waiting', 'waiting', 'unknown', 'refused'),
    approval: fc.constantFrom('a', 'b', 'c', undefined),
    amount: fc.option(
      fc.integer({ min: -4, max: 400 }).map((quarters) => quarters / 4),
      { nil: undefined },
    ),
    unit: fc.constantFrom('EUR', 'credits', undefined),
  })
  .map((made) =>
    Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)),
  );

type Step =
  | { readonly kind: 'append'; readonly receipts: readonly Partial<Receipt>[] }
  | { readonly kind: 'index' | 'index as version 5' | 'open as version 5' };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('append' as const),
        receipts: fc.array(receipts, { minLength: 1, maxLength: 12 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom('index' as const, 'index as version 5' as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'open as version 5' as const }) },
  ),
  { minLength: 1, maxLength: 12 },
);

/** Each count as a line of text, in any order. */
type Lines = readonly string[];

/** A question that came again later is one call, which its last receipt tells about. */
function truthOf(all: readonly Receipt[]): Lines {
  const calls = all.filter(({ operation }) => !OTHERS.includes(operation));
  const kept = calls.filter(
    ({ decision, approval }, index) =>
      decision !== 'waiting' ||
      approval === undefined ||
      calls.slice(index + 1).every((later) => later.approval !== approval),
  );
  const priced = kept.filter(
    ({ tier, decision, amount }) =>
      tier === 'external_spend' && ['ran', 'unknown'].includes(decision) && amount !== undefined,
  );
  return [1, 24].flatMap((hours) => {
    const startOf = ({ at }: Receipt): number =>
      Math.floor(Date.parse(at) / (hours * HOUR)) * hours * HOUR;
    const counts = Map.groupBy(kept, (one) =>
      [hours, startOf(one), one.tier, one.decision, one.server ?? ''].join(' '),
    );
    const money = Map.groupBy(priced, (one) =>
      [hours, startOf(one), one.server ?? '', one.unit ?? ''].join(' '),
    );
    const sumOf = (alike: readonly Receipt[]): number =>
      alike.reduce((sum, { amount = 0 }) => sum + amount, 0);
    return [
      ...[...counts].map(([key, alike]) => `${key}: ${alike.length}`),
      ...[...money].map(([key, alike]) => `${key}: ${alike.length}, ${sumOf(alike)}`),
    ];
  });
}

async function seenIn(store: Store): Promise<Lines> {
  const lines: string[] = [];
  for (const hours of [1, 24] as const) {
    const query = { hours, start: START, end: END, mostUncounted: 1000 };
    const { counts, money, missing } = await store.transaction((tx) => readUsage(tx, query));
    if (missing > 0) lines.push(`${missing} are missing`);
    for (const { startsAt, tier, decision, server, calls } of counts) {
      lines.push(`${[hours, startsAt, tier, decision, server].join(' ')}: ${calls}`);
    }
    for (const { startsAt, server, unit, calls, amount } of money) {
      lines.push(`${[hours, startsAt, server, unit].join(' ')}: ${calls}, ${amount}`);
    }
  }
  return lines;
}

async function audited(store: Store): Promise<readonly AuditFinding[]> {
  const check = await UsageCheck.open(store);
  const rows = (await store.transaction((tx) =>
    tx.execute(`SELECT l.seq, l.id, l.body, l.salt, i.leaf, i.at, i.operation, i.tier, i.decision, i.server,
      i.approval FROM receipt_log l LEFT JOIN receipt_index i ON i.seq = l.seq ORDER BY l.seq`),
  )) as unknown as readonly AuditRow[]; // those of its columns that counts are made of
  for (const row of rows) check.take(row, readBody(row.body));
  return check.end();
}

/** What a process of version 5 does, which knows of no counts. */
async function indexAsVersion5(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    const rows = await tx.execute(
      'SELECT seq, body FROM receipt_log WHERE seq > COALESCE((SELECT MAX(seq) FROM receipt_index), -1) ORDER BY seq',
    );
    const indexed = rows.map(({ seq, body }) => {
      const { id: _, ...columns } = toColumns(readBody(body) ?? {}, Number(seq));
      return { ...columns, leaf: leafOf(String(body)) };
    });
    await tx.insertAll('receipt_index', indexed);
  });
}

async function becomeVersion5(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.execute('DROP VIEW indexed_receipts');
    await tx.execute('DROP TABLE usage_counts');
    await tx.execute('DROP TABLE usage_money');
    await tx.execute("DELETE FROM counters WHERE name = 'counted-receipts'");
    await tx.execute('DELETE FROM ledger_version WHERE version > 5');
  });
}

export function usageCountsContract(name: string, open: () => Promise<Store>): void {
  describe(`counts of calls on ${name}`, () => {
    let store: Store;

    beforeAll(async () => {
      store = await open();
    });

    afterAll(async () => {
      await store[Symbol.asyncDispose]();
    });

    async function empty(): Promise<void> {
      await store.transaction(async (tx) => {
        for (const table of ['receipt_log', 'receipt_index', 'usage_counts', 'usage_money']) {
          await tx.execute(`DELETE FROM ${table}`);
        }
        await tx.execute('UPDATE counters SET value = 0');
      });
    }

    async function perform(step: Step, kept: Receipt[]): Promise<void> {
      switch (step.kind) {
        case 'append': {
          const more = step.receipts.map((changes) => {
            const { server: _, ...receipt } = callReceipt();
            return { ...receipt, ...changes };
          });
          await keepCalls({ store, keys }, more);
          kept.push(...more);
          return;
        }
        case 'index':
          await indexReceipts(store);
          return;
        case 'index as version 5':
          return indexAsVersion5(store);
        case 'open as version 5':
          await becomeVersion5(store);
          await store[Symbol.asyncDispose]();
          store = await open();
          return;
      }
    }

    it('are those of the receipts, whoever has indexed how many of them', async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (list) => {
          await empty();
          const kept: Receipt[] = [];
          for (const step of [...list, { kind: 'index' } as const]) {
            await perform(step, kept);
            expect((await seenIn(store)).toSorted()).toEqual(truthOf(kept).toSorted());
            expect(await audited(store)).toEqual([]);
          }
        }),
        { numRuns: 40 },
      );
    }, 120_000); // thousands of round trips to a database that other tests share

    it('say how many receipts they lack, where too many are not counted yet', async () => {
      await empty();
      const kept = Array.from({ length: 10 }, () => callReceipt());
      await keepCalls({ store, keys }, kept);
      const query = { hours: 1, start: START, end: END, mostUncounted: 4 } as const;
      const look = () => store.transaction((tx) => readUsage(tx, query));
      expect(await look()).toMatchObject({ counts: [{ calls: 4 }], missing: 6 });
      await indexReceipts(store);
      expect(await look()).toMatchObject({ counts: [{ calls: 10 }], missing: 0 });
    });

    it('leave out money that cannot be added up, and count its calls', async () => {
      const spend = (amount: number, unit: string): Receipt =>
        callReceipt({ tier: 'external_spend', decision: 'ran', amount, unit });
      const most = Number.MAX_SAFE_INTEGER;
      const counted = [spend(5, 'EUR'), spend(most, 'big'), spend(1, 'é'.repeat(64)), spend(1, '')];
      const uncounted = [
        ...Array.from({ length: 3 }, () => spend(1.2e308, 'EUR')),
        spend(most * 2, 'EUR'),
        spend(-most * 2, 'EUR'),
        spend(1, randomBytes(6000).toString('hex')),
        spend(1, 'x'.repeat(65)),
        spend(1, 'a\nb'),
        { ...spend(1, ''), unit: { not: 'a text' } as unknown as string },
      ];
      const truth = truthOf([
        ...counted,
        ...uncounted.map(() => callReceipt({ tier: 'external_spend', decision: 'ran' })),
      ]);
      for (const way of [['index'], ['index as version 5', 'open as version 5']] as const) {
        await empty();
        await perform({ kind: 'append', receipts: [...counted, ...uncounted] }, []);
        expect((await seenIn(store)).toSorted()).toEqual(truth.toSorted());
        for (const kind of way) await perform({ kind }, []);
        expect((await seenIn(store)).toSorted()).toEqual(truth.toSorted());
        expect(await audited(store)).toEqual([]);
      }
    });

    const WRONG_COUNTERS = ['-5', '99999', '4611686018427387904'];
    /** PostgreSQL takes nothing else for a number. */
    const NO_NUMBERS = name === 'SQLite' ? ["'abc'", "x'00'", '1.5', '9e999'] : [];

    it.each([...WRONG_COUNTERS, ...NO_NUMBERS])(
      'reach as far as the index where their counter is %s, which the audit finds',
      async (value) => {
        await empty();
        const kept = Array.from({ length: 3 }, () => callReceipt());
        await keepCalls({ store, keys }, kept);
        await indexReceipts(store);
        await store.transaction((tx) =>
          tx.execute(`UPDATE counters SET value = ${value} WHERE name = 'counted-receipts'`),
        );
        expect((await seenIn(store)).toSorted()).toEqual(truthOf(kept).toSorted());
        expect(await audited(store)).toMatchObject([
          { code: 'count-mismatch', message: expect.stringContaining('counter') as string },
        ]);
        const more = [...kept, callReceipt()];
        await keepCalls({ store, keys }, more.slice(3));
        expect((await seenIn(store)).toSorted()).toEqual(truthOf(more).toSorted());
        await indexReceipts(store);
        expect((await seenIn(store)).toSorted()).toEqual(truthOf(more).toSorted());
        expect(await audited(store)).toEqual([]);
      },
    );

    it('are right when several index and append at the same time', async () => {
      await empty();
      await using other = await open();
      const kept: Receipt[] = [];
      await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const receipt = callReceipt({ approval: `q${index % 3}`, decision: 'ran' });
          kept.push(receipt);
          await keepCalls({ store: index % 2 === 0 ? store : other, keys }, [receipt]);
          await indexReceipts(index % 3 === 0 ? store : other);
        }),
      );
      expect((await seenIn(store)).toSorted()).toEqual(truthOf(kept).toSorted());
    });
  });
}
