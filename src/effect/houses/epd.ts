/**
 * EPD: all four hints always said. Destructive is what removes state or cannot be undone; a charge
 * that a refund undoes is not. A write with a key, even an optional one, counts as repeatable.
 */
import type { Effect } from '../effect.ts';
import { changeOf } from '../effect.ts';
import type { Hints } from '../hints.ts';
import type { House } from '../house.ts';
import { defineHouse } from '../house.ts';
import { staysInside } from '../reach.ts';
import { settles } from '../repeat.ts';
import { epdExceptions } from './epd-exceptions.ts';

export const epd: House = defineHouse({
  name: 'epd',
  hints: (effect: Effect): Hints => {
    const change = changeOf(effect);
    return {
      readOnlyHint: change === 'nothing',
      destructiveHint: change === 'removes' || (change === 'alters' && !effect.reversible),
      idempotentHint: settles(effect.repeat),
      openWorldHint: !staysInside(effect.reach),
    };
  },
  titleIn: ['tool', 'annotations'],
  meta: [],
  listsOutputSchema: true,
  lists: 'all',
  exceptions: epdExceptions,
});
