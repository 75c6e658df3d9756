/**
 * Finds schemas that can never be checked: those that lead back to themselves without going into
 * the value. A tree whose children are trees is fine; an `A` that is an `A` would never end.
 */
import type { JsonSchema } from '../../effect/schema.ts';
import { Refused } from './finding.ts';
import { asList, asObject } from './json.ts';
import { IN_PLACE } from './schema-keywords.ts';

const PREFIX = '#/$defs/';

export function checkEndless(definitions: ReadonlyMap<string, JsonSchema>): void {
  const edges = new Map([...definitions].map(([name, schema]) => [name, [...leadsTo(schema)]]));
  const safe = new Set<string>();
  for (const start of edges.keys()) walk(start, edges, safe);
}

/** Depth first, with a stack of its own: a chain of definitions can be longer than the machine's. */
function walk(
  start: string,
  edges: ReadonlyMap<string, readonly string[]>,
  safe: Set<string>,
): void {
  const open = new Set<string>();
  const stack = [{ name: start, leave: false }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { name, leave } = step;
    if (leave) {
      open.delete(name);
      safe.add(name);
    } else if (open.has(name)) {
      throw new Refused(
        'reference-cycle',
        `The schema ${JSON.stringify(name)} is defined as itself; let it say what it is.`,
      );
    } else if (!safe.has(name)) {
      open.add(name);
      stack.push({ name, leave: true });
      for (const next of edges.get(name) ?? []) stack.push({ name: next, leave: false });
    }
  }
}

/** The definitions that apply to the same value as this schema. */
function* leadsTo(schema: JsonSchema): Generator<string> {
  const { $ref: reference } = schema;
  if (typeof reference === 'string') yield reference.slice(PREFIX.length);
  for (const [keyword, inner] of Object.entries(schema)) {
    if (!IN_PLACE.has(keyword)) continue;
    const schemas = Array.isArray(inner)
      ? asList(inner)
      : keyword === 'dependentSchemas'
        ? Object.values(asObject(inner) ?? {})
        : [inner];
    for (const each of schemas) yield* leadsTo(asObject(each) ?? {});
  }
}
