/**
 * Closient: a narrow definition of destructive, and hints that promise nothing are omitted. An audited
 * call is not read-only here, because the audit row is a record that users see.
 */
import type { Effect } from '../effect.ts';
import { changeOf, staysInside } from '../effect.ts';
import type { Hints } from '../hints.ts';
import type { Convention } from '../convention.ts';
import { defineConvention } from '../convention.ts';
import { settles } from '../repeat.ts';

export const closient: Convention = defineConvention({
  name: 'closient',
  hints: (effect: Effect): Hints => {
    const change = changeOf(effect);
    const destroys = change === 'removes' || effect.overwrites;
    return {
      readOnlyHint: change === 'nothing' && effect.trace !== 'audit',
      ...(destroys && { destructiveHint: true }),
      ...(settles(effect.repeat) && { idempotentHint: true }),
      openWorldHint: !staysInside(effect.reach),
    };
  },
  titleIn: ['tool', 'annotations'],
  meta: [],
  listsOutputSchema: false,
  lists: 'all',
  exceptions: [],
});
