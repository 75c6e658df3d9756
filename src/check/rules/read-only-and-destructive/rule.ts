/** Two hints that cannot both be true. The truth rules say which one is wrong. */
import { memberOf, pointerInto } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'read-only-and-destructive',
  category: 'annotations',
  severity: 'error',
  summary: 'A tool claims to be both read-only and destructive.',
  cost: 'Hosts that check readOnlyHint first run it without asking, hosts that check destructiveHint first ask each time.',
  codes: { 'read-only-and-destructive': 'readOnlyHint and destructiveHint are both true.' },
  checkTool: ({ raw, pointer }) => {
    const claims = (hint: string): boolean => memberOf(raw, 'annotations', hint) === true;
    if (!claims('readOnlyHint') || !claims('destructiveHint')) return [];
    return [
      {
        code: 'read-only-and-destructive',
        pointer: pointerInto(pointer, 'annotations'),
        message:
          'readOnlyHint and destructiveHint are both true: ChatGPT and VS Code run it without asking, Codex asks each time.',
      },
    ];
  },
};
