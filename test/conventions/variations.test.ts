/**
 * What the conventions promise of operations whose effect depends on arguments, over random declarations.
 * `hint-meanings.json` records what each convention means by its hints; `rows` names the rows of the
 * comparison that it comes from. A promise must hold for every effect that some arguments cause.
 */
import fc from 'fast-check';
import type { Act, Condition, Convention, Declaration, Effect, HintName } from 'plimsoll';
import { closient, epd, geopera, nextcloud, plimsoll, readStamp, stamp, TIERS } from 'plimsoll';
import { describe, expect, it } from 'vitest';
import { ACTS } from '../../src/effect/act.ts';
import { BUILDERS, varies } from '../../src/effect/acts.ts';
import { checkDeclaration } from '../../src/effect/declaration-faults.ts';
import { REACHES, TRACES } from '../../src/effect/effect.ts';
import { HINT_NAMES } from '../../src/effect/hints.ts';
import { TIER_NAMES } from '../../src/effect/tier.ts';
import meanings from '../fixtures/hint-meanings.json' with { type: 'json' };

const CONVENTIONS: Readonly<Record<string, Convention>> = {
  closient,
  geopera,
  nextcloud,
  epd,
  plimsoll,
};

/** The value that promises something; the other one warns. */
const PROMISE: Readonly<Record<HintName, boolean>> = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const INSIDE = ['none', 'own-store', 'own-account'];
const RESULT_COUNTS = ['create', 'update', 'archive', 'move', 'provision'];
const change = ({ act }: Effect): string => ACTS[act].change;

const KEEPS: Readonly<Record<string, (effect: Effect, doesVary: boolean) => boolean>> = {
  'changes-nothing': (effect) => change(effect) === 'nothing',
  'leaves-no-audit-row': ({ trace }) => trace !== 'audit',
  'removes-nothing': (effect) => change(effect) !== 'removes',
  'overwrites-nothing': ({ overwrites }) => !overwrites,
  'overwrites-nothing-unless-it-reads': (effect) =>
    change(effect) === 'nothing' || !effect.overwrites,
  'is-reversible-unless-it-reads': (effect) => change(effect) === 'nothing' || effect.reversible,
  'alters-reversibly': (effect) => change(effect) !== 'alters' || effect.reversible,
  settles: ({ repeat }) => repeat.kind !== 'fresh',
  'needs-no-choice': ({ repeat }) => !('need' in repeat) || repeat.need !== 'optional',
  'takes-no-version': ({ repeat }) => repeat.kind !== 'version',
  'is-not-judged-by-its-result': ({ act }) => !RESULT_COUNTS.includes(act),
  'pays-under-a-key': ({ tier, repeat }) => tier !== 'external_spend' || repeat.kind === 'key',
  'stays-inside': ({ reach }) => INSIDE.includes(reach),
  'stays-inside-if-it-varies': ({ reach }, doesVary) => !doesVary || INSIDE.includes(reach),
  'reaches-nothing': ({ reach }) => reach === 'none',
  'is-of-tier-read': ({ tier }) => tier === 'read',
  'is-not-of-tier-destructive': ({ tier }) => tier !== 'destructive',
  'is-of-a-closed-tier': ({ tier }) => tier === 'compute' || tier === 'destructive',
  'is-never-sent-as-false': () => false,
};

const REPEATS = [
  'same',
  'end-state',
  'key-required',
  'key-optional',
  'key-derived',
  'version-required',
  'version-optional',
  'fresh',
] as const;

