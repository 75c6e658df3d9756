/** The draft of a finding about one hint that ought to have the other value. */
import type { HintName } from '../../effect/hints.ts';
import type { Draft } from '../rule.ts';
import type { ToolSubject } from '../subject.ts';

export interface HintFault {
  readonly code: string;
  readonly hint: HintName;
  readonly message: string;
  /** What the hint ought to say. */
  readonly value: boolean;
}

export function hintDraft(tool: ToolSubject, { code, hint, message, value }: HintFault): Draft {
  const pointer = `${tool.pointer}/annotations/${hint}`;
  return { code, pointer, message, fix: { kind: 'set', pointer, value } };
}
