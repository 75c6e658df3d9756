import { describe, expect, it } from 'vitest';
import type { CallFilter } from './call-filter.ts';
import { readFilter, toQuery } from './call-filter.ts';

describe('the filter of calls', () => {
  it('survives a way through the address', () => {
    const filter: CallFilter = {
      tier: 'external_spend',
      server: ' shop & co=1',
      operation: 'pay\u202Eyap',
      principal: 'mia',
      decision: 'refused',
      outcome: 'forbidden',
      openWorld: true,
      since: Date.UTC(2026, 0, 31, 8),
      until: Date.UTC(2026, 1, 1, 8, 30, 15, 250),
    };
    const query = Object.fromEntries(new URLSearchParams(toQuery(filter, { before: '7' })));
    expect(readFilter(query)).toEqual({ filter, faults: [] });
    expect(query['before']).toBe('7');
    expect(toQuery({})).toBe('');
  });

  it('takes a day, and a minute with and without its zone, for UTC', () => {
    const read = (since: string) => readFilter({ since }).filter.since;
    expect(read('2026-01-31')).toBe(Date.UTC(2026, 0, 31));
    expect(read('2026-01-31T08:30')).toBe(Date.UTC(2026, 0, 31, 8, 30));
    expect(read('2026-01-31T08:30Z')).toBe(Date.UTC(2026, 0, 31, 8, 30));
  });

  it.each([
    { tier: 'free' },
    { decision: 'toString' },
    { since: 'yesterday' },
    { until: '2026-99-01' },
  ])('says that it does not know %j, instead of showing everything silently', (query) => {
    const { filter, faults } = readFilter(query);
    expect(filter).toEqual({});
    expect(faults).toHaveLength(1);
  });

  it('leaves out empty fields, as forms send them', () => {
    expect(readFilter({ tier: '', server: '', since: '', decision: '', open: '' })).toEqual({
      filter: {},
      faults: [],
    });
  });
});
