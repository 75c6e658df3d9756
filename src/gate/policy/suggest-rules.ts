/**
 * Rules that would have saved a person the same answer again and again. Pure. Proposes nothing where a
 * person ever said no, nothing for tiers whose yes may not last, and a plain allow only where the tier does
 * not ask by itself or the arguments were always the same in some part.
 */
import { TIERS } from '../../effect/tier.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { SECRET_MARK } from '../../lib/secret.ts';
import type { PastCall } from './past-calls.ts';
import type { RuleInit } from './to-policy.ts';

export interface Suggestion {
  /** How often a person said yes to what the rule is about. */
  readonly yes: number;
  /** One sentence for people. */
  readonly why: string;
  /** What the rule would do, in another. */
  readonly means: string;
  readonly rule: RuleInit;
}

const LEAST_YES = 3;
const LONGEST_NAME = 64;
const LONGEST_VALUE = 100;
const PLAIN_KEY = /^[A-Za-z_]\w*$/;

export function suggestRules(calls: readonly PastCall[], least = LEAST_YES): readonly Suggestion[] {
  const groups = Map.groupBy(
    calls.filter(({ answer }) => answer !== undefined),
    ({ server, tool, tier }) => JSON.stringify([server, tool, tier]),
  );
  const taken = new Set<string>();
  return [...groups.values()]
    .filter((group) => group.length >= least && group.every(({ answer }) => answer === 'yes'))
    .flatMap((group) => toSuggestion(group, taken))
    .toSorted((a, b) => b.yes - a.yes);
}

function toSuggestion(group: readonly PastCall[], taken: Set<string>): readonly Suggestion[] {
  const [first] = group;
  if (first === undefined || !TIERS[first.tier].mayLast) return [];
  const { server, tool, tier } = first;
  // In a rule it would stand for any run of characters.
  if (`${server}${tool}${first.principal}`.includes('*')) return [];
  const same = findSame(group);
  const principals = new Set(group.map(({ principal }) => principal));
  const match = {
    server,
    tool,
    tier,
    ...(principals.size === 1 && { principal: first.principal }),
  };
  const name = toName(`suggested ${server} ${tool}`, taken);
  const where = same.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(', ');
  const why = `You said yes ${group.length} times to ${tool} on ${server}${where === '' ? '' : ` with ${where}`}, and never no.`;
  const allows = !TIERS[tier].asks || same.length > 0;
  const when = same.map(([key, value]) => `has(args.${key}) && args.${key} == ${toCel(value)}`);
  const rule: RuleInit = allows
    ? // oxlint-disable-next-line unicorn/no-thenable -- a key of the file; its value is a word
      { name, match, ...(when.length > 0 && { when: when.join(' && ') }), then: 'allow' }
    : // oxlint-disable-next-line unicorn/no-thenable -- the same
      { name, match, then: 'ask', ask: { grants: ['call', 'arguments', 'session', 'lasting'] } };
  const who = principals.size === 1 ? ` by ${first.principal}` : '';
  const calls = `calls of ${tool} on ${server}${who}${where === '' ? '' : ` with ${where}`}`;
  const means = allows
    ? `With this rule, ${calls} run without a question.`
    : `With this rule, ${calls} still ask, but a yes may cover more than one call.`;
  return [{ yes: group.length, why, means, rule }];
}

type Scalar = string | boolean;

/** Members that every call had with the same value. Numbers are left out: amounts should not be fixed by habit. */
function findSame(group: readonly PastCall[]): readonly (readonly [string, Scalar])[] {
  const [first] = group;
  if (first?.arguments === undefined) return [];
  return Object.entries(first.arguments).flatMap(([key, value]) => {
    if (!PLAIN_KEY.test(key) || !isScalar(value)) return [];
    const isSame = group.every((call) => call.arguments?.[key] === value);
    return isSame ? [[key, value] as const] : [];
  });
}

function isScalar(value: JsonValue): value is Scalar {
  if (typeof value === 'boolean') return true;
  return typeof value === 'string' && value.length <= LONGEST_VALUE && !value.includes(SECRET_MARK);
}

function toCel(value: Scalar): string {
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** As a rule may be named, and each only once. */
function toName(wanted: string, taken: Set<string>): string {
  const base = wanted.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-').slice(0, LONGEST_NAME - 4);
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base} ${count}`;
  taken.add(name);
  return name;
}
