/**
 * The output schema of an endpoint. There is one only when every documented success answers with
 * the same JSON object: what breaks an output schema does not leave the server, so that a schema
 * for half of the answers would lose the other half.
 */
import type { JsonSchema } from '../../effect/schema.ts';
import { isJson, successMedia } from './documented-media.ts';
import type { Endpoint } from './endpoints.ts';
import { Refused } from './finding.ts';
import { asList, asObject, member } from './json.ts';
import type { Located } from './reference.ts';
import { locate, resolve } from './reference.ts';
import { SchemaBundle } from './schema-bundle.ts';

export function toOutput(endpoint: Endpoint, document: unknown): JsonSchema | undefined {
  if (endpoint.method === 'head') return undefined;
  const schemas = successMedia(endpoint, document).map((media) => media.find(isJson)?.schema);
  const [first, ...others] = schemas.map((schema) => schema && toObjectSchema(schema));
  if (first === undefined) return undefined;
  const shown = JSON.stringify(first);
  return others.every((other) => JSON.stringify(other) === shown) ? first : undefined;
}

function toObjectSchema(written: Located): JsonSchema | undefined {
  const bundle = new SchemaBundle('output');
  try {
    const located = resolve(written.value, written.root);
    if (!isObject(located)) return undefined;
    return bundle.close({ ...bundle.add(located), type: 'object' });
  } catch (error) {
    // Results need no schema, and one of this size would help nobody; the tool works without it.
    if (error instanceof Refused && error.code === 'schema-too-large') return undefined;
    throw error;
  }
}

/** Whether every value of the schema is an object, as far as it says so itself. */
function isObject({ value, root }: Located, depth = 8): boolean {
  const type = member(value, 'type');
  if (member(value, 'nullable') === true || depth === 0) return false;
  if (type !== undefined) return type === 'object';
  if (asObject(member(value, 'properties')) !== undefined) return true;
  return asList(member(value, 'allOf')).some((part) => {
    const inner = locate(part, root);
    return isObject(resolve(inner.value, inner.root), depth - 1);
  });
}
