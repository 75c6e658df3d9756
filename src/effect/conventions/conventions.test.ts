/** The rule of each convention on single effects, as a table that any language can replay. */
import { describe, expect, it } from 'vitest';
import type { Act } from '../act.ts';
import type { Facts } from '../acts.ts';
import { BUILDERS } from '../acts.ts';
import { HINT_NAMES } from '../hints.ts';
import type { Hints } from '../hints.ts';
import cases from './conventions.cases.json' with { type: 'json' };
import { closient } from './closient.ts';
import { epd } from './epd.ts';
import { nextcloud } from './nextcloud.ts';
import { plimsoll } from './plimsoll.ts';

const CONVENTIONS = { plimsoll, closient, nextcloud, epd };

/** One letter for each hint: its initial when true, `-` when false, `.` when not sent. */
function spell(hints: Hints): string {
  return HINT_NAMES.map((name) => {
    const hint = hints[name];
    return hint === undefined ? '.' : hint ? name.charAt(0).toUpperCase() : '-';
  }).join('');
}

describe.each(Object.entries(CONVENTIONS))('%s', (name, convention) => {
  it.each(cases)('$note', ({ act, facts, ...wanted }) => {
    const expected = wanted[name as keyof typeof CONVENTIONS];
    expect(spell(convention.hints(BUILDERS[act as Act]('x', facts as Facts)))).toBe(expected);
  });
});

describe('the closient convention', () => {
  const destructive = cases
    .filter(({ closient: sent }) => sent.includes('D'))
    .map(({ act }) => act);

  it('R7: keeps destructive for what deletes, overwrites, revokes or cancels', () => {
    expect(new Set(destructive)).toEqual(new Set(['delete', 'revoke', 'cancel', 'update', 'put']));
  });

  it('R8: leaves the hint out, not false, on what only adds', () => {
    const adding = cases.filter(({ act }) => ['create', 'append', 'share'].includes(act));
    expect(adding.every(({ closient: sent }) => sent.startsWith('-.'))).toBe(true);
  });
});

describe('the plimsoll convention', () => {
  it('says all four on every effect', () => {
    expect(cases.every(({ plimsoll: sent }) => !sent.includes('.'))).toBe(true);
  });
});
