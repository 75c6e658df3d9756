/**
 * Plimsoll: the default for new servers. All four hints are always set, by MCP's own wording, so that
 * no host has to guess; the tier, the scope and the whole effect in `_meta`; and the vendor keys that
 * make a host ask, on every tier that asks.
 */
import type { Effect } from '../effect.ts';
import { changeOf, staysInside } from '../effect.ts';
import type { Hints } from '../hints.ts';
import type { Convention } from '../convention.ts';
import { defineConvention } from '../convention.ts';
import type { Repeat } from '../repeat.ts';
import { settlesByNature } from '../repeat.ts';

/** True only if the same arguments alone make the repeat harmless: an optional key may be absent. */
function sameArgumentsSettle(repeat: Repeat): boolean {
  return settlesByNature(repeat) || ('need' in repeat && repeat.need !== 'optional');
}

export const plimsoll: Convention = defineConvention({
  name: 'plimsoll',
  hints: (effect: Effect): Hints => {
    const change = changeOf(effect);
    const touches = change !== 'nothing';
    return {
      readOnlyHint: !touches,
      destructiveHint: touches && (change === 'removes' || effect.overwrites || !effect.reversible),
      idempotentHint: sameArgumentsSettle(effect.repeat),
      openWorldHint: !staysInside(effect.reach),
    };
  },
  titleIn: ['tool', 'annotations'],
  meta: ['sideEffect', 'requiredScope', 'produces', 'effect', 'claudeAsks', 'cursorAsks'],
  listsOutputSchema: true,
  lists: 'all',
  exceptions: [],
});
