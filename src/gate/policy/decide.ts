/**
 * The verdict on a call: pure, and never a throw. Rules of the policy come first, in order, then the
 * default rules. What could not be told never makes a verdict milder.
 */
import { effectsOf } from '../../effect/effect.ts';
import type { ProblemCode } from '../../lib/problem-kind.ts';
import type { CompiledPolicy } from './compile-policy.ts';
import { compilePolicy } from './compile-policy.ts';
import { DEFAULT_RULES, DUPLICATE_INTENT, PRICE_UNKNOWN, QUARANTINED } from './default-rules.ts';
import type { CallDescription } from './describe-call.ts';
import { describeCall } from './describe-call.ts';
import type { Policy } from './policy.ts';
import type { Asking, CallFacts, Deny, Rule, Terms, Verdict } from './verdict.ts';
import { toOffered } from './verdict.ts';

/** Which rule holds, and what it says. */
interface Ruling {
  readonly rule: string;
  readonly says: Rule['then'];
  readonly allowsRepeats: boolean;
  readonly because?: string;
  /** Made only for those who need them: a read must not pay for terms and a sentence. */
  readonly asking: () => Asking;
  readonly ground: () => string;
  /** Some condition could not be told on the way to this rule. */
  readonly unsure: boolean;
}

const UNSURE = 'part of the policy could not be checked for these arguments';

export function decide(policy: Policy, facts: CallFacts): Verdict {
  if (facts.quarantined)
    return deny(
      QUARANTINED,
      'tool-quarantined',
      'Its definition is not the one that was accepted.',
    );
  const compiled = compilePolicy(policy);
  const ruling =
    facts.effect.also === undefined
      ? findRuling(policy, compiled, facts)
      : strictestOf(partsOf(facts).map((part) => findRuling(policy, compiled, part)));
  if (ruling.says === 'deny') return refuse(ruling);
  const repeats = facts.repeated && !ruling.allowsRepeats;
  if (ruling.says === 'ask' || repeats || facts.unpriced === true) {
    return ask(policy, compiled, facts, ruling, repeats);
  }
  return { kind: 'allow', rule: ruling.rule, terms: toTerms(compiled, facts, 'allow') };
}

/** The call once for each of its effects, as if it had that one only. */
function partsOf(facts: CallFacts): readonly CallFacts[] {
  return effectsOf(facts.effect).map((effect) => ({ ...facts, effect }));
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** A rule that allows one effect of a call must not let another one pass. */
function strictestOf(rulings: readonly Ruling[]): Ruling {
  const ruling = rulings.reduce((a, b) => (STRICTNESS[b.says] > STRICTNESS[a.says] ? b : a));
  const asking = ruling.asking();
  const asked = rulings.filter(({ says }) => says === 'ask').map((one) => one.asking());
  const grants = asking.grants.filter(
    (scope) =>
      // A yes for a session is one for a tier, and this call has several.
      scope !== 'session' &&
      scope !== 'lasting' &&
      asked.every((one) => one.grants.includes(scope)),
  );
  return {
    ...ruling,
    asking: () => ({ ...asking, grants }),
    allowsRepeats: rulings.every(({ allowsRepeats }) => allowsRepeats),
    unsure: rulings.some(({ unsure }) => unsure),
  };
}

function findRuling(policy: Policy, compiled: CompiledPolicy, facts: CallFacts): Ruling {
  let unsure = false;
  for (const { rule, matches, condition, asking } of compiled.rules) {
    if (!matches(facts)) continue;
    const told = condition(facts);
    if (told === 'failed') unsure = true;
    // A failed condition closes: it keeps an allow from holding and makes the others hold.
    if (told === false || (told === 'failed' && rule.then === 'allow')) continue;
    const { name, then, because, repeats } = rule;
    return {
      rule: name,
      says: then,
      asking: () => toOffered(asking, facts.effect),
      allowsRepeats: repeats === 'allow',
      ...(because !== undefined && { because }),
      ground: () => because ?? 'a rule of the policy asks for it',
      unsure: told === 'failed' || (unsure && then === 'ask'),
    };
  }
  const fallback = DEFAULT_RULES.find(({ holds }) => holds(facts, policy));
  return {
    rule: fallback?.name ?? 'anything-else',
    says: fallback?.says ?? 'ask',
    asking: () => toOffered(policy.asking, facts.effect),
    allowsRepeats: false,
    ground: () => fallback?.ground(facts) ?? 'no rule allows it',
    unsure,
  };
}

function ask(
  policy: Policy,
  compiled: CompiledPolicy,
  facts: CallFacts,
  ruling: Ruling,
  repeats: boolean,
): Verdict {
  const { unpriced = false } = facts;
  const rule = repeats ? DUPLICATE_INTENT : unpriced ? PRICE_UNKNOWN : ruling.rule;
  if (policy.headless === 'refuse')
    return deny(
      rule,
      'nobody-to-ask',
      'A person must say yes to this call, and none can be asked.',
    );
  const grounds = [
    ...(repeats ? ['an equal call was made a short while ago'] : []),
    ...(unpriced ? ['a budget counts money, and its price is not known'] : []),
    ...((repeats || unpriced) && ruling.says === 'allow' ? [] : [ruling.ground()]),
    ...(ruling.unsure ? [UNSURE] : []),
  ];
  const description = describeCall(facts);
  return {
    kind: 'ask',
    rule,
    does: description.does,
    why: toWhy(description, grounds),
    asking: narrow(ruling.asking(), {
      once: repeats || unpriced,
      pends: policy.headless === 'pend',
    }),
    terms: toTerms(compiled, facts, 'ask'),
  };
}

/** A yes to a repeat or an unknown price must not cover the next one, and headless means that no channel is used. */
function narrow(
  asking: Asking,
  { once, pends }: { readonly once: boolean; readonly pends: boolean },
): Asking {
  if (!once && !pends) return asking;
  return {
    ...asking,
    ...(once && { grants: ['call'] }),
    ...(pends && { channels: [], holdSeconds: 0 }),
  };
}

/** Only what runs without a question may be answered from a cache. */
function toTerms(compiled: CompiledPolicy, facts: CallFacts, kind: 'allow' | 'ask'): Terms {
  const cacheSeconds = kind === 'allow' ? compiled.cacheSecondsOf(facts) : 0;
  if (facts.effect.also === undefined) return { budgets: compiled.budgetsOf(facts), cacheSeconds };
  return { budgets: [...new Set(partsOf(facts).flatMap(compiled.budgetsOf))], cacheSeconds };
}

function refuse({ rule, because, unsure }: Ruling): Deny {
  const detail = because ?? 'A call like this is not allowed here.';
  return deny(
    rule,
    'denied-by-policy',
    unsure ? `${detail} (Not all of it could be checked.)` : detail,
  );
}

function deny(rule: string, code: ProblemCode, detail: string): Deny {
  return { kind: 'deny', rule, code, detail };
}

/** An inferred effect gives many reasons; the one that decided is told. */
const LONGEST_REASON = 120;

/** Why a person is asked. `grounds` are ends of sentences, the weightiest first. Its words are ours or the policy's. */
function toWhy({ reason }: CallDescription, grounds: readonly string[]): string {
  const seen = reason === undefined ? '' : ` (${shorten(reason.text)})`;
  const text = grounds.map(withoutStop).join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${seen}.`;
}

function shorten(text: string): string {
  if (text.length <= LONGEST_REASON) return text;
  return `${text.slice(0, LONGEST_REASON - 1).toWellFormed()}…`;
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}
