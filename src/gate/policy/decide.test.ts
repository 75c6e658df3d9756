/** Verdicts by table, as any language can replay it; and from what a server claims to a verdict. */
import { describe, expect, it } from 'vitest';
import { META_KEYS } from '../../effect/meta-keys.ts';
import { TIER_NAMES, TIERS } from '../../effect/tier.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { CallFacts } from './verdict.ts';
import table from './decide.cases.json' with { type: 'json' };
import { decide } from './decide.ts';
import type { PolicyInit } from './to-policy.ts';
import type { Policy } from './policy.ts';
import { readPolicy } from './read-policy.ts';
import { serverTerms } from './policy.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { toPolicy } from './to-policy.ts';

interface Case {
  readonly name: string;
  readonly requirement?: string;
  readonly policy: PolicyInit | string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly verdict: object;
}

const cases = table.cases as unknown as readonly Case[]; // JSON has wider types than our words

function factsOf(over: Readonly<Record<string, unknown>>): CallFacts {
  const facts = { ...table.base, ...over };
  const effect = table.effects[facts.effect as keyof typeof table.effects];
  return { ...facts, effect } as unknown as CallFacts; // the same
}

function policyOf(policy: PolicyInit | string): Policy {
  if (typeof policy !== 'string') return toPolicy(policy);
  const reading = readPolicy(policy);
  if (reading.kind === 'faults') throw new Error(JSON.stringify(reading.faults));
  return reading.policy;
}

describe('the decision table', () => {
  it.each(cases.map((one) => [title(one), one] as const))('%s', (_, { policy, facts, verdict }) => {
    expect(decide(policyOf(policy), factsOf(facts))).toMatchObject(verdict);
  });

  it('decides the same for a policy that went through a record', () => {
    for (const { policy, facts } of cases) {
      const made = policyOf(policy);
      const recorded = JSON.parse(JSON.stringify(made)) as Policy;
      expect(decide(recorded, factsOf(facts))).toEqual(decide(made, factsOf(facts)));
    }
  });

  it('has no denial that shows a condition, a pattern or the name of a rule', () => {
    for (const { policy, facts } of cases) {
      const verdict = decide(policyOf(policy), factsOf(facts));
      if (verdict.kind !== 'deny') continue;
      expect(verdict.detail).not.toMatch(/args|\*|when|then|allow:|headless|repeats/);
      expect(verdict.detail.split(/\W+/)).not.toContain(verdict.rule);
    }
  });
});

describe('the default policy', () => {
  const asked = TIER_NAMES.filter((tier) => {
    const [name] = Object.entries(table.effects).find(([, one]) => one.tier === tier) ?? [];
    return decide(DEFAULT_POLICY, factsOf({ effect: name })).kind === 'ask';
  });

  it('asks for spend, share and destroy, and not for read and compute', () => {
    expect(new Set(asked)).toEqual(new Set(['external_spend', 'destructive', 'share_export']));
  });

  it('R127: does not look at destruction alone', () => {
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.every((tier) => TIERS[tier].asks)).toBe(true);
  });
});

describe('from claims to a verdict', () => {
  function verdictOn(tool: object, trusted = false): string {
    const { effect, confidence, reasons } = inferEffect(tool, { trusted });
    return decide(DEFAULT_POLICY, { ...factsOf({ trusted }), effect, confidence, reasons }).kind;
  }

  it('R118: a trusted server that claims readOnlyHint has its call run without a question', () => {
    const tool = { name: 'purge_report', annotations: { readOnlyHint: true } };
    expect([verdictOn(tool, true), verdictOn(tool, false)]).toEqual(['allow', 'ask']);
  });

  it('R122 R131: destructiveHint true asks, whoever claims it', () => {
    const tool = { name: 'get_note', annotations: { destructiveHint: true } };
    expect([verdictOn(tool, true), verdictOn(tool, false)]).toEqual(['ask', 'ask']);
  });

  it('R117: of two tools that differ in the hint alone, only the destructive one asks', () => {
    const plain = { name: 'create_note', annotations: { destructiveHint: false } };
    const grave = { name: 'create_note', annotations: { destructiveHint: true } };
    expect([verdictOn(plain, true), verdictOn(grave, true)]).toEqual(['allow', 'ask']);
  });

  it('R137: no rule has to be written for a claim to count', () => {
    const meta = { name: 'get_note', _meta: { [META_KEYS.sideEffect.key]: 'share_export' } };
    expect(DEFAULT_POLICY.rules).toEqual([]);
    expect(verdictOn({ name: 'get_note' })).toBe('allow');
    expect(verdictOn({ name: 'get_note', annotations: { destructiveHint: true } })).toBe('ask');
    expect(verdictOn(meta, true)).toBe('ask');
  });
});

describe('what the operator says of a server', () => {
  const policy = toPolicy({
    mode: 'live',
    servers: { play: { mode: 'sandbox' }, own: { trusted: true, retries: 'by-hint' } },
  });

  it.each([
    ['play', { trusted: false, mode: 'sandbox', retries: 'by-effect' }],
    ['own', { trusted: true, mode: 'live', retries: 'by-hint' }],
    ['other', { trusted: false, mode: 'live', retries: 'by-effect' }],
    ['constructor', { trusted: false, mode: 'live', retries: 'by-effect' }],
  ])('%s', (server, terms) => {
    expect(serverTerms(policy, server)).toEqual(terms);
  });
});

function title({ name, requirement }: Case): string {
  return requirement === undefined ? name : `${requirement}: ${name}`;
}
