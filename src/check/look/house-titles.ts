/** Titles that a house wants and that are not where it puts them. */
import type { House } from '../../effect/house.ts';
import type { Draft } from '../rule.ts';
import type { ToolSubject } from '../subject.ts';
import { memberOf } from './member-of.ts';
import { pointerInto } from './pointer-into.ts';

const PLACES = { tool: ['title'], annotations: ['annotations', 'title'] } as const;

export function houseTitles(tool: ToolSubject, house: House): readonly Draft[] {
  const said = tool.stamp.title?.trim() ?? '';
  if (said === '') return []; // no title at all is another rule's
  return house.titleIn.flatMap((where): readonly Draft[] => {
    const place = PLACES[where];
    if (memberOf(tool.raw, ...place) !== undefined) return [];
    const pointer = pointerInto(tool.pointer, ...place);
    const spot = where === 'tool' ? 'on the tool itself' : 'in the annotations';
    return [
      {
        code: `house-${house.name}/title`,
        pointer,
        message: `The ${house.name} house also puts the title ${spot}.`,
        fix: { kind: 'set', pointer, value: said },
      },
    ];
  });
}
