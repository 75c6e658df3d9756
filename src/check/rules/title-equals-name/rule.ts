/** Titles that only repeat the name. */
import { memberOf, pointerInto } from '../../tool-schema.ts';
import type { Draft, Rule } from '../../rule.ts';

const PLACES = [['title'], ['annotations', 'title']] as const;

export const rule: Rule = {
  id: 'title-equals-name',
  category: 'naming',
  severity: 'info',
  summary: 'A title equals the name of the tool exactly.',
  cost: 'Approval prompts show people a name that was made for programs.',
  profiles: { 'anthropic-directory': 'warning', strict: 'warning' },
  codes: { 'title-equals-name': 'The title is exactly the name.' },
  checkTool: ({ raw, name, pointer }) =>
    PLACES.flatMap((place): readonly Draft[] => {
      const title = memberOf(raw, ...place);
      if (name === '' || typeof title !== 'string' || title.trim() !== name) return [];
      return [
        {
          code: 'title-equals-name',
          pointer: pointerInto(pointer, ...place),
          message: 'The title only repeats the name; say in a few words what the tool does.',
        },
      ];
    }),
};
