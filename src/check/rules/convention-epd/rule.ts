/** What the EPD convention says on every tool. Whether the hints are true is not asked here. */
import { HINT_NAMES } from '../../../effect/hints.ts';
import { epd } from '../../../effect/conventions/epd.ts';
import { conventionHint, conventionTitles, saysSomeHint } from '../../tool-hints.ts';
import { memberOf } from '../../tool-schema.ts';
import { onlyIn } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'convention-epd',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not say its hints the way the EPD convention does.',
  cost: 'Hosts and readers that know the convention take the tool for something else than it is.',
  profiles: onlyIn('epd'),
  codes: {
    'convention-epd/unsaid': 'One of the four hints is unsaid.',
    'convention-epd/read-not-repeatable': 'A read says that it cannot be repeated.',
    'convention-epd/title': 'The title does not stand in both places.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    const isRead = memberOf(tool.raw, 'annotations', 'readOnlyHint') === true;
    return [
      ...conventionHint(tool, HINT_NAMES, {
        code: 'convention-epd/unsaid',
        message: (hint) => `The epd convention says ${hint} on every tool.`,
        when: (said) => said === undefined,
      }),
      ...conventionHint(tool, isRead ? ['idempotentHint'] : [], {
        code: 'convention-epd/read-not-repeatable',
        message: (hint) => `The epd convention says ${hint} true on every read.`,
        when: (said) => said === false,
      }),
      ...conventionTitles(tool, epd),
    ];
  },
};
