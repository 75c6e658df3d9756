/** Every schema inside a schema, with its place. What is data there and no schema is not entered. */
import type { JsonObject } from './to-json-object.ts';
import { toJsonObject } from './to-json-object.ts';
import { pointerInto } from './pointer-into.ts';

export interface SchemaPlace {
  readonly schema: JsonObject;
  readonly pointer: string;
}

const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']);
const SINGLE = new Set(
  `items additionalProperties additionalItems not if then else contains propertyNames
  unevaluatedItems unevaluatedProperties contentSchema`.split(/\s+/),
);

/** Beyond these the schema is a burden of its own. */
const MOST = 20_000;
const DEEPEST = 64;

export function walkSchema(root: unknown, pointer: string): readonly SchemaPlace[] {
  const found: SchemaPlace[] = [];
  const waiting: { readonly value: unknown; readonly pointer: string; readonly depth: number }[] = [
    { value: root, pointer, depth: 0 },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const schema = toJsonObject(next.value);
    if (schema === undefined || next.depth > DEEPEST) continue;
    const depth = next.depth + 1;
    found.push({ schema, pointer: next.pointer });
    if (found.length >= MOST) break;
    for (const [key, inner] of Object.entries(schema)) {
      const at = pointerInto(next.pointer, key);
      if (SINGLE.has(key)) waiting.push({ value: inner, pointer: at, depth });
      const isMap = NAMED.has(key) && toJsonObject(inner) !== undefined;
      if (!isMap && !(LISTS.has(key) && Array.isArray(inner))) continue;
      for (const [step, value] of Object.entries(inner as object))
        // both cases are objects
        waiting.push({ value, pointer: pointerInto(at, step), depth });
    }
  }
  return found;
}
