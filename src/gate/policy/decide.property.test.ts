/** What holds for every policy and every call. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Act } from '../../effect/act.ts';
import { ACTS } from '../../effect/act.ts';
import { BUILDERS } from '../../effect/acts.ts';
import { TIER_NAMES, TIERS } from '../../effect/tier.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { CallFacts } from './verdict.ts';
import { decide } from './decide.ts';
import type { PolicyInit, RuleInit } from './to-policy.ts';
import { toPolicy } from './to-policy.ts';

const CONDITIONS = [
  'args.amount < 10',
  'args.a.b.c == 1',
  'has(args.x) && args.x',
  "'x' in principal.scopes",
  "principal.tenant == 't'",
  'trusted || confidence > 0.5',
  'args.list.exists(i, i > 3)',
];

const tier = fc.constantFrom(...TIER_NAMES);
const act = fc.constantFrom(...(Object.keys(ACTS) as Act[]));
const mode = fc.constantFrom('sandbox' as const, 'live' as const);
const reach = fc.constantFrom('none' as const, 'own-store' as const, 'third-party' as const);

const effect = fc
  .record({ act, tier, reach, overwrites: fc.boolean(), reversible: fc.boolean() })
  .map(({ act: verb, ...facts }) => BUILDERS[verb]('thing', facts));

const facts: fc.Arbitrary<CallFacts> = fc.record({
  server: fc.string(),
  trusted: fc.boolean(),
  tool: fc.string({ unit: 'binary' }),
  effect,
  confidence: fc.double(),
  reasons: fc.array(
    fc.record({
      code: fc.constant('verb' as const),
      source: fc.constant('name' as const),
      text: fc.string({ unit: 'binary', maxLength: 300 }),
    }),
    { maxLength: 2 },
  ),
  principal: fc.record(
    { id: fc.string(), tenant: fc.string(), scopes: fc.array(fc.string(), { maxLength: 3 }) },
    { requiredKeys: ['id', 'scopes'] },
  ),
  mode,
  arguments: fc.dictionary(
    fc.oneof(fc.constantFrom('amount', 'a', 'x', 'list', '__proto__'), fc.string()),
    fc.jsonValue().map((value) => value as JsonValue), // its type is wider than what it makes
  ),
  quarantined: fc.boolean(),
  declared: fc.boolean(),
  repeated: fc.boolean(),
});

const match = fc.record(
  { tool: fc.constantFrom('*', '*a*'), tier, act, mode, server: fc.constant('*') },
  { requiredKeys: [] },
);

function rules(then: fc.Arbitrary<RuleInit['then']>): fc.Arbitrary<readonly RuleInit[]> {
  const rule = fc.record(
    { match, when: fc.constantFrom(...CONDITIONS), then }, // oxlint-disable-line unicorn/no-thenable -- a key of the file
    {
      requiredKeys: ['then'],
    },
  );
  return fc
    .array(rule, { maxLength: 5 })
    .map((list) => list.map((one, index) => ({ ...one, name: `r${index}` })));
}

function policies(then: fc.Arbitrary<RuleInit['then']>): fc.Arbitrary<PolicyInit> {
  const headless = fc.constantFrom('no' as const, 'pend' as const, 'refuse' as const);
  return fc.record({ mode, rules: rules(then), headless });
}

const anyPolicy = policies(fc.constantFrom('allow', 'ask', 'deny'));

describe('every verdict', () => {
  it('allows no tier that asks unless a rule of the file says so', () => {
    fc.assert(
      fc.property(policies(fc.constantFrom('ask', 'deny')), facts, (init, call) => {
        const { kind } = decide(toPolicy(init), call);
        expect(kind === 'allow' && TIERS[call.effect.tier].asks).toBe(false);
      }),
    );
  });

  it('names an allow rule that speaks of the call where a tier that asks runs', () => {
    let ran = 0;
    fc.assert(
      fc.property(anyPolicy, facts, (init, call) => {
        const verdict = decide(toPolicy(init), { ...call, quarantined: false, repeated: false });
        const rule = init.rules?.find(({ name }) => name === verdict.rule);
        const runs = verdict.kind === 'allow' && TIERS[call.effect.tier].asks;
        if (runs) ran++;
        const named = rule?.match?.tier ?? call.effect.tier;
        expect(!runs || (rule?.then === 'allow' && named === call.effect.tier)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(ran).toBeGreaterThan(10);
  });

  it('never lets a quarantined tool run or ask', () => {
    fc.assert(
      fc.property(anyPolicy, facts, (init, call) => {
        const { kind } = decide(toPolicy(init), { ...call, quarantined: true });
        expect(kind).toBe('deny');
      }),
    );
  });

  it('asks nobody and uses no channel when headless', () => {
    fc.assert(
      fc.property(anyPolicy, facts, (init, call) => {
        const verdict = decide(toPolicy(init), call);
        const asked = verdict.kind === 'ask' ? verdict.asking.channels.length : 0;
        expect(init.headless === 'refuse' && verdict.kind === 'ask').toBe(false);
        expect(init.headless === 'pend' && asked > 0).toBe(false);
      }),
    );
  });

  it('is the same for the same call, and leaves policy and call as they were', () => {
    fc.assert(
      fc.property(anyPolicy, facts, (init, call) => {
        const policy = toPolicy(init);
        const before = structuredClone(call);
        expect(decide(policy, call)).toEqual(decide(policy, call));
        expect(call).toEqual(before);
      }),
    );
  });

  it('is no milder in live mode than in sandbox', () => {
    fc.assert(
      fc.property(facts, (call) => {
        const policy = toPolicy({});
        const live = decide(policy, { ...call, mode: 'live' });
        const sandbox = decide(policy, { ...call, mode: 'sandbox' });
        expect(live.kind === 'allow' && sandbox.kind !== 'allow').toBe(false);
      }),
    );
  });
});
