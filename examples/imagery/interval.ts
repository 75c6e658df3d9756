/** Time intervals of searches: an instant, a day, or two of them with a slash; `..` leaves an end open. */

export interface Interval {
  /** ISO instants, both included. */
  readonly from?: string;
  readonly until?: string;
}

export type IntervalReading =
  | { readonly kind: 'valid'; readonly interval: Interval }
  | { readonly kind: 'invalid'; readonly reason: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const OPEN = '..';

export function readInterval(text: string): IntervalReading {
  const parts = text.split('/');
  const [first = '', second = first] = parts;
  if (parts.length > 2 || (first === OPEN && second === OPEN)) return invalid(text);
  const from = first === OPEN ? undefined : toInstant(first, 'T00:00:00.000Z');
  const until = second === OPEN ? undefined : toInstant(second, 'T23:59:59.999Z');
  if (from === null || until === null) return invalid(text);
  if (from !== undefined && until !== undefined && from > until) {
    return { kind: 'invalid', reason: 'The interval ends before it starts.' };
  }
  const interval = { ...(from !== undefined && { from }), ...(until !== undefined && { until }) };
  return { kind: 'valid', interval: Object.freeze(interval) };
}

function toInstant(text: string, timeOfDay: string): string | null {
  if (!DAY.test(text) && !INSTANT.test(text)) return null;
  const instant = new Date(DAY.test(text) ? text + timeOfDay : text);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

function invalid(text: string): IntervalReading {
  const reason = `"${text.slice(0, 80)}" is neither a day, an instant, nor two of them with a slash.`;
  return { kind: 'invalid', reason };
}
