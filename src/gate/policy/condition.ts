/**
 * CEL conditions of rules: checked with types when a policy is loaded, compiled once, and never
 * throwing afterwards. What a failure means for a rule is decided by who evaluates it.
 */
import { createRequire } from 'node:module';
import type * as CelModule from '@marcbachmann/cel-js';
import { foldCase } from '../../effect/narrow-effect.ts';
import type { CallFacts } from './verdict.ts';

interface ConditionFault {
  readonly detail: string;
  /** Index into the text of the condition. */
  readonly at: number;
}

/** `failed`: it could not be told, for want of an argument, because of its type or of its spelling. */
export type Condition = (facts: CallFacts) => boolean | 'failed';

interface Cel {
  readonly module: typeof CelModule;
  readonly environment: CelModule.Environment;
}

let loaded: Cel | undefined;

/** Loaded with the first condition: a gate without one starts sooner. */
function loadCel(): Cel {
  if (loaded !== undefined) return loaded;
  const cel = createRequire(import.meta.url)('@marcbachmann/cel-js') as typeof CelModule;
  const environment = new cel.Environment()
    .registerVariable('tool', 'string')
    .registerVariable('server', 'string')
    .registerVariable('tier', 'string')
    .registerVariable('act', 'string')
    .registerVariable('mode', 'string')
    .registerVariable('trusted', 'bool')
    .registerVariable('confidence', 'double')
    .registerVariable('args', 'map<string, dyn>')
    .registerVariable({
      name: 'principal',
      schema: { id: 'string', tenant: 'string', scopes: 'list<string>' },
    });
  loaded = { module: cel, environment };
  return loaded;
}

export function checkCondition(text: string): ConditionFault | undefined {
  const checked = loadCel().environment.check(text);
  if (!checked.valid) return toFault(checked.error);
  // Arguments have no declared types, so `args.x` alone may well be a boolean.
  if (checked.type === 'bool' || checked.type === 'dyn') return undefined;
  return { detail: `must be true or false, but is ${checked.type ?? 'unknown'}`, at: 0 };
}

export function toCondition(text: string): Condition {
  try {
    const evaluate: (variables: object) => unknown = loadCel().environment.parse(text);
    const words = toWords(text);
    const readsArguments = words.get('args') !== undefined;
    return (facts) =>
      readsArguments && isUnclear(facts.arguments, words) ? 'failed' : tell(evaluate, facts);
  } catch {
    return () => 'failed';
  }
}

function tell(evaluate: (variables: object) => unknown, facts: CallFacts): boolean | 'failed' {
  const { tool, server, effect, mode, trusted, confidence, principal } = facts;
  const { id, tenant, scopes } = principal;
  const variables = {
    tool,
    server,
    tier: effect.tier,
    act: effect.act,
    mode,
    trusted,
    confidence,
    args: facts.arguments,
    principal: tenant === undefined ? { id, scopes } : { id, tenant, scopes },
  };
  try {
    const told = evaluate(variables);
    return typeof told === 'boolean' ? told : 'failed';
  } catch {
    return 'failed';
  }
}

const WORDS = /[\p{L}\p{M}\p{N}_$-]+/gu;

/** The words of a condition by their folded form; escapes in its strings are read too. */
function toWords(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const words = new Map<string, Set<string>>();
  for (const spelled of [text, unescape(text)]) {
    for (const [word] of spelled.matchAll(WORDS)) {
      const folded = fold(word);
      words.set(folded, (words.get(folded) ?? new Set()).add(word));
    }
  }
  return words;
}

function unescape(text: string): string {
  return text.replaceAll(/\\(?:u([\da-f]{4})|U([\da-f]{8})|x([\da-f]{2}))/gi, (all, ...codes) => {
    const [four, eight, two] = codes as (string | undefined)[];
    const code = Number.parseInt(four ?? eight ?? two ?? '', 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
}

/** Some servers take `maxAmount`, `max_amount` and `max-amount` for one name, and some drop what cannot be seen. */
function fold(name: string): string {
  const folded = foldCase(name);
  const bare = folded.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
  return bare === '' ? folded : bare;
}

/**
 * Whether a server that ignores case and joints may read other arguments than the condition does: two keys
 * of one object differ in these only, or one is a word of the condition in another spelling.
 */
function isUnclear(args: unknown, words: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const waiting: unknown[] = [args];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    for (const part of parts) if (typeof part === 'object' && part !== null) waiting.push(part);
    if (Array.isArray(value)) continue;
    const seen = new Set<string>();
    for (const key of Object.keys(value)) {
      const folded = fold(key);
      const spelled = words.get(folded);
      if (seen.has(folded) || (spelled !== undefined && !spelled.has(key))) return true;
      seen.add(folded);
    }
  }
  return false;
}

function toFault(error: unknown): ConditionFault {
  const { ParseError, TypeError, EvaluationError } = loadCel().module;
  const known =
    error instanceof ParseError || error instanceof TypeError || error instanceof EvaluationError;
  if (!known) return { detail: 'is not a condition', at: 0 };
  return { detail: `is not a valid condition: ${error.summary}`, at: error.range?.start ?? 0 };
}
