/**
 * Reads a price out of what an estimate answered. A total counts, or an amount that nothing contradicts; of
 * several the largest, since a price that is shown too low misleads whoever approves it. Where units differ,
 * or an amount cannot be read, there is no price: none is better than a wrong one. Pure.
 */
import { canAddUp } from '../../ledger/receipts/count-calls.ts';
import type { Price } from '../approvals/card.ts';
import type { JsonObject } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';

const SUFFIX = '(_(credits|cents|usd|eur|gbp))?';
/** The whole, whatever other amounts stand beside it. */
const TOTAL = new RegExp(
  `^((grand_|estimated_)?total(_(price|cost|amount|charge|fee))?|(price|cost|amount)_(total|due))${SUFFIX}$`,
);
/** An amount that may be a part of the whole. */
const PART = new RegExp(
  `^((estimated_)?(price|cost|amount|charge)|estimate|credits|fees?|cost_estimate)${SUFFIX}$`,
);
const UNIT = /^(currency|unit|units|currency_code|asset)$/;
const UNIT_IN_NAME = /(credits|cents|usd|eur|gbp)$/;
const SYMBOLS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' };
/** `12`, `1,200.50`, `$12`, `12.50 USD`, `EUR 5`; a comma only before three digits. */
const TEXT =
  /^(?:([$€£¥])|([A-Za-z]{2,12}) )? ?(\d+|\d{1,3}(?:,\d{3})+)(\.\d+)? ?(?:([$€£¥])|([A-Za-z]{2,12}))?$/;
/** Words of a number that make it another one. */
const SCALE = /^(?:k|m|mn|bn|mio|mrd|tsd|dozen|hundred|thousand|million|billion|lakh|crore)$/i;
/** Other names of money: they are not the price, but one of them can show that it is not all. */
const MONEY =
  /(?:^|_)(?:price|cost|amount|total|subtotal|charge|fee|sum|due|payable|deposit|shipping|tax|vat|surcharge|tip|premium)s?(?:_|$)/;
const NOT_PAID =
  /(?:^|_)(?:available|remaining|balance|left|limit|budget|discount|savings?|saved|min|minimum|ids?|rate|percent|percentage|currency|code|type|name)(?:_|$)/;
/** How often a price is paid that is not a total. */
const COUNT =
  /^(?:quantity|qty|count|copies|seats|nights|days|weeks|months|years|hours|number_of_\w+|num_\w+|\w+_count)$/;
const DEPTH = 32;
const CENTS = 'cents';

interface Candidate {
  /** `other` and `count` are not the price itself. */
  readonly kind: 'total' | 'part' | 'other' | 'count';
  /** One of several in a list. */
  readonly isListed: boolean;
  /** Absent where it cannot be read. */
  readonly amount?: string;
  readonly unit: string;
}

/** `usual` is the unit where the answer states none. */
export function readPrice(result: JsonObject, from: string, usual = ''): Price | undefined {
  if (result['isError'] === true) return undefined;
  const all = [...candidatesIn(bodyOf(result), { unit: '', depth: 0, isListed: false })];
  const candidates = all.filter(({ kind }) => kind === 'total' || kind === 'part');
  const [first] = candidates;
  if (first === undefined || candidates.some(({ amount }) => amount === undefined))
    return undefined;
  const units = new Set(candidates.map(({ unit }) => unit.toLowerCase()));
  if (units.size > 1) return undefined;
  const amounts = candidates.map(({ amount = '' }) => amount);
  const others = all.flatMap(({ kind, amount }) => (kind === 'other' ? [Number(amount ?? 0)] : []));
  const hasTotal = candidates.some(({ kind, isListed }) => kind === 'total' && !isListed);
  // Without a total, whatever else is paid, or how often, would have to be added up by guessing.
  const isAlone =
    new Set([...amounts.map(Number), ...others]).size === 1 &&
    !all.some(({ kind, isListed }) => kind === 'count' || isListed);
  if (!hasTotal && !isAlone) return undefined;
  const amount = amounts.reduce((most, each) => (Number(each) > Number(most) ? each : most));
  if (others.some((other) => other > Number(amount))) return undefined;
  const unit = first.unit === '' ? usual : first.unit;
  return canAddUp(Number(amount), unit) ? { amount, unit, from } : undefined;
}

/** What it costs, as a number of its unit; `undefined` where that is not known. */
export function toAmount(price: Price | undefined): number | undefined {
  const text = price?.amount ?? '';
  const amount = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}

