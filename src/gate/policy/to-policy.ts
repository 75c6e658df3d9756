/** A policy from an object, for programs that hold the gate as a library. */
import { toPath } from '../../lib/read-yaml.ts';
import { checkPolicy } from './check-policy.ts';
import type { PolicyFault } from './policy-fault.ts';
import { describeFault } from './policy-fault.ts';
import type { PolicyInit } from './policy-init.ts';
import type { Policy } from './policy.ts';

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
