import { describe, expect, it } from 'vitest';
import { readInterval } from './interval.ts';

describe('readInterval', () => {
  it.each([
    ['2026-06-01', '2026-06-01T00:00:00.000Z', '2026-06-01T23:59:59.999Z'],
    ['2026-06-01T10:00:00Z', '2026-06-01T10:00:00.000Z', '2026-06-01T10:00:00.000Z'],
    ['2026-06-01/2026-06-30', '2026-06-01T00:00:00.000Z', '2026-06-30T23:59:59.999Z'],
    ['2026-06-01T10:00+10:00/..', '2026-06-01T00:00:00.000Z', undefined],
    ['../2026-06-30', undefined, '2026-06-30T23:59:59.999Z'],
  ])('%s', (text, from, until) => {
    expect(readInterval(text)).toEqual({ kind: 'valid', interval: { from, until } });
  });

  it.each([
    '',
    '/',
    '../..',
    'June',
    '2026-13-01',
    '2026-06-30/2026-06-01',
    '2026-06-01/2026-06-02/2026-06-03',
    '2026-06-01T10:00:00',
    '1',
  ])('refuses %j', (text) => {
    expect(readInterval(text)).toMatchObject({ kind: 'invalid', reason: expect.any(String) });
  });
});
