/**
 * CEL conditions of rules: checked with types when a policy is loaded, compiled once, and never
 * throwing afterwards. What a failure means for a rule is decided by who evaluates it.
 */
import { Environment, EvaluationError, ParseError, TypeError } from '@marcbachmann/cel-js';
import type { CallFacts } from './verdict.ts';

interface ConditionFault {
  readonly detail: string;
  /** Index into the text of the condition. */
  readonly at: number;
}

/** `failed`: it could not be told, for want of an argument or because its type is another. */
export type Condition = (facts: CallFacts) => boolean | 'failed';

const environment = new Environment()
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

export function checkCondition(text: string): ConditionFault | undefined {
  const checked = environment.check(text);
  if (!checked.valid) return toFault(checked.error);
  // Arguments have no declared types, so `args.x` alone may well be a boolean.
  if (checked.type === 'bool' || checked.type === 'dyn') return undefined;
  return { detail: `must be true or false, but is ${checked.type ?? 'unknown'}`, at: 0 };
}

export function toCondition(text: string): Condition {
  try {
    const evaluate: (variables: object) => unknown = environment.parse(text);
    return (facts) => tell(evaluate, facts);
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

function toFault(error: unknown): ConditionFault {
  const known =
    error instanceof ParseError || error instanceof TypeError || error instanceof EvaluationError;
  if (!known) return { detail: 'is not a condition', at: 0 };
  return { detail: `is no good condition: ${error.summary}`, at: error.range?.start ?? 0 };
}
