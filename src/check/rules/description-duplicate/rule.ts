/** Tools of one server with the same description. */
import { memberOf, pointerInto } from '../../tool-schema.ts';
import { quote } from '../../tool-texts.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';

export const rule: Rule = {
  id: 'description-duplicate',
  category: 'description',
  severity: 'warning',
  summary: 'Two tools of a server have the same description.',
  cost: 'The model cannot distinguish them, and calls the wrong one.',
  codes: { 'description-duplicate': 'An earlier tool has the same description.' },
  checkServer: ({ tools }) => {
    const seen = new Map<string, ToolSubject>();
    return tools.flatMap((tool): readonly Draft[] => {
      const words = wordsOf(tool.raw);
      const earlier = seen.get(words);
      if (words === '' || earlier === undefined) {
        seen.set(words, tool);
        return [];
      }
      // The same tool listed twice is a duplicate name, and one finding is enough.
      if (earlier.name === tool.name) return [];
      return [
        {
          code: 'description-duplicate',
          tool: tool.name,
          pointer: pointerInto(tool.pointer, 'description'),
          message: `The description is the same as that of ${quote(earlier.name)}.`,
        },
      ];
    });
  },
};

function wordsOf(raw: unknown): string {
  const description = memberOf(raw, 'description');
  if (typeof description !== 'string') return '';
  return description.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
