/** What one tool brings to a submission. Data only. */
import type { ToolSubject } from '../subject.ts';
import type { Justification, JustifiedHint } from './justify.ts';

export interface ToolEntry {
  readonly tool: ToolSubject;
  readonly unmet: readonly UnmetRequirement[];
  /** Hints that do not go with what the tool says of itself. */
  readonly doubts: readonly string[];
  readonly justifications: Readonly<Record<JustifiedHint, Justification>>;
}

interface UnmetRequirement {
  readonly id: string;
  readonly detail: string;
  readonly source: string;
}
