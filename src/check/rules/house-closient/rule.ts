/** What the Closient house always says and what it leaves out. Whether the hints are true is not asked here. */
import { closient } from '../../../effect/houses/closient.ts';
import { houseHint } from '../../look/house-hint.ts';
import { houseTitles } from '../../look/house-titles.ts';
import { onlyIn } from '../../look/only-in.ts';
import { saysSomeHint } from '../../look/says-some-hint.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'house-closient',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not say its hints the way the Closient house does.',
  cost: 'Hosts and readers that know the house take the tool for something else than it is.',
  profiles: onlyIn('closient'),
  codes: {
    'house-closient/unsaid': 'readOnlyHint or openWorldHint is unsaid.',
    'house-closient/false-said': 'destructiveHint or idempotentHint is said to be false.',
    'house-closient/title': 'The title does not stand in both places.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    return [
      ...houseHint(tool, ['readOnlyHint', 'openWorldHint'], {
        code: 'house-closient/unsaid',
        message: (hint) => `The closient house says ${hint} on every tool.`,
        when: (said) => said === undefined,
      }),
      ...houseHint(tool, ['destructiveHint', 'idempotentHint'], {
        code: 'house-closient/false-said',
        message: (hint) => `The closient house says ${hint} only where it is true.`,
        when: (said) => said === false,
        fix: 'remove',
      }),
      ...houseTitles(tool, closient),
    ];
  },
};
