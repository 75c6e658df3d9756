/** A rule: what it looks for, why it matters, its severity per profile, and the pure check. */
import type { JsonValue } from '../lib/json-value.ts';
import type { ServerSubject, ToolSubject } from './subject.ts';

type Category =
  | 'annotations'
  | 'truth'
  | 'naming'
  | 'schema'
  | 'description'
  | 'security'
  | 'drift';

/** Whose expectations are checked. */
export type Profile =
  | 'spec'
  | 'anthropic-directory'
  | 'openai-apps'
  | 'closient'
  | 'geopera'
  | 'nextcloud'
  | 'epd'
  | 'strict';

export interface Rule {
  /** The name of its folder. */
  readonly id: string;
  readonly category: Category;
  /** Unless a profile overrides it. */
  readonly severity: Severity;
  /** What it finds, in one sentence. */
  readonly summary: string;
  /** What the fault costs users of the server. */
  readonly cost: string;
  readonly profiles?: Readonly<Partial<Record<Profile, Severity | 'off'>>>;
  /** Codes that it can report, each with its meaning; a test checks the docs against these. */
  readonly codes: Readonly<Record<string, string>>;
  checkTool?(tool: ToolSubject, server: ServerSubject): readonly Draft[];
  checkServer?(server: ServerSubject): readonly Draft[];
}

/** A finding before the engine has added rule, severity and server. */
export type Draft = Omit<Finding, 'rule' | 'severity' | 'server' | 'tool'> & {
  /** For server rules that are about one tool. */
  readonly tool?: string;
  /** Where this finding is less certain than its rule: it is reported at this level at most. */
  readonly severity?: Severity;
};

/** A finding: what is wrong with a tool or a server, where, what it costs, and how to fix it. Data only. */
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
  /** One sentence for people. Text of the server is only quoted, short and visible. */
  readonly message: string;
  /** The exact change, if there is only one right one. */
  readonly fix?: Fix;
}

export type Fix =
  | { readonly kind: 'set'; readonly pointer: string; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly pointer: string };
