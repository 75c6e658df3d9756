/** Compiles the patterns and conditions of a policy once; the policy itself stays plain data. */
import { TIERS } from '../../effect/tier.ts';
import { toAsking } from './asking.ts';
import type { CallFacts } from './call-facts.ts';
import type { Condition } from './condition.ts';
import { toCondition } from './condition.ts';
import type { Policy } from './policy.ts';
import type { Rule } from './rule.ts';
import type { Matcher } from './to-matcher.ts';
import { toMatcher } from './to-matcher.ts';
import type { Asking, Budget } from './verdict.ts';

export interface CompiledPolicy {
  readonly rules: readonly CompiledRule[];
  readonly budgetsOf: (facts: CallFacts) => readonly Budget[];
  readonly cacheSecondsOf: (facts: CallFacts) => number;
}

interface CompiledRule {
  readonly rule: Rule;
  readonly matches: Matcher;
  readonly condition: Condition;
  readonly asking: Asking;
}

const NO_BUDGETS: readonly Budget[] = Object.freeze([]);
const compiled = new WeakMap<Policy, CompiledPolicy>();

export function compilePolicy(policy: Policy): CompiledPolicy {
  const known = compiled.get(policy);
  if (known !== undefined) return known;
  const made: CompiledPolicy = {
    rules: policy.rules.map((rule) => toRule(rule, policy.asking)),
    budgetsOf: toBudgets(policy),
    cacheSecondsOf: toCacheSeconds(policy),
  };
  compiled.set(policy, made);
  return made;
}

function toRule(rule: Rule, asking: Asking): CompiledRule {
  return {
    rule,
    matches: toMatcher(rule.match),
    condition: rule.when === undefined ? () => true : toCondition(rule.when),
    asking: toAsking(asking, rule.ask),
  };
}

function toBudgets(policy: Policy): CompiledPolicy['budgetsOf'] {
  const pots = policy.budgets.map(({ match, ...budget }) => ({
    budget: Object.freeze(budget),
    matches: toMatcher(match),
  }));
  if (pots.length === 0) return () => NO_BUDGETS;
  return (facts) => pots.filter(({ matches }) => matches(facts)).map(({ budget }) => budget);
}

function toCacheSeconds(policy: Policy): CompiledPolicy['cacheSecondsOf'] {
  const terms = policy.caches.map(({ seconds, ...match }) => ({
    seconds,
    matches: toMatcher(match),
  }));
  return (facts) => {
    if (terms.length === 0 || !TIERS[facts.effect.tier].caches) return 0;
    return terms.find(({ matches }) => matches(facts))?.seconds ?? 0;
  };
}
