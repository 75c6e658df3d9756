/** Calendar texts: what happens when, in which zone, and what a change leaves alone. */
import { describe, expect, it } from 'vitest';
import { findFree, OFFICE_HOURS, readWindows } from './availability.ts';
import { openEntry } from './component.ts';
import { changeEvent, showEvent, writeEvent } from './event.ts';
import { readMoment, showMoment } from './moments.ts';
import { findOccurrences } from './occurrences.ts';

const setting = { zone: 'Europe/Berlin', now: new Date('2026-01-01T00:00:00Z') };

function occurrences(text: string, from: string, to: string): readonly string[] {
  const opened = openEntry(text, 'vevent');
  if (opened === undefined) throw new Error('there is no event');
  const range = { from: Date.parse(from), to: Date.parse(to) };
  return findOccurrences(opened, range, setting.zone).map((each) => {
    const event = showEvent(each.opened, setting.zone, each);
    return `${event.title} ${event.start}`;
  });
}

/** As another program wrote it, with an exception, a moved occurrence and properties of its own. */
const FOREIGN = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Other//EN
BEGIN:VEVENT
UID:foreign
DTSTAMP:20260101T000000Z
DTSTART;TZID=America/New_York:20260302T083000
DTEND;TZID=America/New_York:20260302T093000
RRULE:FREQ=DAILY;COUNT=5
EXDATE;TZID=America/New_York:20260304T083000
SUMMARY:Sync
X-OTHER-ROOM;X-FLOOR=3:Blue
END:VEVENT
BEGIN:VEVENT
UID:foreign
DTSTAMP:20260101T000000Z
RECURRENCE-ID;TZID=America/New_York:20260305T083000
DTSTART;TZID=America/New_York:20260305T150000
DTEND;TZID=America/New_York:20260305T160000
SUMMARY:Sync, later
END:VEVENT
BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:DAYLIGHT
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
END:STANDARD
END:VTIMEZONE
END:VCALENDAR
`.replaceAll('\n', '\r\n');

describe('repeating events', () => {
  it('skip exceptions and show moved occurrences as they are', () => {
    expect(occurrences(FOREIGN, '2026-03-01', '2026-03-31')).toEqual([
      'Sync 2026-03-02T08:30:00-05:00',
      'Sync 2026-03-03T08:30:00-05:00',
      'Sync, later 2026-03-05T15:00:00-05:00',
      'Sync 2026-03-06T08:30:00-05:00',
    ]);
  });

  it('stay at their local time over both changes of the clock', () => {
    const text = writeEvent(
      'u',
      { title: 'T', start_datetime: '2026-03-01T02:30', recurrence_rule: 'FREQ=MONTHLY' },
      setting,
    );
    const all = occurrences(text, '2026-01-01', '2026-12-31');
    expect(all.map((line) => line.slice(-14))).toEqual([
      '02:30:00+01:00',
      ...Array.from({ length: 7 }, () => '02:30:00+02:00'),
      '02:30:00+01:00',
      '02:30:00+01:00',
    ]);
  });

  it('end with the day that was named, and whole days have no zone', () => {
    const text = writeEvent(
      'u',
      {
        title: 'T',
        start_datetime: '2026-03-27',
        recurrence_rule: 'FREQ=DAILY',
        recurrence_end_date: '2026-03-30',
      },
      setting,
    );
    expect(occurrences(text, '2026-01-01', '2026-12-31')).toEqual(
      ['27', '28', '29', '30'].map((day) => `T 2026-03-${day}`),
    );
  });
});

describe('a change', () => {
  it('keeps exceptions, moved occurrences and what no tool knows', () => {
    const changed = changeEvent(FOREIGN, { location: 'Room 4' }, setting) ?? '';
    expect(changed).toContain('X-OTHER-ROOM;X-FLOOR=3:Blue');
    expect(changed).toContain('LOCATION:Room 4');
    expect(occurrences(changed, '2026-03-01', '2026-03-31')).toEqual(
      occurrences(FOREIGN, '2026-03-01', '2026-03-31'),
    );
  });

  it('of the start keeps the length', () => {
    const text = writeEvent(
      'u',
      { title: 'T', start_datetime: '2026-05-01T10:00', end_datetime: '2026-05-01T10:45' },
      setting,
    );
    const opened = openEntry(
      changeEvent(text, { start_datetime: '2026-05-02T08:00' }, setting) ?? '',
      'vevent',
    );
    const { start, end } = showEvent(opened ?? { calendar: never(), entry: never() }, setting.zone);
    expect([start, end]).toEqual(['2026-05-02T08:00:00+02:00', '2026-05-02T08:45:00+02:00']);
  });

  it('to an end before the start is refused', () => {
    const fields = {
      title: 'T',
      start_datetime: '2026-05-01T10:00',
      end_datetime: '2026-05-01T09:00',
    };
    expect(() => writeEvent('u', fields, setting)).toThrow('ends before it begins');
  });
});

function never(): never {
  throw new Error('there is no event');
}

describe('moments', () => {
  it.each([
    ['2026-07-01', '2026-07-01'],
    ['2026-07-01T09:00', '2026-07-01T09:00:00+02:00'],
    ['2026-07-01T09:00Z', '2026-07-01T09:00:00Z'],
    ['2026-07-01T09:00:30+05:30', '2026-07-01T03:30:30Z'],
    ['2026-07-01T09:00[Asia/Tokyo]', '2026-07-01T09:00:00+09:00'],
    ['2026-07-01T00:00Z[Asia/Tokyo]', '2026-07-01T09:00:00+09:00'],
  ])('%s is %s', (text, shown) => {
    expect(showMoment(readMoment(text, setting.zone, '/x'), setting.zone)).toBe(shown);
  });

  it.each([
    '',
    'tomorrow',
    '2026-02-30',
    '2026-13-01',
    '2026-07-01T25:00',
    '2026-07-01T09:00[Mars/X]',
  ])('refuses %j', (text) => {
    expect(() => readMoment(text, setting.zone, '/x')).toThrow(/is not a|There is no time zone/);
  });
});

describe('free time', () => {
  const query = {
    firstDay: '2026-03-27',
    lastDay: '2026-03-30',
    minutes: 60,
    windows: OFFICE_HOURS,
    excludeWeekends: true,
    zone: 'Europe/Berlin',
  };
  const at = (text: string): number => Date.parse(text);

  it('lies between what is planned, on working days, in the zone', () => {
    const busy = [
      { from: at('2026-03-27T09:30Z'), to: at('2026-03-27T10:00Z') },
      { from: at('2026-03-27T08:00Z'), to: at('2026-03-27T09:00Z') },
    ];
    expect(findFree(query, busy).map(({ from, to }) => [from, to])).toEqual([
      [at('2026-03-27T10:00Z'), at('2026-03-27T16:00Z')],
      // The clock has changed over the weekend.
      [at('2026-03-30T07:00Z'), at('2026-03-30T15:00Z')],
    ]);
  });

  it('can be asked for at times of the day', () => {
    const windows = readWindows('09:00-10:00, 14:00-15:30');
    const free = findFree({ ...query, lastDay: query.firstDay, windows }, []);
    expect(free.map(({ from, to }) => (to - from) / 60_000)).toEqual([60, 90]);
    expect(() => readWindows('9-10')).toThrow('Preferred times');
  });
});

describe('texts of attackers and other programs', () => {
  const event = (fields: object): string =>
    writeEvent('u', { title: 'T', start_datetime: '2026-03-03T10:00', ...fields }, setting);
  const show = (text: string) => {
    const opened = openEntry(text, 'vevent');
    return opened && showEvent(opened, setting.zone);
  };

  it.each([
    { url: 'http://a.example/\r\nX-EVIL:1' },
    { color: 'red\nEND:VEVENT' },
    { attendees: 'a@b.example\r\nBEGIN:VALARM' },
    { url: 'http://a.example/\0' },
  ])('cannot add properties by %j', (fields) => {
    expect(() => event(fields)).toThrow('control characters');
  });

  it('keep line breaks in texts', () => {
    const text = event({ title: 'one\r\nX-EVIL:1', description: 'a\nb\rc; d, e\\n' });
    expect(text).not.toMatch(/^X-EVIL/m);
    expect(show(text)).toMatchObject({ title: 'one\nX-EVIL:1', description: 'a\nb\nc; d, e\\n' });
  });

  it.each([
    'FOO',
    'INTERVAL=2',
    'FREQ=NEVER',
    'FREQ=SECONDLY',
    'FREQ=MINUTELY',
    'FREQ=WEEKLY;COUNT=-1',
    'FREQ=DAILY;INTERVAL=99999999',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;INTERVAL=7;BYDAY=MO',
    'FREQ=MONTHLY;BYDAY=6MO',
  ])('the rule %s is refused', (recurrence_rule) => {
    expect(() => event({ recurrence_rule })).toThrow(/RRULE|rule|INTERVAL|COUNT/);
  });

  it('an event that is said to repeat needs a rule, and one end', () => {
    expect(() => event({ recurring: true })).toThrow('needs a rule');
    const fields = { recurrence_rule: 'FREQ=DAILY;COUNT=3', recurrence_end_date: '2026-04-01' };
    expect(() => event(fields)).toThrow('already ends');
  });

  it.each(['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=SECONDLY', 'FREQ=MONTHLY;BYDAY=6MO'])(
    'the rule %s of another program does not stop the server',
    (rule) => {
      const text = event({}).replace('SUMMARY:', `RRULE:${rule}\r\nSUMMARY:`);
      const begun = performance.now();
      occurrences(text, '2040-01-01T00:00:00Z', '2041-01-01T00:00:00Z');
      expect(performance.now() - begun).toBeLessThan(5000);
    },
  );

  it.each(['', 'nonsense', 'BEGIN:VCARD\r\nEND:VCARD', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT'])(
    'the text %j is reported as unreadable',
    (text) => {
      expect(() => openEntry(text, 'vevent')).toThrow('cannot be read');
    },
  );

  it('an event that states its duration keeps it when it is moved', () => {
    const text = event({}).replace(/DTEND[^\r]*/, 'DURATION:PT3H');
    const moved = changeEvent(text, { start_datetime: '2026-03-04T12:00' }, setting) ?? '';
    expect(show(moved)).toMatchObject({ end: '2026-03-04T15:00:00+01:00' });
    expect(moved).not.toContain('DURATION');
  });

  it('an occurrence that was moved into the range from after it is found', () => {
    const found = occurrences(
      FOREIGN.replace('20260305T150000', '20260301T150000').replace(
        '20260305T160000',
        '20260301T160000',
      ),
      '2026-03-01T00:00:00Z',
      '2026-03-02T00:00:00Z',
    );
    expect(found).toEqual(['Sync, later 2026-03-01T15:00:00-05:00']);
  });

  it('an event that stops repeating has no occurrences left that were changed', () => {
    const once = changeEvent(FOREIGN, { recurring: false }, setting) ?? '';
    expect(once).not.toMatch(/RRULE:FREQ=DAILY|EXDATE|RECURRENCE-ID/);
    expect(occurrences(once, '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual([
      'Sync 2026-03-02T08:30:00-05:00',
    ]);
  });
});
