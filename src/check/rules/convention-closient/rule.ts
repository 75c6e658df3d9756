/**
 * What the Closient convention always sets and what it omits. Does not check whether the hints are
 * true.
 */
import { closient } from '../../../effect/conventions/closient.ts';
import { conventionHint, conventionTitles, saysSomeHint } from '../../tool-hints.ts';
import { onlyIn } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'convention-closient',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not set its hints as the Closient convention does.',
  cost: 'Hosts and readers that know the convention misjudge the tool.',
  profiles: onlyIn('closient'),
  codes: {
    'convention-closient/unset': 'readOnlyHint or openWorldHint is not set.',
    'convention-closient/false-said': 'destructiveHint or idempotentHint is set to false.',
    'convention-closient/title': 'The title is not in both places.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    return [
      ...conventionHint(tool, ['readOnlyHint', 'openWorldHint'], {
        code: 'convention-closient/unset',
        message: (hint) => `The closient convention sets ${hint} on every tool.`,
        when: (said) => said === undefined,
      }),
      ...conventionHint(tool, ['destructiveHint', 'idempotentHint'], {
        code: 'convention-closient/false-said',
        message: (hint) => `The closient convention sets ${hint} only where it is true.`,
        when: (said) => said === false,
        fix: 'remove',
      }),
      ...conventionTitles(tool, closient),
    ];
  },
};
