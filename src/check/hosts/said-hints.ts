/** The hints of a tool as they were said, also where two of them clash; what is no boolean is left out. */
import type { HintName, Hints } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import { memberOf } from '../look/member-of.ts';

export function saidHints(raw: unknown): Hints {
  const hints: Partial<Record<HintName, boolean>> = {};
  for (const name of HINT_NAMES) {
    const said = memberOf(raw, 'annotations', name);
    if (typeof said === 'boolean') hints[name] = said;
  }
  return hints;
}
