/** Tools that do not say what they do. */
import { memberOf, toJsonObject, pointerInto } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'description-missing',
  category: 'description',
  severity: 'warning',
  summary: 'A tool has no description, an empty one, or one that is not a string.',
  cost: 'The model chooses by the name alone; a description that is not a string makes SDK clients refuse the whole list.',
  profiles: { strict: 'error' },
  codes: {
    'description-missing': 'There is no description, or an empty one.',
    'description-missing/not-string': 'The description is not a string.',
  },
  checkTool: ({ raw, pointer: base }) => {
    if (toJsonObject(raw) === undefined) return [];
    const description = memberOf(raw, 'description');
    const pointer = pointerInto(base, 'description');
    if (description === undefined || (typeof description === 'string' && description.trim() === ''))
      return [
        {
          code: 'description-missing',
          pointer,
          message: 'The tool has no description: the model chooses it by its name alone.',
        },
      ];
    if (typeof description === 'string') return [];
    return [
      {
        code: 'description-missing/not-string',
        pointer,
        message: 'The description is not a string: SDK clients then fail on the whole list.',
        ...(description === null && { fix: { kind: 'remove', pointer } }),
      },
    ];
  },
};
