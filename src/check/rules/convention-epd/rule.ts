/** What the EPD convention sets on every tool. Does not check whether the hints are true. */
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
  summary: 'A tool does not set its hints as the EPD convention does.',
  cost: 'Hosts and readers that know the convention misjudge the tool.',
  profiles: onlyIn('epd'),
  codes: {
    'convention-epd/unset': 'One of the four hints is not set.',
    'convention-epd/read-not-repeatable': 'A read sets idempotentHint to false.',
    'convention-epd/title': 'The title is not in both places.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    const isRead = memberOf(tool.raw, 'annotations', 'readOnlyHint') === true;
    return [
      ...conventionHint(tool, HINT_NAMES, {
        code: 'convention-epd/unset',
        message: (hint) => `The epd convention sets ${hint} on every tool.`,
        when: (said) => said === undefined,
      }),
      ...conventionHint(tool, isRead ? ['idempotentHint'] : [], {
        code: 'convention-epd/read-not-repeatable',
        message: (hint) => `The epd convention sets ${hint} to true on every read.`,
        when: (said) => said === false,
      }),
      ...conventionTitles(tool, epd),
    ];
  },
};
