/** Two hints that cannot both hold. Which of them is wrong is for the truth rules to say. */
import { memberOf, pointerInto } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'read-only-and-destructive',
  category: 'annotations',
  severity: 'error',
  summary: 'A tool says that it changes nothing and that it destroys.',
  cost: 'Hosts that look at readOnlyHint first run it unasked, hosts that look at destructiveHint first ask each time.',
  codes: { 'read-only-and-destructive': 'readOnlyHint and destructiveHint are both true.' },
  checkTool: ({ raw, pointer }) => {
    const claims = (hint: string): boolean => memberOf(raw, 'annotations', hint) === true;
    if (!claims('readOnlyHint') || !claims('destructiveHint')) return [];
    return [
      {
        code: 'read-only-and-destructive',
        pointer: pointerInto(pointer, 'annotations'),
        message:
          'readOnlyHint and destructiveHint are both true: ChatGPT and VS Code run it unasked, Codex asks each time.',
      },
    ];
  },
};
