/** Two weeks of made-up receipts, so that charts and filters have something to show. The same on every run. */
import type { Act } from '../../src/effect/act.ts';
import type { Reach } from '../../src/effect/effect.ts';
import { staysInside } from '../../src/effect/effect.ts';
import type { Tier } from '../../src/effect/tier.ts';
import { TIERS } from '../../src/effect/tier.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Receipt } from '../../src/ledger/receipt.ts';
import { newId } from '../../src/lib/new-id.ts';

interface Habit {
  readonly server: string;
  readonly operation: string;
  readonly act: Act;
  readonly tier: Tier;
  readonly reach: Reach;
  /** How many of a hundred calls. */
  readonly share: number;
  readonly milliseconds: number;
}

const HABITS: readonly Habit[] = Object.freeze([
  toHabit('imagery', 'catalog.search', 'read', 'read', 'vendor-data', 30, 42),
  toHabit('imagery', 'orders.archive.estimate', 'read', 'read', 'vendor-data', 18, 9),
  toHabit('catalog', 'lookup_product', 'read', 'read', 'own-store', 16, 4),
  toHabit('catalog', 'validate_gtin', 'read', 'read', 'none', 10, 1),
  toHabit('imagery', 'analytics.calculate_index', 'compute', 'compute', 'own-account', 9, 310),
  toHabit('catalog', 'generate_qr_url', 'create', 'compute', 'own-store', 7, 6),
  toHabit('imagery', 'orders.archive.place', 'spend', 'external_spend', 'third-party', 5, 88),
  toHabit('imagery', 'share.link.create', 'share', 'share_export', 'user-url', 3, 12),
  toHabit('imagery', 'items.delete', 'delete', 'destructive', 'own-account', 2, 15),
]);

const HOUR = 3_600_000;
const HOURS = 14 * 24;
const PRINCIPALS = ['reef-survey', 'night-batch', 'mara'];

export async function writeHistory(address: string, now: number): Promise<void> {
  await using ledger = await openLedger(address);
  for (let hour = HOURS; hour > 0; hour -= 1) {
    for (let call = 0; call < callsIn(hour); call += 1) {
      const at = now - hour * HOUR + call * 211_000;
      const receipt = toReceipt(mix(hour * 100 + call), at);
      await ledger.record({ receipt, args: { hour, call } });
    }
  }
  await ledger.checkpoint();
}

/** Busier by day than by night. */
function callsIn(hour: number): number {
  const ofDay = (HOURS - hour) % 24;
  return ofDay < 7 || ofDay > 19 ? hour % 3 : 5 + ((ofDay * 5 + hour) % 11);
}

function toReceipt(seed: number, at: number): Receipt {
  const { share: _, milliseconds, ...habit } = habitOf(seed % 100);
  return {
    kind: 'receipt',
    id: newId(at),
    at: new Date(at).toISOString(),
    ...habit,
    openWorld: !staysInside(habit.reach),
    via: 'mcp-http',
    principal: PRINCIPALS[seed % 7 < 4 ? 0 : seed % 3] ?? 'mara',
    rule: 'default',
    ...toEnd(seed, habit.tier),
    milliseconds: milliseconds + (seed % 13),
  };
}

function toEnd(seed: number, tier: Tier): Pick<Receipt, 'decision' | 'outcome'> {
  if (TIERS[tier].asks && seed % 4 === 0) {
    return { decision: 'refused', outcome: 'approval-declined' };
  }
  if (seed % 29 === 0) return { decision: 'ran', outcome: 'server-stopped' };
  return { decision: 'ran', outcome: 'success' };
}

function habitOf(point: number): Habit {
  let upTo = 0;
  const found = HABITS.find(({ share }) => {
    upTo += share;
    return point < upTo;
  });
  if (found === undefined) throw new RangeError('the shares make a hundred');
  return found;
}

/** A deterministic hash that scatters neighbours. */
function mix(number: number): number {
  return Math.imul(number ^ (number >>> 3), 0x9e37_79b1) >>> 8;
}

function toHabit(
  server: string,
  operation: string,
  act: Act,
  tier: Tier,
  reach: Reach,
  share: number,
  milliseconds: number,
): Habit {
  return { server, operation, act, tier, reach, share, milliseconds };
}
