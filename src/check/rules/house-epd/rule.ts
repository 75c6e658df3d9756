/** What the EPD house says on every tool. Whether the hints are true is not asked here. */
import { HINT_NAMES } from '../../../effect/hints.ts';
import { epd } from '../../../effect/houses/epd.ts';
import { houseHint } from '../../look/house-hint.ts';
import { houseTitles } from '../../look/house-titles.ts';
import { memberOf } from '../../look/member-of.ts';
import { onlyIn } from '../../look/only-in.ts';
import { saysSomeHint } from '../../look/says-some-hint.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'house-epd',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not say its hints the way the EPD house does.',
  cost: 'Hosts and readers that know the house take the tool for something else than it is.',
  profiles: onlyIn('epd'),
  codes: {
    'house-epd/unsaid': 'One of the four hints is unsaid.',
    'house-epd/read-not-repeatable': 'A read says that it cannot be repeated.',
    'house-epd/title': 'The title does not stand in both places.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    const isRead = memberOf(tool.raw, 'annotations', 'readOnlyHint') === true;
    return [
      ...houseHint(tool, HINT_NAMES, {
        code: 'house-epd/unsaid',
        message: (hint) => `The epd house says ${hint} on every tool.`,
        when: (said) => said === undefined,
      }),
      ...houseHint(tool, isRead ? ['idempotentHint'] : [], {
        code: 'house-epd/read-not-repeatable',
        message: (hint) => `The epd house says ${hint} true on every read.`,
        when: (said) => said === false,
      }),
      ...houseTitles(tool, epd),
    ];
  },
};
