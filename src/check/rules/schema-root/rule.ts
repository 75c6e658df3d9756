/** Input schemas that do not describe an object. */
import { memberOf, toJsonObject, pointerInto } from '../../tool-schema.ts';
import type { Draft, Rule } from '../../rule.ts';

const COMBINATORS = ['anyOf', 'oneOf', 'allOf', 'not', '$ref'];

export const rule: Rule = {
  id: 'schema-root',
  category: 'schema',
  severity: 'error',
  summary: 'The input schema is missing, is not a schema, or its root is not of type object.',
  cost: 'Clients built on the official SDK refuse the whole list, and model APIs refuse the request.',
  codes: {
    'schema-root/missing': 'There is no input schema.',
    'schema-root/not-schema':
      'The input schema is not an object: a boolean, a list, a string or null.',
    'schema-root/combinator': 'The root combines schemas and has no type itself.',
    'schema-root/no-type': 'The root has no type.',
    'schema-root/other-type': 'The type of the root is not the word "object".',
  },
  checkTool: ({ raw, pointer: base }) => {
    if (toJsonObject(raw) === undefined) return [];
    const pointer = pointerInto(base, 'inputSchema');
    const draft = (detail: string, message: string): Draft => ({
      code: `schema-root/${detail}`,
      pointer,
      message,
    });
    const said = memberOf(raw, 'inputSchema');
    if (said === undefined) return [draft('missing', 'The tool has no input schema.')];
    const schema = toJsonObject(said);
    if (schema === undefined) return [draft('not-schema', 'The input schema is not an object.')];
    const type = schema['type'];
    if (type === 'object') return [];
    const at = pointerInto(pointer, 'type');
    if (type !== undefined)
      return [
        {
          ...draft('other-type', 'The root of the input schema is not of type object.'),
          pointer: at,
        },
      ];
    if (COMBINATORS.some((key) => schema[key] !== undefined))
      return [
        draft(
          'combinator',
          'The root of the input schema combines schemas and has no type itself.',
        ),
      ];
    return [
      {
        ...draft('no-type', 'The root of the input schema has no type; it must be object.'),
        fix: { kind: 'set', pointer: at, value: 'object' },
      },
    ];
  },
};
