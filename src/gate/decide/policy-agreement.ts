/** What must agree across the parts of a policy, once each part has the right shape. */
import { DEFAULT_RULE_NAMES } from './default-rules.ts';
import type { Policy } from './policy.ts';
import type { PolicyFaultCode } from './policy-fault.ts';

export interface Disagreement {
  readonly code: PolicyFaultCode;
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

export function checkAgreement(policy: Omit<Policy, 'version'>): readonly Disagreement[] {
  return [
    ...takenNames('rules', policy.rules, DEFAULT_RULE_NAMES),
    ...takenNames('budgets', policy.budgets, []),
    ...misplacedKeys(policy),
    ...missingWebhooks(policy),
  ];
}

function takenNames(
  part: 'rules' | 'budgets',
  named: readonly { readonly name: string }[],
  reserved: readonly string[],
): readonly Disagreement[] {
  const seen = new Set(reserved);
  return named.flatMap(({ name }, index) => {
    const taken = seen.has(name);
    seen.add(name);
    const detail = `the name ${JSON.stringify(name)} is taken; records could not tell the two apart`;
    return taken ? [{ code: 'name-taken', path: [part, index, 'name'], detail }] : [];
  });
}

/** A key that has no effect where it stands reads like one that has. */
function misplacedKeys({ rules }: Omit<Policy, 'version'>): readonly Disagreement[] {
  return rules.flatMap(({ then, ask, repeats }, index) => {
    const faults: Disagreement[] = [];
    const add = (key: string, detail: string): void => {
      faults.push({ code: 'out-of-place', path: ['rules', index, key], detail });
    };
    if (ask !== undefined && then !== 'ask') add('ask', 'only a rule with `then: ask` asks');
    if (repeats !== undefined && then !== 'allow')
      add('repeats', 'only a rule with `then: allow` can allow repeats');
    return faults;
  });
}

function missingWebhooks(policy: Omit<Policy, 'version'>): readonly Disagreement[] {
  if (policy.webhook !== undefined) return [];
  const lists = [
    { path: ['asking', 'channels'], channels: policy.asking.channels },
    ...policy.rules.map(({ ask }, index) => ({
      path: ['rules', index, 'ask', 'channels'],
      channels: ask?.channels ?? [],
    })),
  ];
  return lists
    .filter(({ channels }) => channels.includes('webhook'))
    .map(({ path, channels }) => ({
      code: 'out-of-place',
      path: [...path, channels.indexOf('webhook')],
      detail: 'there is no `webhook` in this policy to ask through',
    }));
}
