/** References that a client would have to fetch, which MCP forbids. */
import { memberOf, pointerInto, walkSchema } from '../../tool-schema.ts';
import { quote } from '../../tool-texts.ts';
import type { SchemaPlace } from '../../tool-schema.ts';
import type { Draft, Rule } from '../../rule.ts';

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const FETCHED = /^\s*(?:(?:https?|ftp|file):|\/\/)/i;

export const rule: Rule = {
  id: 'schema-network-ref',
  category: 'security',
  severity: 'error',
  summary: 'A schema refers to another document on the network.',
  cost: 'Clients that follow MCP cannot check the arguments; others can be made to request any URL.',
  codes: { 'schema-network-ref': 'A reference points to another URL.' },
  checkTool: ({ raw, pointer }) =>
    ['inputSchema', 'outputSchema'].flatMap((part) => {
      const places = walkSchema(memberOf(raw, part), pointerInto(pointer, part));
      const own = new Set(places.flatMap(({ schema }) => baseOf(schema['$id'])));
      return places.flatMap((place) => fetchedFrom(place, own));
    }),
};

function fetchedFrom({ schema, pointer }: SchemaPlace, own: ReadonlySet<string>): readonly Draft[] {
  return REFERENCES.flatMap((key): readonly Draft[] => {
    const target = schema[key];
    if (typeof target !== 'string' || !FETCHED.test(target)) return [];
    if (baseOf(target).some((base) => own.has(base))) return [];
    return [
      {
        code: 'schema-network-ref',
        pointer: pointerInto(pointer, key),
        message: `The schema refers to ${quote(target)}, which no client should fetch; put it under $defs.`,
      },
    ];
  });
}

/** A URL that the document assigns to one of its own parts is not another document. */
function baseOf(address: unknown): readonly string[] {
  return typeof address === 'string' ? [address.split('#')[0] ?? ''] : [];
}
