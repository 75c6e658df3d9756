/** Compiles the patterns and conditions of a policy once; the policy itself stays plain data. */
import { TIERS } from '../../effect/tier.ts';
import type { Condition } from './condition.ts';
import { toCondition } from './condition.ts';
import type { Policy } from './policy.ts';
import type { AskingTerms, Budget, CallFacts, Match, Rule } from './verdict.ts';
import { toAsking } from './verdict.ts';

export interface CompiledPolicy {
  readonly rules: readonly CompiledRule[];
  readonly budgetsOf: (facts: CallFacts) => readonly Budget[];
  readonly cacheSecondsOf: (facts: CallFacts) => number;
  /** Of a method that is not of the protocol. */
  readonly passesMethod: Glob;
}

interface CompiledRule {
  readonly rule: Rule;
  readonly matches: Matcher;
  readonly condition: Condition;
  readonly asking: AskingTerms;
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
    passesMethod: toAnyGlob(policy.methods),
  };
  compiled.set(policy, made);
  return made;
}

function toRule(rule: Rule, asking: AskingTerms): CompiledRule {
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

/** Compiles which calls a rule, a budget or a cache term speaks of. */
type Matcher = (facts: CallFacts) => boolean;

function toMatcher(match: Match = {}): Matcher {
  const { server, tool, tier, act, mode, principal } = match;
  const tests: Matcher[] = [];
  if (tier !== undefined) tests.push(({ effect }) => tier.includes(effect.tier));
  if (act !== undefined) tests.push(({ effect }) => act.includes(effect.act));
  if (mode !== undefined) tests.push((facts) => facts.mode === mode);
  if (server !== undefined) tests.push(toNameTest(server, (facts) => facts.server));
  if (tool !== undefined) tests.push(toNameTest(tool, (facts) => facts.tool));
  if (principal !== undefined) tests.push(toNameTest(principal, (facts) => facts.principal.id));
  return (facts) => tests.every((test) => test(facts));
}

function toNameTest(patterns: readonly string[], nameOf: (facts: CallFacts) => string): Matcher {
  const fits = toAnyGlob(patterns);
  return (facts) => fits(nameOf(facts));
}

function toAnyGlob(patterns: readonly string[]): Glob {
  const globs = patterns.map(toGlob);
  return (text) => globs.some((glob) => glob(text));
}

/** Patterns of names, in which `*` stands for any run of characters and nothing else is special. */

export type Glob = (text: string) => boolean;

export function toGlob(pattern: string): Glob {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (text) => text === pattern;
  return (text) => matchesGlob(text, head, rest, tail);
}

/** Taking each part where it first occurs is enough, so that no name can make the match slow. */
function matchesGlob(text: string, head: string, middle: readonly string[], tail: string): boolean {
  if (text.length < head.length + tail.length) return false;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let from = head.length;
  for (const part of middle) {
    const at = text.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
