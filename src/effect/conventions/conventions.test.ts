/** The rule of each convention on single effects, as a table that any language can replay. */
import { describe, expect, it } from 'vitest';
import type { Act } from '../act.ts';
import type { Facts } from '../acts.ts';
import { BUILDERS, computes, creates, deletes } from '../acts.ts';
import { TIER_NAMES } from '../tier.ts';
import { HINT_NAMES } from '../hints.ts';
import type { Hints } from '../hints.ts';
import cases from './conventions.cases.json' with { type: 'json' };
import { closient } from './closient.ts';
import { epd } from './epd.ts';
import { geopera } from './geopera.ts';
import { nextcloud } from './nextcloud.ts';
import { plimsoll } from './plimsoll.ts';
import { TELLING_CONVENTIONS } from './telling-conventions.ts';

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

describe('the geopera convention', () => {
  it.each(TIER_NAMES)('tells %s by its hints alone', (tier) => {
    const hints = geopera.hints(creates('x', { tier }));
    expect(TELLING_CONVENTIONS.geopera.tierOf?.(hints)).toBe(tier);
  });

  it.each<Hints>([
    {},
    { destructiveHint: false, idempotentHint: false },
    { readOnlyHint: false },
    { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    { openWorldHint: true },
  ])('tells no tier by %j', (hints) => {
    expect(geopera.tierOf?.(hints)).toBeUndefined();
  });

  it('says that several effects stay inside if all of them do', () => {
    const inside = [computes('x'), deletes('x')];
    expect(geopera.worstCase?.(inside).openWorldHint).toBe(false);
    const outside = [computes('x'), deletes('x', { reach: 'third-party' })];
    expect(geopera.worstCase?.(outside).openWorldHint).toBe(true);
  });
});
