/** Rules of repeating events, and iterators over them that end even where the rule never matches. */
import ICAL from 'ical.js';
import { invalid } from '../refuse.ts';

const FREQUENCIES: readonly string[] = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];

/** Days are counted one by one, so a step has to be short enough to be counted. */
const LONGEST_INTERVAL = 10_000;

/** How many candidates in a row may not match. A daily rule looks 13 years ahead, past any leap day. */
const MOST_MISSES = 5000;

export function readRule(text: string): ICAL.Recur {
  const rule = tryReading(text.replace(/^RRULE:/i, ''));
  if (rule?.freq === undefined || !FREQUENCIES.includes(rule.freq)) {
    throw invalid(
      '/recurrence_rule',
      'The rule is not an RRULE of iCalendar that repeats hourly or less often: FREQ=WEEKLY;BYDAY=MO',
    );
  }
  if (rule.interval > LONGEST_INTERVAL) {
    throw invalid('/recurrence_rule', `INTERVAL is at most ${LONGEST_INTERVAL}.`);
  }
  if (rule.count !== null && rule.count < 1) {
    throw invalid('/recurrence_rule', 'COUNT is at least 1.');
  }
  return rule;
}

function tryReading(text: string): ICAL.Recur | undefined {
  try {
    return ICAL.Recur.fromString(text);
  } catch {
    return undefined;
  }
}

/** Whether the event happens again after its start, unless the rule itself ends there. */
export function repeats(rule: ICAL.Recur, start: ICAL.Time): boolean {
  try {
    const iterator = boundedIterator(rule, start);
    const times = [iterator.next(), iterator.next()] as readonly (ICAL.Time | null)[];
    return !times.includes(null) || rule.isFinite();
  } catch {
    return false;
  }
}

/** Left to itself, the library looks for the 30th of February forever. */
export function bound(rule: ICAL.Recur): void {
  rule.iterator = (start: ICAL.Time) => boundedIterator(rule, start);
}

/** What decides whether a candidate matches; the types of the library leave it out. */
interface Checking {
  check_contracting_rules: () => boolean;
}

function boundedIterator(rule: ICAL.Recur, dtstart: ICAL.Time): ICAL.RecurIterator {
  if (rule.interval > LONGEST_INTERVAL) throw new RangeError('the interval is too long');
  const iterator = new ICAL.RecurIterator({ rule, dtstart });
  const checking = iterator as unknown as Checking;
  const check = checking.check_contracting_rules.bind(iterator);
  let misses = 0;
  checking.check_contracting_rules = () => {
    const isMatch = check();
    misses = isMatch ? 0 : misses + 1;
    if (misses > MOST_MISSES) throw new RangeError('the rule matches nothing');
    return isMatch;
  };
  return iterator;
}
