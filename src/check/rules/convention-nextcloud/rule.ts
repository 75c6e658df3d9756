/** What the Nextcloud convention says by kind of act. Whether the hints are true is not asked here. */
import { nextcloud } from '../../../effect/conventions/nextcloud.ts';
import { conventionHint, conventionTitles, saysSomeHint } from '../../tool-hints.ts';
import { memberOf } from '../../tool-schema.ts';
import { onlyIn } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'convention-nextcloud',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not say its hints the way the Nextcloud convention does.',
  cost: 'Hosts and readers that know the convention take the tool for something else than it is.',
  profiles: onlyIn('nextcloud'),
  codes: {
    'convention-nextcloud/unsaid': 'openWorldHint is unsaid, or idempotentHint on what is no read.',
    'convention-nextcloud/said-on-read': 'A read says destructiveHint or idempotentHint.',
    'convention-nextcloud/false-said': 'destructiveHint is said to be false.',
    'convention-nextcloud/title': 'The tool itself has no title.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    const isRead = memberOf(tool.raw, 'annotations', 'readOnlyHint') === true;
    return [
      ...conventionHint(tool, isRead ? ['openWorldHint'] : ['idempotentHint', 'openWorldHint'], {
        code: 'convention-nextcloud/unsaid',
        message: (hint) => `The nextcloud convention says ${hint} here.`,
        when: (said) => said === undefined,
      }),
      ...conventionHint(tool, isRead ? ['destructiveHint', 'idempotentHint'] : [], {
        code: 'convention-nextcloud/said-on-read',
        message: (hint) => `The nextcloud convention leaves ${hint} out on reads.`,
        when: (said) => said !== undefined,
        fix: 'remove',
      }),
      ...conventionHint(tool, isRead ? [] : ['destructiveHint'], {
        code: 'convention-nextcloud/false-said',
        message: (hint) => `The nextcloud convention says ${hint} only where it is true.`,
        when: (said) => said === false,
        fix: 'remove',
      }),
      ...conventionTitles(tool, nextcloud),
    ];
  },
};
