/** A hint that a house would not send the way it was sent. */
import type { HintName } from '../../effect/hints.ts';
import type { Fix } from '../finding.ts';
import type { Draft } from '../rule.ts';
import type { ToolSubject } from '../subject.ts';
import { memberOf } from './member-of.ts';
import { pointerInto } from './pointer-into.ts';

export interface HouseFault {
  readonly code: string;
  readonly message: (hint: HintName) => string;
  /** The value at fault; undefined where the hint is unsaid. */
  readonly when: (said: unknown) => boolean;
  readonly fix?: 'remove';
}

export function houseHint(
  tool: ToolSubject,
  hints: readonly HintName[],
  { code, message, when, fix }: HouseFault,
): readonly Draft[] {
  return hints
    .filter((hint) => when(memberOf(tool.raw, 'annotations', hint)))
    .map((hint) => {
      const pointer = pointerInto(tool.pointer, 'annotations', hint);
      const mend: Fix | undefined = fix === undefined ? undefined : { kind: fix, pointer };
      return { code, pointer, message: message(hint), ...(mend !== undefined && { fix: mend }) };
    });
}
