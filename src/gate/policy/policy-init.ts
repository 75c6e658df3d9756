/** A policy as people write it: everything may be left out, and a list of one may stand without brackets. */
import type { Act } from '../../effect/act.ts';
import type { Mode } from '../../effect/effect.ts';
import type { Tier } from '../../effect/tier.ts';
import type { Headless, Retries, ServerTerms, Webhook } from './policy.ts';
import type { Rule, Asking, Budget } from './verdict.ts';

export interface PolicyInit {
  readonly mode?: Mode;
  readonly rules?: readonly RuleInit[];
  readonly asking?: Partial<Asking>;
  readonly headless?: Headless;
  readonly budgets?: readonly BudgetInit[];
  readonly caches?: readonly CacheInit[];
  readonly webhook?: Webhook;
  readonly servers?: Readonly<Record<string, ServerTerms>>;
  readonly retries?: Partial<Retries>;
  readonly duplicateMinutes?: number;
  readonly methods?: readonly string[];
}

export interface RuleInit extends Omit<Rule, 'match'> {
  readonly match?: MatchInit;
}

interface MatchInit {
  readonly server?: OneOrMore<string>;
  readonly tool?: OneOrMore<string>;
  readonly tier?: OneOrMore<Tier>;
  readonly act?: OneOrMore<Act>;
  readonly mode?: Mode;
  readonly principal?: OneOrMore<string>;
}

interface BudgetInit extends Omit<Budget, 'shared'> {
  readonly match?: MatchInit;
  readonly shared?: boolean;
}

interface CacheInit {
  readonly server?: OneOrMore<string>;
  readonly tool: OneOrMore<string>;
  readonly seconds: number;
}

type OneOrMore<T> = T | readonly T[];
