/** What the Nextcloud convention sets by kind of act. Does not check whether the hints are true. */
import { nextcloud } from '../../../effect/conventions/nextcloud.ts';
import { conventionHint, conventionTitles, saysSomeHint } from '../../tool-hints.ts';
import { memberOf } from '../../tool-schema.ts';
import { onlyIn } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'convention-nextcloud',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not set its hints as the Nextcloud convention does.',
  cost: 'Hosts and readers that know the convention misjudge the tool.',
  profiles: onlyIn('nextcloud'),
  codes: {
    'convention-nextcloud/unset':
      'openWorldHint is not set, or idempotentHint on a tool that is not a read.',
    'convention-nextcloud/said-on-read': 'A read sets destructiveHint or idempotentHint.',
    'convention-nextcloud/false-said': 'destructiveHint is set to false.',
    'convention-nextcloud/title': 'The tool itself has no title.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    const isRead = memberOf(tool.raw, 'annotations', 'readOnlyHint') === true;
    return [
      ...conventionHint(tool, isRead ? ['openWorldHint'] : ['idempotentHint', 'openWorldHint'], {
        code: 'convention-nextcloud/unset',
        message: (hint) => `The nextcloud convention sets ${hint} here.`,
        when: (said) => said === undefined,
      }),
      ...conventionHint(tool, isRead ? ['destructiveHint', 'idempotentHint'] : [], {
        code: 'convention-nextcloud/said-on-read',
        message: (hint) => `The nextcloud convention omits ${hint} on reads.`,
        when: (said) => said !== undefined,
        fix: 'remove',
      }),
      ...conventionHint(tool, isRead ? [] : ['destructiveHint'], {
        code: 'convention-nextcloud/false-said',
        message: (hint) => `The nextcloud convention sets ${hint} only where it is true.`,
        when: (said) => said === false,
        fix: 'remove',
      }),
      ...conventionTitles(tool, nextcloud),
    ];
  },
};