const anything: fc.Arbitrary<Effect> = fc
  .record({
    act: fc.constantFrom(...(Object.keys(ACTS) as Act[])),
    facts: fc.record(
      {
        repeat: fc.constantFrom(...REPEATS),
        reach: fc.constantFrom(...REACHES),
        trace: fc.constantFrom(...TRACES),
        tier: fc.constantFrom(...TIER_NAMES),
        overwrites: fc.boolean(),
        reversible: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ act, facts }) =>
    BUILDERS[act]('thing', { ...facts, ...(facts.tier !== undefined && { tierReason: 'stated' }) }),
  );

/** Most facts make a read invalid, so that hardly any of the above would be one. */
const read: fc.Arbitrary<Effect> = fc
  .record({ reach: fc.constantFrom(...REACHES), trace: fc.constantFrom(...TRACES) })
  .map((facts) => BUILDERS.read('thing', facts));

const plain: fc.Arbitrary<Effect> = fc.oneof(anything, read);

const ARGUMENTS = ['a', 'b', 'c'];
const condition: fc.Arbitrary<Condition> = fc.record({
  argument: fc.constantFrom(...ARGUMENTS),
  is: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 2 }),
});

/** Up to two levels of variations. */
const { effect } = fc.letrec<{ effect: Effect; inner: Effect }>((tie) => ({
  inner: vary(plain, plain),
  effect: vary(plain, tie('inner')),
}));

function vary(base: fc.Arbitrary<Effect>, other: fc.Arbitrary<Effect>): fc.Arbitrary<Effect> {
  const variation = fc.record({ when: condition, effect: other });
  return fc
    .tuple(base, fc.array(variation, { maxLength: 3 }))
    .map(([usual, variations]) => varies(usual, ...variations));
}

const declaration: fc.Arbitrary<Declaration> = effect
  .map((each) => ({ name: 'op', title: 'Operation', effect: each, scopes: [], produces: [] }))
  .filter((declared) => checkDeclaration({ ...declared, ...SCHEMAS }).length === 0);

const SCHEMAS = {
  description: 'Does it.',
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(ARGUMENTS.map((name) => [name, { description: 'One.' }])),
  },
};

/** Walked here by hand, so that the walk under test is not its own judge. */
function everyEffect(root: Effect): readonly Effect[] {
  const found: Effect[] = [];
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    open.push(...next.varies.map((variation) => variation.effect));
  }
  return found;
}

describe.each(meanings)('$convention', ({ convention: name, sends, ...means }) => {
  const convention = CONVENTIONS[name] ?? plimsoll;

  it.each(HINT_NAMES)('%s promises what every possible effect keeps', (hint) => {
    const tests = means[hint].map((word) => KEEPS[word]);
    let promised = 0;
    fc.assert(
      fc.property(declaration, (declared) => {
        const effects = everyEffect(declared.effect);
        const sent = stamp(declared, convention).annotations[hint];
        if (sent !== PROMISE[hint]) return;
        promised += 1;
        for (const each of effects) {
          for (const keeps of tests) expect(keeps?.(each, effects.length > 1)).toBe(true);
        }
      }),
      { numRuns: 1200 },
    );
    const isEverSent = !means[hint].includes('is-never-sent-as-false');
    expect(promised > 20).toBe(isEverSent);
  });

  it('sends all four hints, or leaves out those that promise nothing', () => {
    fc.assert(
      fc.property(declaration, (declared) => {
        const { title: _title, ...hints } = stamp(declared, convention).annotations;
        expect(sends === 'some' || Object.keys(hints).length === HINT_NAMES.length).toBe(true);
        expect(Object.values(hints).every((value) => typeof value === 'boolean')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('says nothing that contradicts itself, and the gravest tier of all', () => {
    let claimed = 0;
    fc.assert(
      fc.property(declaration, (declared) => {
        const sent = stamp(declared, convention);
        const { findings, tier } = readStamp({ name: 'op', ...sent });
        expect(findings).toEqual([]);
        if (tier.state !== 'claimed') return;
        claimed += 1;
        const gravest = Math.max(
          ...everyEffect(declared.effect).map((each) => TIERS[each.tier].severity),
        );
        expect(TIERS[tier.value].severity).toBe(gravest);
      }),
      { numRuns: 300 },
    );
    const tells = (convention.meta as readonly string[]).includes('sideEffect');
    expect(claimed).toBe(tells ? 300 : 0);
  });
});
