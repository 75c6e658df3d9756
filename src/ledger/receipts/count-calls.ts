/**
 * Counts receipts by the hour in which their calls began: calls by tier, decision and server, and the money
 * of spends by server and unit. Pure. A question that was polled is one call, which its last receipt tells about.
 */
import { isTier, TIERS } from '../../effect/tier.ts';
import type { Receipt } from '../receipt.ts';
import { isCall } from './is-call.ts';
import type { ReceiptColumns } from './receipt-columns.ts';
import { toText, toTime } from './receipt-columns.ts';

/** As far as it is counted by. */
export interface CountedReceipt extends Pick<
  ReceiptColumns,
  'at' | 'operation' | 'tier' | 'decision' | 'server' | 'approval'
> {
  readonly amount: number | undefined;
  readonly unit: string;
}

export interface CallCount {
  /** Milliseconds. */
  readonly startsAt: number;
  readonly tier: string;
  readonly decision: string;
  readonly server: string;
  /** Less than zero where calls that were counted before are counted elsewhere now. */
  readonly calls: number;
}

export interface MoneySum {
  readonly startsAt: number;
  readonly server: string;
  /** Empty where the price had none. */
  readonly unit: string;
  /** Those with a known price. */
  readonly calls: number;
  readonly amount: number;
}

export interface CallCounts {
  readonly counts: readonly CallCount[];
  readonly money: readonly MoneySum[];
}

/** The last call that is known of a question. */
export type EarlierCall = Pick<CountedReceipt, 'at' | 'tier' | 'decision' | 'server'>;

export const HOUR = 3_600_000;

/** Whether a body is what was signed is for the audit to say. */
export function toCounted(receipt: Partial<Receipt>): CountedReceipt {
  return {
    at: toTime(receipt.at),
    operation: toText(receipt.operation),
    tier: toText(receipt.tier),
    decision: toText(receipt.decision),
    server: toText(receipt.server),
    approval: toText(receipt.approval),
    ...toMoney(receipt),
  };
}

/** What is counted of a price. Without an amount where it is not known, or cannot be added up. */
export function toMoney({
  amount,
  unit = '',
}: Partial<Receipt>): Pick<CountedReceipt, 'amount' | 'unit'> {
  return typeof amount === 'number' && canAddUp(amount, unit)
    ? { amount, unit }
    : { amount: undefined, unit: '' };
}

/** Code points. Control characters and halves of surrogate pairs are no text for PostgreSQL. */
const UNIT = /^[^\p{Cc}\p{Cs}]{0,64}$/u;

/** Servers name prices: no sum may overflow, and no unit be too long for an index, or counting would fail for good. */
export function canAddUp(amount: number, unit: unknown): boolean {
  return Math.abs(amount) <= Number.MAX_SAFE_INTEGER && typeof unit === 'string' && UNIT.test(unit);
}

/** `receipts` are in the order of the log; `earlier` are the last calls before them, by their question. */
export function countCalls(
  receipts: readonly CountedReceipt[],
  earlier: ReadonlyMap<string, EarlierCall>,
): CallCounts {
  const counts: CallCount[] = [];
  const money: MoneySum[] = [];
  const last = new Map(earlier);
  for (const receipt of receipts) {
    if (!isCall(receipt)) continue;
    const { approval, at, server, unit, amount } = receipt;
    counts.push(toCount(receipt, 1));
    if (approval !== '') {
      const previous = last.get(approval);
      if (previous?.decision === 'waiting') counts.push(toCount(previous, -1));
      last.set(approval, receipt);
    }
    if (amount !== undefined && isSpend(receipt)) {
      money.push({ startsAt: at, server, unit, calls: 1, amount });
    }
  }
  return inSpansOf({ counts, money }, HOUR);
}

function toCount({ at, tier, decision, server }: EarlierCall, calls: number): CallCount {
  return { startsAt: at, tier, decision, server, calls };
}

/** A call that may have run counts: its money may have been spent. */
export function hasRun({ decision }: { readonly decision: string }): boolean {
  return decision === 'ran' || decision === 'unknown';
}

/** A call that moves money: its repeat must be covered by a key. */
export function isSpend(call: { readonly tier: string; readonly decision: string }): boolean {
  return isTier(call.tier) && TIERS[call.tier].needsRepeatContract && hasRun(call);
}

/** The same in spans of this many milliseconds, each tier, decision and server once in a span. */
export function inSpansOf({ counts, money }: CallCounts, length: number): CallCounts {
  const startOf = (at: number): number => Math.floor(at / length) * length;
  const counted = new Map<string, Mutable<CallCount>>();
  for (const { startsAt: at, tier, decision, server, calls } of counts) {
    const startsAt = startOf(at);
    const key = `${startsAt}\0${tier}\0${decision}\0${server}`;
    const sum = counted.get(key);
    if (sum === undefined) counted.set(key, { startsAt, tier, decision, server, calls });
    else sum.calls += calls;
  }
  const added = new Map<string, Mutable<MoneySum>>();
  for (const { startsAt: at, server, unit, calls, amount } of money) {
    const startsAt = startOf(at);
    const key = `${startsAt}\0${server}\0${unit}`;
    const sum = added.get(key);
    if (sum === undefined) added.set(key, { startsAt, server, unit, calls, amount });
    else [sum.calls, sum.amount] = [sum.calls + calls, sum.amount + amount];
  }
  return { counts: [...counted.values()], money: [...added.values()] };
}

/** While it is added to. */
type Mutable<T> = { -readonly [name in keyof T]: T[name] };
