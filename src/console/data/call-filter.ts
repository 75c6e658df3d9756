/** Which calls a page shows: parsed from a query string, and written back into one. */
import type { Tier } from '../../effect/tier.ts';
import { isTier } from '../../effect/tier.ts';
import type { Receipt } from '../../ledger/receipt.ts';

export interface CallFilter {
  readonly tier?: Tier;
  readonly server?: string;
  /** The tool, or the operation of a server of our own. */
  readonly operation?: string;
  readonly principal?: string;
  readonly decision?: Receipt['decision'];
  readonly outcome?: string;
  /** Only calls that reached beyond what their server or caller owns. */
  readonly openWorld?: true;
  /** Milliseconds; the first is inclusive, the second exclusive. */
  readonly since?: number;
  readonly until?: number;
}

export interface FilterReading {
  readonly filter: CallFilter;
  /** Invalid fields, as messages for people. */
  readonly faults: readonly string[];
}

const DECISION_WORDS: Readonly<Record<Receipt['decision'], string>> = Object.freeze({
  ran: 'ran',
  refused: 'refused before it ran',
  cached: 'answered from the cache',
  replayed: 'answered from an earlier run',
  waiting: 'waiting for a person',
  declined: 'declined by a person',
  expired: 'not answered in time',
  cancelled: 'cancelled by the caller',
  abandoned: 'not sent, the gate was stopping',
  unknown: 'it may have run',
});

export const DECISIONS: ReadonlyMap<Receipt['decision'], string> = new Map(
  Object.entries(DECISION_WORDS) as [Receipt['decision'], string][], // the record's own keys
);

const TEXTS = ['server', 'operation', 'principal', 'outcome'] as const;
const TIMES = ['since', 'until'] as const;
/** A day, or a minute of one, in UTC. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?$/;

export function readFilter(query: Readonly<Record<string, string>>): FilterReading {
  const faults: string[] = [];
  const filter: Mutable<CallFilter> = {};
  const { tier, decision } = query;
  if (isTier(tier)) filter.tier = tier;
  else if (tier) faults.push('No such tier.');
  if (isDecision(decision)) filter.decision = decision;
  else if (decision) faults.push('No such decision.');
  if (query['open'] === '1') filter.openWorld = true;
  for (const name of TEXTS) {
    const text = query[name] ?? '';
    if (text !== '') filter[name] = text;
  }
  for (const name of TIMES) {
    const text = (query[name] ?? '').trim();
    const time = text === '' ? undefined : toTime(text);
    if (time !== undefined) filter[name] = time;
    else if (text !== '')
      faults.push(`“${name}” is not a time; write 2026-01-31 or 2026-01-31T08:00.`);
  }
  return { filter, faults };
}

/** Without a question mark; empty when nothing is filtered. */
export function toQuery(filter: CallFilter, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams();
  for (const name of ['tier', 'decision', ...TEXTS] as const) {
    const value = filter[name];
    if (value !== undefined) query.set(name, value);
  }
  if (filter.openWorld) query.set('open', '1');
  for (const name of TIMES) {
    const time = filter[name];
    if (time !== undefined) query.set(name, toTimeText(time));
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.toString();
}

/** In the format of `readFilter` and of a datetime-local field. */
export function toTimeText(time: number): string {
  return new Date(time).toISOString().replace(/(:00)?\.000Z$|Z$/, '');
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

function isDecision(text = ''): text is Receipt['decision'] {
  return Object.hasOwn(DECISION_WORDS, text);
}

function toTime(text: string): number | undefined {
  if (!TIME.test(text)) return undefined;
  const time = Date.parse(text.includes('T') && !text.endsWith('Z') ? `${text}Z` : text);
  return Number.isFinite(time) ? time : undefined;
}
