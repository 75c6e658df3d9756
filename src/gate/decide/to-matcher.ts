/** Compiles which calls a rule, a budget or a cache term speaks of. */
import type { CallFacts } from './call-facts.ts';
import { toGlob } from './glob.ts';
import type { Match } from './rule.ts';

export type Matcher = (facts: CallFacts) => boolean;

export function toMatcher(match: Match = {}): Matcher {
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
  const globs = patterns.map(toGlob);
  return (facts) => {
    const name = nameOf(facts);
    return globs.some((glob) => glob(name));
  };
}
