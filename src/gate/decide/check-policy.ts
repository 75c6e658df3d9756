/** From anything to a frozen policy, or to every fault in it. Knows paths, not lines. */
import type { z } from 'zod';
import { toAsking } from './asking.ts';
import { describeIssue } from './describe-issue.ts';
import { checkAgreement } from './policy-agreement.ts';
import type { PolicyFaultCode } from './policy-fault.ts';
import { policySchema } from './policy-schema.ts';
import type { Policy } from './policy.ts';
import { toVersioned } from './to-versioned.ts';

interface PathFault {
  readonly code: PolicyFaultCode;
  readonly path: readonly (string | number)[];
  readonly detail: string;
  /** Index into the text that stands at the path. */
  readonly at?: number;
}

export type CheckedPolicy =
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
