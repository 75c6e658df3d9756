/** What can never be right in a policy, and where it stands. */

export interface PolicyFault {
  readonly code: PolicyFaultCode;
  /** `rules[2].when`; empty for the whole. */
  readonly path: string;
  /** One sentence for whoever wrote it. */
  readonly detail: string;
  /** Both from 1; absent when the policy was not read from text. */
  readonly line?: number;
  readonly column?: number;
  readonly file?: string;
}

export type PolicyFaultCode =
  | 'malformed-yaml'
  | 'unknown-key'
  | 'missing'
  | 'wrong-value'
  | 'condition'
  | 'name-taken'
  | 'out-of-place';

/** `policy.yaml:3:9: rules[0].then must be …`, the form that editors jump to. */
export function describeFault({ file, line, column, path, detail }: PolicyFault): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const about = path === '' ? detail : `${path}: ${detail}`;
  return place === '' ? about : `${place}: ${about}`;
}
