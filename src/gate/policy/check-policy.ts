/** From anything to a frozen policy, or to every fault in it. Knows paths, not lines. */
import type { z } from 'zod';
import { DEFAULT_RULE_NAMES } from './default-rules.ts';
import { describeIssue } from './describe-issue.ts';
import type { PolicyFaultCode } from './policy-fault.ts';
import { policySchema } from './policy-schema.ts';
import type { Policy } from './policy.ts';
import { toVersioned } from './policy.ts';
import { toAsking } from './verdict.ts';

interface PathFault {
  readonly code: PolicyFaultCode;
  readonly path: readonly (string | number)[];
  readonly detail: string;
  /** Index into the text that stands at the path. */
  readonly at?: number;
}

type CheckedPolicy =
  | { readonly kind: 'policy'; readonly policy: Policy }
  | { readonly kind: 'faults'; readonly faults: readonly PathFault[] };

export function checkPolicy(value: unknown): CheckedPolicy {
  const parsed = policySchema.safeParse(value, { error: describeIssue, reportInput: true });
  if (!parsed.success) return { kind: 'faults', faults: parsed.error.issues.flatMap(toFaults) };
  const faults = checkAgreement(parsed.data);
  if (faults.length > 0) return { kind: 'faults', faults };
  try {
    const policy = toVersioned({ ...parsed.data, asking: toAsking(parsed.data.asking) });
    return { kind: 'policy', policy };
  } catch {
    const detail = 'a text in it holds half of a surrogate pair';
    return { kind: 'faults', faults: [{ code: 'wrong-value', path: [], detail }] };
  }
}

function toFaults(issue: z.core.$ZodIssue): readonly PathFault[] {
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
  if (issue.code === 'unrecognized_keys') {
    const details = issue.message.split('\n');
    return issue.keys.map((key, index) => ({
      code: 'unknown-key',
      path: [...path, key],
      detail: details[index] ?? '',
    }));
  }
  const detail = issue.message;
  if (issue.code === 'custom' && typeof issue.params?.['at'] === 'number')
    return [{ code: 'condition', path, detail, at: issue.params['at'] }];
  return [{ code: issue.input === undefined ? 'missing' : 'wrong-value', path, detail }];
}

/** What must agree across the parts of a policy, once each part has the right shape. */
interface Disagreement {
  readonly code: PolicyFaultCode;
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

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
