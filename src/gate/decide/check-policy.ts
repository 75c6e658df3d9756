/** From anything to a frozen policy, or to every fault in it. Knows paths, not lines. */
import { checkShape } from '../../lib/check-shape.ts';
import type { Checked } from '../../lib/read-yaml.ts';
import { toAsking } from './asking.ts';
import { checkAgreement } from './policy-agreement.ts';
import type { PolicyFaultCode } from './policy-fault.ts';
import { policySchema } from './policy-schema.ts';
import type { Policy } from './policy.ts';
import { toVersioned } from './to-versioned.ts';

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
