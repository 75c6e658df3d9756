/** Annotations that are present, but not an object. */
import { memberOf, toJsonObject, pointerInto } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'annotations-not-object',
  category: 'annotations',
  severity: 'error',
  summary: 'The annotations are not an object.',
  cost: "Clients built on the official SDK refuse the server's whole list.",
  codes: { 'annotations-not-object': 'The annotations are null, a list, text or a number.' },
  checkTool: ({ raw, pointer: base }) => {
    const said = memberOf(raw, 'annotations');
    if (said === undefined || toJsonObject(said) !== undefined) return [];
    const pointer = pointerInto(base, 'annotations');
    return [
      {
        code: 'annotations-not-object',
        pointer,
        message:
          'The annotations are not an object: SDK clients then fail on the whole list, not only on this tool.',
        ...(said === null && { fix: { kind: 'remove', pointer } }),
      },
    ];
  },
};
