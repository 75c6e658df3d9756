import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { Resolution, ResolveRequest } from './resolve.ts';
import { resolve } from './resolve.ts';
import type { Rule, Scope } from './rule.ts';
import { SCOPES } from './rule.ts';

/** In the table a rule states only what matters, and a reason is "<rule> <code>". */
interface Case {
  readonly name: string;
  readonly now: string;
  readonly request: Omit<ResolveRequest, 'gtin14'>;
  readonly rules: readonly (Partial<Rule> & Pick<Rule, 'id' | 'scope'>)[];
  readonly expect: Omit<Resolution, 'reasons'> & { readonly reasons: readonly string[] };
}

const GTIN = '09506000134352';
const NOW = new Date('2026-06-15T12:00:00Z');

const cases = JSON.parse(
  readFileSync(new URL('resolve.cases.json', import.meta.url), 'utf8'),
) as readonly Case[];

describe('resolve', () => {
  // A server behind UTC, so that local time would show.
  beforeAll(() => vi.stubEnv('TZ', 'America/New_York'));
  afterAll(() => vi.unstubAllEnvs());

  it.each(cases)('$name', (row) => {
    const rules = row.rules.map((rule) => ruleOf(rule));
    const resolution = resolve(rules, { gtin14: GTIN, ...row.request }, new Date(row.now));
    expect({ ...resolution, reasons: resolution.reasons.map(textOf) }).toEqual(row.expect);
  });

  it('answers the same for the same rules in any row order, and changes none of them', () => {
    fc.assert(
      fc.property(shuffledRules, request, ([rules, shuffled], asked) => {
        expect(resolve(Object.freeze(shuffled), asked, NOW)).toEqual(resolve(rules, asked, NOW));
      }),
    );
  });

  it('never takes a rule while one of a narrower scope or lower order_index would match', () => {
    fc.assert(
      fc.property(someRules, request, (rules, asked) => {
        const { ruleId, reasons } = resolve(rules, asked, NOW);
        const taken = rules.find(({ id }) => id === ruleId);
        for (const rule of rules) {
          if (taken !== undefined && precedence(rule) >= precedence(taken)) continue;
          expect(reasons.find((reason) => reason.ruleId === rule.id)?.code).toMatch(
            /differs|skipped/,
          );
        }
      }),
    );
  });

  it('gives frozen data', () => {
    const resolution = resolve([], { gtin14: GTIN }, NOW);
    expect(Object.isFrozen(resolution) && Object.isFrozen(resolution.reasons)).toBe(true);
  });
});

const request = fc.record(
  {
    gtin14: fc.constant(GTIN),
    lot: fc.constantFrom('A', 'B'),
    serial: fc.constantFrom('A', 'B'),
    linkType: fc.constantFrom('gs1:pip', 'gs1:warranty'),
  },
  { requiredKeys: ['gtin14'] },
);

const someRules = fc.uniqueArray(
  fc
    .record({
      id: fc.string({ minLength: 1, maxLength: 3 }),
      scope: fc.constantFrom<Scope>(...SCOPES),
      orderIndex: fc.nat(3),
      letter: fc.constantFrom('A', 'B'),
      linkType: fc.constantFrom(null, 'gs1:pip', 'gs1:warranty'),
      isDown: fc.boolean(),
      whenDown: fc.constantFrom('skip' as const, 'hosted' as const),
    })
    .map(({ id, scope, orderIndex, letter, linkType, isDown, whenDown }) =>
      ruleOf({
        id,
        scope,
        orderIndex,
        linkType,
        qualifier: scope === 'serial' || scope === 'batch' ? letter : null,
        destination: { type: 'CUSTOM_URL', url: `https://brand.example/${id}`, isDown, whenDown },
      }),
    ),
  { selector: ({ id }) => id, maxLength: 12 },
);

const shuffledRules = someRules.chain((rules) =>
  fc.tuple(
    fc.constant(rules),
    fc.shuffledSubarray(rules, { minLength: rules.length, maxLength: rules.length }),
  ),
);

function ruleOf(given: Partial<Rule> & Pick<Rule, 'id' | 'scope'>): Rule {
  return {
    orderIndex: 0,
    qualifier: null,
    linkType: null,
    destination: { type: 'HOSTED_PAGE' },
    when: {},
    ...given,
  };
}

function precedence({ scope, orderIndex }: Rule): number {
  return SCOPES.indexOf(scope) * 10 + orderIndex;
}

function textOf({ ruleId, code }: Resolution['reasons'][number]): string {
  return `${ruleId ?? '-'} ${code}`;
}