/**
 * What a budget counts of it: whole units, rounded up, so that none is exceeded by parts of one. A budget
 * that names its unit cannot count a price in another one.
 */
export function toMoney(price: Price | undefined, unit?: string): number | undefined {
  const amount = toAmount(price);
  if (price === undefined || amount === undefined) return undefined;
  const own = price.unit.toLowerCase();
  const wanted = unit?.toLowerCase();
  const isInCents = wanted !== undefined && own === `${wanted} ${CENTS}`;
  if (wanted !== undefined && own !== wanted && !isInCents) return undefined;
  const whole = Math.ceil(isInCents ? amount / 100 : amount);
  return Number.isSafeInteger(whole) ? whole : undefined;
}

function bodyOf(result: JsonObject): unknown {
  const structured = result['structuredContent'];
  if (isObject(structured)) return structured;
  const content: unknown = result['content'];
  if (!Array.isArray(content)) return undefined;
  for (const block of content as readonly unknown[]) {
    if (!isObject(block) || typeof block['text'] !== 'string') continue;
    try {
      const value: unknown = JSON.parse(block['text']);
      if (isObject(value)) return value;
    } catch {
      // Prose; an amount picked out of it would be a guess.
    }
  }
  return undefined;
}

interface Place {
  /** Stated by what stands around it. */
  readonly unit: string;
  readonly depth: number;
  readonly isListed: boolean;
  /** Within `price: { value: 5 }`, the value is the price. */
  readonly within?: { readonly kind: Candidate['kind']; readonly named: string };
}

function* candidatesIn(value: unknown, place: Place): Generator<Candidate> {
  if (place.depth > DEPTH) return;
  const depth = place.depth + 1;
  if (Array.isArray(value)) {
    const isListed = place.isListed || value.length > 1;
    for (const each of value as readonly unknown[])
      yield* candidatesIn(each, { ...place, depth, isListed });
  }
  if (!isObject(value)) return;
  const members = Object.entries(value).map(([name, member]) => [toSnake(name), member] as const);
  const [unit = place.unit] = members.flatMap(([name, text]) =>
    UNIT.test(name) && typeof text === 'string' ? [text] : [],
  );
  for (const [name, member] of members) {
    const within = name === 'value' ? place.within : toKind(name);
    if (within === undefined || isHolder(member))
      yield* candidatesIn(member, { ...place, unit, depth, ...(within && { within }) });
    else if (isTelling(within.kind, member)) yield toCandidate(member, { ...place, unit, within });
  }
}

function toKind(name: string): Place['within'] {
  const named = UNIT_IN_NAME.exec(name)?.[1] ?? '';
  if (TOTAL.test(name)) return { kind: 'total', named };
  if (PART.test(name)) return { kind: 'part', named };
  if (COUNT.test(name)) return { kind: 'count', named };
  return MONEY.test(name) && !NOT_PAID.test(name) ? { kind: 'other', named } : undefined;
}

/** A count of one, and what costs nothing, change nothing. */
function isTelling(kind: Candidate['kind'], value: unknown): boolean {
  if (kind === 'total' || kind === 'part') return true;
  const amount = Number(value);
  if (Number.isFinite(amount)) return amount > (kind === 'count' ? 1 : 0);
  return typeof value === 'string' && TEXT.test(value.trim());
}

function isHolder(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function toCandidate(value: unknown, { unit: stated, isListed, within }: Place): Candidate {
  const { kind = 'other', named = '' } = within ?? {};
  const unit = toUnit(stated, named);
  const unread = { kind, isListed, unit };
  if (typeof value === 'number') return value >= 0 ? { ...unread, amount: String(value) } : unread;
  if (typeof value !== 'string') return unread;
  const [, before, word, whole, rest = '', after, last] = TEXT.exec(value.trim()) ?? [];
  const symbol = before ?? after;
  const said = word ?? last ?? (symbol === undefined ? '' : (SYMBOLS[symbol] ?? ''));
  if (whole === undefined || SCALE.test(said)) return unread;
  const amount = `${whole.replaceAll(',', '')}${rest}`;
  return { ...unread, amount, unit: unit === '' ? said : unit };
}

/** `total_cents` beside `currency: USD` is neither a number of dollars nor of anybody's cents. */
function toUnit(stated: string, named: string): string {
  if (named === CENTS && stated !== '' && stated.toLowerCase() !== CENTS)
    return `${stated} ${CENTS}`;
  return stated === '' ? named : stated;
}

function toSnake(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}
