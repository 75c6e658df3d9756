/** What the Closient convention always says and what it leaves out. Whether the hints are true is not asked here. */
import { closient } from '../../../effect/conventions/closient.ts';
import { conventionHint, conventionTitles, saysSomeHint } from '../../tool-hints.ts';
import { onlyIn } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'convention-closient',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not say its hints the way the Closient convention does.',
  cost: 'Hosts and readers that know the convention take the tool for something else than it is.',
  profiles: onlyIn('closient'),
  codes: {
    'convention-closient/unsaid': 'readOnlyHint or openWorldHint is unsaid.',
    'convention-closient/false-said': 'destructiveHint or idempotentHint is said to be false.',
    'convention-closient/title': 'The title does not stand in both places.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    return [
      ...conventionHint(tool, ['readOnlyHint', 'openWorldHint'], {
        code: 'convention-closient/unsaid',
        message: (hint) => `The closient convention says ${hint} on every tool.`,
        when: (said) => said === undefined,
      }),
      ...conventionHint(tool, ['destructiveHint', 'idempotentHint'], {
        code: 'convention-closient/false-said',
        message: (hint) => `The closient convention says ${hint} only where it is true.`,
        when: (said) => said === false,
        fix: 'remove',
      }),
      ...conventionTitles(tool, closient),
    ];
  },
};
