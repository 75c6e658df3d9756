/** A policy from the text of a file, YAML or JSON. Every fault has its place in the text. */
import { readYaml } from '../../lib/read-yaml.ts';
import { checkPolicy } from './check-policy.ts';
import type { PolicyFault, Policy } from './policy.ts';

export type PolicyReading =
  | { readonly kind: 'policy'; readonly policy: Policy }
  | { readonly kind: 'faults'; readonly faults: readonly PolicyFault[] };

export function readPolicy(text: string, file?: string): PolicyReading {
  // An empty file has no wishes.
  const reading = readYaml(text, (value = {}) => checkPolicy(value));
  if (reading.kind === 'read') return { kind: 'policy', policy: reading.value };
  const place = file === undefined ? {} : { file };
  return { kind: 'faults', faults: reading.faults.map((fault) => ({ ...fault, ...place })) };
}
