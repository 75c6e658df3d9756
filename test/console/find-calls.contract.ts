/** Pages of calls against a plain look at every receipt; run on every store. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callReceipt, keepCalls, NOON } from './calls-fixture.ts';
import { TIER_NAMES } from '../../src/effect/tier.ts';
import { deriveKeys } from '../../src/ledger/keys.ts';
import type { Receipt } from '../../src/ledger/receipt.ts';
import { indexReceipts } from '../../src/ledger/receipts/index-receipts.ts';
import type { Store } from '../../src/ledger/store.ts';
import type { CallFilter } from '../../src/console/data/call-filter.ts';
import { findCalls } from '../../src/console/data/find-calls.ts';

const RECEIPTS = 600;
const MINUTE = 60_000;
const keys = deriveKeys(Buffer.alloc(32, 7));
const DECISIONS = ['ran', 'ran', 'refused', 'waiting', 'replayed'] as const;
const OUTCOMES = ['success', 'success', 'success', 'unavailable', 'forbidden'] as const;

/** Calls begin before they are numbered, by up to 42 minutes here. */
function receiptAt(index: number): Receipt {
  const pick = <T>(list: readonly T[], salt: number): T =>
    list[(index * 7919 + salt * 104_729) % list.length] as T; // never empty
  return callReceipt({
    at: new Date(NOON + index * MINUTE - (index % 15) * 3 * MINUTE).toISOString(),
    tier: index % 3 === 0 ? pick(TIER_NAMES, 1) : 'read',
    server: index % 41 === 0 ? 'rare' : pick(['shop', 'bank', 'mail'], 2),
    operation: pick(['list', 'pay', 'send', 'drop'], index % 11),
    principal: pick(['mia', 'noa', 'ali', 'kim', 'eva'], index % 3),
    decision: pick(DECISIONS, index % 5),
    outcome: pick(OUTCOMES, index % 7),
    openWorld: index % 4 === 0,
  });
}

const receipts = Array.from({ length: RECEIPTS }, (_, index) => receiptAt(index));

function passes(receipt: Receipt, filter: CallFilter): boolean {
  const { openWorld, since = -Infinity, until = Infinity, ...same } = filter;
  const at = Date.parse(receipt.at);
  const names = Object.keys(same) as (keyof typeof same)[]; // its own keys
  return (
    names.every((name) => receipt[name] === filter[name]) &&
    (openWorld !== true || receipt.openWorld) &&
    at >= since &&
    at < until
  );
}

const time = fc.integer({ min: -20, max: RECEIPTS + 20 }).map((minute) => NOON + minute * MINUTE);
const whole = fc.record({
  tier: fc.constantFrom(...TIER_NAMES),
  server: fc.constantFrom('shop', 'bank', 'rare', 'nowhere'),
  operation: fc.constantFrom('list', 'pay', 'other'),
  principal: fc.constantFrom('mia', 'noa'),
  decision: fc.constantFrom(...DECISIONS),
  outcome: fc.constantFrom(...OUTCOMES),
  openWorld: fc.constant(true as const),
  since: time,
  until: time,
});
const NAMES = 'tier server operation principal decision outcome openWorld since until'.split(' ');
/** Few at a time, or hardly anything fits and no page is ever full. */
const filters: fc.Arbitrary<CallFilter> = fc
  .tuple(whole, fc.subarray(NAMES, { maxLength: 3 }))
  .map(([filter, kept]) =>
    Object.fromEntries(Object.entries(filter).filter(([name]) => kept.includes(name))),
  );

export function findCallsContract(name: string, open: () => Promise<Store>): void {
  describe.each([
    ['the index up to date', RECEIPTS],
    ['half of them indexed', RECEIPTS / 2],
    ['nothing indexed', 0],
  ])(`pages of calls on ${name} with %s`, (_, indexed) => {
    let store: Store;

    beforeAll(async () => {
      store = await open();
      await keepCalls({ store, keys }, receipts.slice(0, indexed));
      await indexReceipts(store);
      await keepCalls({ store, keys }, receipts.slice(indexed));
    });

    afterAll(async () => {
      await store[Symbol.asyncDispose]();
    });

    async function readAll(filter: CallFilter, mostRead: number): Promise<readonly string[]> {
      const found: string[] = [];
      let before: number | undefined;
      for (let pages = 0; pages < RECEIPTS; pages += 1) {
        const page = await findCalls(store, filter, {
          ...(before !== undefined && { before }),
          limit: 7,
          mostRead,
          mostUnindexed: mostRead,
        });
        expect(page.calls.length).toBeLessThanOrEqual(7);
        expect(page.isCut && page.next === undefined).toBe(false);
        found.push(...page.calls.map(({ id }) => id));
        if (page.next === undefined) return found;
        expect(page.next).toBeLessThan(before ?? Infinity);
        before = page.next;
      }
      throw new Error('the pages never end');
    }

    it('give every receipt that fits once, the newest first, however little is looked at', async () => {
      await fc.assert(
        fc.asyncProperty(filters, fc.constantFrom(20, 150, 10_000), async (filter, mostRead) => {
          const expected = receipts.filter((receipt) => passes(receipt, filter));
          const ids = expected.map(({ id }) => id).toReversed();
          expect(await readAll(filter, mostRead)).toEqual(ids);
        }),
        { numRuns: indexed === RECEIPTS ? 60 : 30 },
      );
    }, 120_000); // thousands of round trips to a database that other tests share

    it('index nothing themselves, so that nobody who looks waits for it', async () => {
      await findCalls(store, { tier: 'destructive' }, { limit: 7 });
      const [row] = await store.transaction((tx) =>
        tx.execute('SELECT COUNT(*) AS count FROM receipt_index'),
      );
      expect(row).toEqual({ count: indexed });
    });

    it('say that they ended early, and where to go on', async () => {
      const filter: CallFilter = { operation: 'list', tier: 'destructive', principal: 'nobody' };
      expect(await findCalls(store, filter, { limit: 7, mostRead: 5 })).toEqual({
        calls: [],
        isCut: false,
      });
      const short = await findCalls(store, filter, { limit: 7, mostUnindexed: 5 });
      expect(short).toEqual(
        indexed === RECEIPTS
          ? { calls: [], isCut: false }
          : { calls: [], next: RECEIPTS - 5, isCut: true, unindexed: RECEIPTS - 5 - indexed },
      );
      const rare: CallFilter = { decision: 'ran', tier: 'read', outcome: 'success' };
      const cut = await findCalls(
        store,
        { ...rare, until: NOON + MINUTE },
        { limit: 7, mostRead: 5, mostUnindexed: 5 },
      );
      expect(cut).toMatchObject({ calls: [], isCut: true });
      expect(cut.next).toBeGreaterThan(0);
    });
  });
}
