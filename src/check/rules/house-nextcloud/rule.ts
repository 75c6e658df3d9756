/** What the Nextcloud house says by kind of act. Whether the hints are true is not asked here. */
import { nextcloud } from '../../../effect/houses/nextcloud.ts';
import { houseHint } from '../../look/house-hint.ts';
import { houseTitles } from '../../look/house-titles.ts';
import { memberOf } from '../../look/member-of.ts';
import { onlyIn } from '../../look/only-in.ts';
import { saysSomeHint } from '../../look/says-some-hint.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'house-nextcloud',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not say its hints the way the Nextcloud house does.',
  cost: 'Hosts and readers that know the house take the tool for something else than it is.',
  profiles: onlyIn('nextcloud'),
  codes: {
    'house-nextcloud/unsaid': 'openWorldHint is unsaid, or idempotentHint on what is no read.',
    'house-nextcloud/said-on-read': 'A read says destructiveHint or idempotentHint.',
    'house-nextcloud/false-said': 'destructiveHint is said to be false.',
    'house-nextcloud/title': 'The tool itself has no title.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    const isRead = memberOf(tool.raw, 'annotations', 'readOnlyHint') === true;
    return [
      ...houseHint(tool, isRead ? ['openWorldHint'] : ['idempotentHint', 'openWorldHint'], {
        code: 'house-nextcloud/unsaid',
        message: (hint) => `The nextcloud house says ${hint} here.`,
        when: (said) => said === undefined,
      }),
      ...houseHint(tool, isRead ? ['destructiveHint', 'idempotentHint'] : [], {
        code: 'house-nextcloud/said-on-read',
        message: (hint) => `The nextcloud house leaves ${hint} out on reads.`,
        when: (said) => said !== undefined,
        fix: 'remove',
      }),
      ...houseHint(tool, isRead ? [] : ['destructiveHint'], {
        code: 'house-nextcloud/false-said',
        message: (hint) => `The nextcloud house says ${hint} only where it is true.`,
        when: (said) => said === false,
        fix: 'remove',
      }),
      ...houseTitles(tool, nextcloud),
    ];
  },
};
