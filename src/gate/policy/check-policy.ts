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
    return { kind: 'faults', faults: [...faults, ...takenNames(value)] };
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
  return [...takenNames(policy), ...misplacedKeys(policy), ...missingWebhooks(policy)];
}

/** Of anything: a fault elsewhere must not hide that two rules have one name. */
function takenNames(value: unknown): readonly Disagreement[] {
  return [...takenIn('rules', value, DEFAULT_RULE_NAMES), ...takenIn('budgets', value, [])];
}

function takenIn(
  part: 'rules' | 'budgets',
  value: unknown,
  reserved: readonly string[],
): readonly Disagreement[] {
  const seen = new Set<string>();
  return membersOf(value, part).flatMap((member, index) => {
    const name = partOf(member, 'name');
    if (typeof name !== 'string') return [];
    const isDefault = reserved.includes(name);
    const isTaken = isDefault || seen.has(name);
    seen.add(name);
    const shown = JSON.stringify(name);
    const detail = isDefault
      ? `${shown} is the name of a default rule; choose another name`
      : `the name ${shown} is taken; records could not tell the two apart`;
    return isTaken ? [{ code: 'name-taken', path: [part, index, 'name'], detail }] : [];
  });
}

function membersOf(value: unknown, part: string): readonly unknown[] {
  const members = partOf(value, part);
  return Array.isArray(members) ? (members as readonly unknown[]) : [];
}

function partOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key]; // an object has string keys
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
