/** The parameters that arguments of a call hold directly, each with its place and its schema. */
import { memberOf } from './member-of.ts';
import { pointerInto } from './pointer-into.ts';
import type { JsonObject } from './to-json-object.ts';
import { toJsonObject } from './to-json-object.ts';

export interface ListedParameter {
  readonly name: string;
  readonly pointer: string;
  /** After a reference within the document was followed; empty for `true` and for what is no schema. */
  readonly schema: JsonObject;
  /** Its own words or those of its parts; absent when it has none. */
  readonly description?: string;
}

/** Beyond this a schema is a burden and not a description. */
const MOST = 500;

export function listParameters(raw: unknown, pointer: string): readonly ListedParameter[] {
  const root = memberOf(raw, 'inputSchema');
  const properties = toJsonObject(memberOf(root, 'properties')) ?? {};
  return Object.entries(properties)
    .slice(0, MOST)
    .map(([name, value]) => {
      const own = toJsonObject(value) ?? {};
      const schema = follow(own, root);
      const description = [own, ...partsOf(own, root)].map(textOf).find((text) => text !== '');
      return {
        name,
        pointer: pointerInto(pointer, 'inputSchema', 'properties', name),
        schema,
        ...(description !== undefined && { description }),
      };
    });
}

/** One step only: a chain of references is not a description any more. */
function follow(schema: JsonObject, root: unknown): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const path = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = toJsonObject(memberOf(root, ...path));
  return target === undefined ? schema : { ...target, ...schema };
}

/** What else can describe the parameter: its reference, its alternatives, the items of its list. */
function partsOf(schema: JsonObject, root: unknown): readonly JsonObject[] {
  const lists = ['anyOf', 'oneOf', 'allOf'].flatMap((key): readonly unknown[] => {
    const list = schema[key];
    return Array.isArray(list) ? list : [];
  });
  return [follow(schema, root), ...[...lists, schema['items']].map((part) => toPart(part, root))];
}

function toPart(part: unknown, root: unknown): JsonObject {
  return follow(toJsonObject(part) ?? {}, root);
}

function textOf(schema: JsonObject): string {
  const text = schema['description'];
  return typeof text === 'string' ? text.trim() : '';
}
