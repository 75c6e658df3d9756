/** Titles that are present, but not strings. */
import { memberOf, pointerInto } from '../../tool-schema.ts';
import type { Draft, Rule } from '../../rule.ts';

const PLACES = [['title'], ['annotations', 'title']] as const;

export const rule: Rule = {
  id: 'title-not-string',
  category: 'naming',
  severity: 'error',
  summary: 'A title is not a string.',
  cost: "Clients built on the official SDK refuse the server's whole list.",
  codes: { 'title-not-string': 'The title is null, a number, a boolean, a list or an object.' },
  checkTool: ({ raw, pointer: base }) =>
    PLACES.flatMap((place): readonly Draft[] => {
      const title = memberOf(raw, ...place);
      if (title === undefined || typeof title === 'string') return [];
      const pointer = pointerInto(base, ...place);
      return [
        {
          code: 'title-not-string',
          pointer,
          message:
            'The title is not a string: SDK clients then fail on the whole list, not only on this tool.',
          ...(title === null && { fix: { kind: 'remove', pointer } }),
        },
      ];
    }),
};
