/** From anything to a frozen policy, or to every fault in it. Knows paths, not lines. */
import { checkShape } from '../../lib/check-shape.ts';
import type { Checked, PathFault } from '../../lib/read-yaml.ts';
import { DEFAULT_RULE_NAMES } from './default-rules.ts';
import type { PolicyFaultCode, Policy } from './policy.ts';
import { policySchema } from './policy-schema.ts';
import { toVersioned } from './policy.ts';
import { toAsking } from './verdict.ts';

export function checkPolicy(value: unknown): Checked<Policy, PolicyFaultCode> {
  const shape = checkShape(policySchema, value);
  if (shape.kind === 'faults') {
    // Only a condition knows a place inside its text.
    const faults = shape.faults.map((fault) =>
      fault.at === undefined ? fault : { ...fault, code: 'condition' as const },
    );
    return { kind: 'faults', faults };
  }
  const faults = checkAgreement(shape.value);
  if (faults.length > 0) return { kind: 'faults', faults };
  try {
    const policy = toVersioned({ ...shape.value, asking: toAsking(shape.value.asking) });
    return { kind: 'checked', value: policy };
  } catch {
    const detail = 'a text in it holds half of a surrogate pair';
    return { kind: 'faults', faults: [{ code: 'wrong-value', path: [], detail }] };
  }
}

type Disagreement = PathFault<PolicyFaultCode>;

/** What must agree across the parts of a policy, once each part has the right shape. */
function checkAgreement(policy: Omit<Policy, 'version'>): readonly Disagreement[] {
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

/** A key that has no effect in its place reads like one that has. */
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
