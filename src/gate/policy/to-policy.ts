/** A policy from an object, for programs that hold the gate as a library. */
import type { Act } from '../../effect/act.ts';
import type { Mode } from '../../effect/effect.ts';
import type { Tier } from '../../effect/tier.ts';
import { toPath } from '../../lib/read-yaml.ts';
import { checkPolicy } from './check-policy.ts';
import type { PolicyFault, Policy, Headless, Retries, ServerTerms, Webhook } from './policy.ts';
import { describeFault } from './policy.ts';
import type { AskingTerms, Budget, Rule } from './verdict.ts';

export function toPolicy(init: PolicyInit): Policy {
  const checked = checkPolicy(init);
  if (checked.kind === 'checked') return checked.value;
  throw new PolicyError(
    checked.faults.map(({ code, path, detail }) => ({ code, path: toPath(path), detail })),
  );
}

/** A policy that can never be right. Its author has to fix it; nobody catches it. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly faults: readonly PolicyFault[];

  constructor(faults: readonly PolicyFault[]) {
    super(faults.map(describeFault).join('\n'));
    this.faults = faults;
  }
}

/** A policy as people write it: everything may be left out, and a list of one may stand without brackets. */
export interface PolicyInit {
  readonly mode?: Mode;
  readonly rules?: readonly RuleInit[];
  readonly asking?: Partial<AskingTerms>;
  readonly headless?: Headless;
  readonly budgets?: readonly BudgetInit[];
  readonly caches?: readonly CacheInit[];
  readonly webhook?: Webhook;
  readonly servers?: Readonly<Record<string, ServerTerms>>;
  readonly retries?: Partial<Retries>;
  readonly duplicateMinutes?: number;
  readonly firstUse?: Policy['firstUse'];
  readonly hints?: Policy['hints'];
  readonly keepArguments?: Policy['keepArguments'];
  readonly console?: Policy['console'];
  readonly notify?: boolean;
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
