/** One tool with two different titles. */
import { memberOf, pointerInto } from '../../tool-schema.ts';
import { quote } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'title-differs',
  category: 'naming',
  severity: 'warning',
  summary: "The tool's own title and the one in its annotations are not the same.",
  cost: 'People see one title in one host and another in the next, and approve what they do not recognize.',
  codes: { 'title-differs': 'The two titles differ.' },
  checkTool: ({ raw, pointer: base }) => {
    const own = memberOf(raw, 'title');
    const noted = memberOf(raw, 'annotations', 'title');
    if (typeof own !== 'string' || typeof noted !== 'string') return [];
    if (own.trim() === '' || own.trim() === noted.trim()) return [];
    const pointer = pointerInto(base, 'annotations', 'title');
    return [
      {
        code: 'title-differs',
        pointer,
        message: `The tool is titled ${quote(own)}, its annotations say ${quote(noted)}: MCP shows the first, VS Code the second.`,
        fix: { kind: 'set', pointer, value: own },
      },
    ];
  },
};
