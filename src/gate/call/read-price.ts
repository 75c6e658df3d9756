/**
 * Reads a price out of what an estimate answered. A total counts, or an amount that nothing contradicts; of
 * several the largest, since a price that is shown too low misleads whoever approves it. Where units differ,
 * or an amount cannot be read, there is no price: none is better than a wrong one. Pure.
 */
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
const DEPTH = 6;
const CENTS = 'cents';

interface Candidate {
  readonly isTotal: boolean;
  /** Absent where it cannot be read. */
  readonly amount?: string;
  readonly unit: string;
}

/** `usual` is the unit where the answer states none. */
export function readPrice(result: JsonObject, from: string, usual = ''): Price | undefined {
  if (result['isError'] === true) return undefined;
  const candidates = [...candidatesIn(bodyOf(result), { unit: '', depth: 0 })];
  const [first] = candidates;
  if (first === undefined || candidates.some(({ amount }) => amount === undefined))
    return undefined;
  const units = new Set(candidates.map(({ unit }) => unit.toLowerCase()));
  if (units.size > 1) return undefined;
  const amounts = candidates.map(({ amount = '' }) => amount);
  const isClear = new Set(amounts.map(Number)).size === 1;
  if (!isClear && !candidates.some(({ isTotal }) => isTotal)) return undefined;
  const amount = amounts.reduce((most, each) => (Number(each) > Number(most) ? each : most));
  return { amount, unit: first.unit === '' ? usual : first.unit, from };
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
  /** Within `price: { value: 5 }`, the value is the price. */
  readonly within?: { readonly isTotal: boolean; readonly named: string };
}

function* candidatesIn(value: unknown, place: Place): Generator<Candidate> {
  if (place.depth > DEPTH) return;
  const depth = place.depth + 1;
  if (Array.isArray(value)) {
    for (const each of value as readonly unknown[]) yield* candidatesIn(each, { ...place, depth });
  }
  if (!isObject(value)) return;
  const members = Object.entries(value).map(([name, member]) => [toSnake(name), member] as const);
  const [unit = place.unit] = members.flatMap(([name, text]) =>
    UNIT.test(name) && typeof text === 'string' ? [text] : [],
  );
  for (const [name, member] of members) {
    const within = name === 'value' ? place.within : toKind(name);
    if (within !== undefined && !isHolder(member)) yield toCandidate(member, within, unit);
    else yield* candidatesIn(member, { unit, depth, ...(within !== undefined && { within }) });
  }
}

function toKind(name: string): Place['within'] {
  const isTotal = TOTAL.test(name);
  if (!isTotal && !PART.test(name)) return undefined;
  return { isTotal, named: UNIT_IN_NAME.exec(name)?.[1] ?? '' };
}

function isHolder(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function toCandidate(
  value: unknown,
  { isTotal, named }: NonNullable<Place['within']>,
  stated: string,
): Candidate {
  const unit = toUnit(stated, named);
  if (typeof value === 'number') {
    return { isTotal, unit, ...(value >= 0 && { amount: String(value) }) };
  }
  if (typeof value !== 'string') return { isTotal, unit };
  const [, before, word, whole, rest = '', after, last] = TEXT.exec(value.trim()) ?? [];
  if (whole === undefined) return { isTotal, unit };
  const symbol = before ?? after;
  const said = word ?? last ?? (symbol === undefined ? '' : (SYMBOLS[symbol] ?? ''));
  const amount = `${whole.replaceAll(',', '')}${rest}`;
  return { isTotal, amount, unit: unit === '' ? said : unit };
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
