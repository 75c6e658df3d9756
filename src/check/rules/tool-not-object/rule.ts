/** Entries of the list that are not tools at all. */
import type { Rule } from '../../rule.ts';
import { toJsonObject } from '../../tool-schema.ts';

export const rule: Rule = {
  id: 'tool-not-object',
  category: 'schema',
  severity: 'error',
  summary: 'An entry of the list is not an object.',
  cost: 'Clients that check what they receive refuse the whole list, so no tool of the server can be used.',
  codes: { 'tool-not-object': 'The entry is a string, a number, a list or null.' },
  checkTool: ({ raw, pointer }) =>
    toJsonObject(raw) !== undefined
      ? []
      : [{ code: 'tool-not-object', pointer, message: 'This entry of the list is not an object.' }],
};
