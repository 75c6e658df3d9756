/** A finding: what is wrong with a tool or a server, where, what it costs, and how to mend it. Data only. */
import type { JsonValue } from '../lib/json-value.ts';

export type Severity = 'error' | 'warning' | 'info';

export interface Finding {
  /** The rule's id. */
  readonly rule: string;
  /** Stable: the rule's id, or `rule/detail` where one rule can find several things. */
  readonly code: string;
  readonly severity: Severity;
  readonly server: string;
  /** Absent when it is about the server as a whole. */
  readonly tool?: string;
  /** A JSON pointer into the tools/list result: `/tools/3/annotations/readOnlyHint`. */
  readonly pointer: string;
  /** One sentence for people. Words of the server stand in it only in quotes, short and visible. */
  readonly message: string;
  /** The exact change, where there is only one right one. */
  readonly fix?: Fix;
}

export type Fix =
  | { readonly kind: 'set'; readonly pointer: string; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly pointer: string };
