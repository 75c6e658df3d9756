/** A directory's stated requirement, and what a tool owes it. Data only. */
import type { ToolSubject } from '../subject.ts';

export type Directory = 'anthropic' | 'openai';

export interface Requirement {
  /** Stable. */
  readonly id: string;
  readonly text: string;
  readonly source: string;
  /** What is missing, in one sentence; nothing when it is met. */
  readonly check: (tool: ToolSubject) => string | undefined;
}
