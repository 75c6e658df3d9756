/**
 * Extracts schemas from an OpenAPI document (3.0 or 3.1) as self-contained JSON Schema 2020-12.
 * Referenced schemas go into `$defs`, once each, so that recursive schemas stay finite. The document
 * itself is never changed or retained.
 */
import type { JsonSchema } from '../../effect/schema.ts';
import { Refused } from './finding.ts';
import type { Json, Located } from './reference.ts';
import {
  asList,
  asObject,
  countValues,
  member,
  locate,
  resolvePointer,
  resolve,
} from './reference.ts';
import {
  modernize,
  isPattern,
  NESTED,
  NESTED_LISTS,
  NESTED_MAPS,
  PLAIN,
  IN_PLACE,
} from './schema-keywords.ts';

/** Requests omit read-only fields, responses write-only ones. */
type Direction = 'input' | 'output';

const MOST_VALUES = 20_000;
const MOST_DEPTH = 48;
const HIDDEN_IN: Readonly<Record<Direction, string>> = { input: 'readOnly', output: 'writeOnly' };

export class SchemaBundle {
  readonly #direction: Direction;
  readonly #names = new Map<unknown, string>();
  readonly #taken = new Set<string>();
  readonly #waiting: { readonly name: string; readonly target: Located }[] = [];
  readonly #definitions = new Map<string, JsonSchema>();
  #values = 0;

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  /** One schema; its references point at definitions that `close` adds. */
  add({ value, root }: Located, depth = 0): Record<string, unknown> {
    this.#count(1);
    if (depth > MOST_DEPTH) throw tooLarge(`nest deeper than ${MOST_DEPTH}`);
    if (value === false) return { not: {} };
    const written = modernize(asObject(value) ?? {});
    const schema: Record<string, unknown> = {};
    const reference = written['$ref'];
    if (typeof reference === 'string') schema['$ref'] = this.#refer(reference, root);
    for (const [keyword, said] of Object.entries(written)) {
      if (PLAIN.get(keyword)?.(said) === true && this.#isCarried(said)) schema[keyword] = said;
    }
    const nest = (inner: unknown) => this.add(locate(inner, root), depth + 1);
    for (const keyword of NESTED) {
      const inner = written[keyword];
      if (typeof inner === 'boolean') schema[keyword] = inner;
      else if (asObject(inner) !== undefined) schema[keyword] = nest(inner);
    }
    for (const keyword of NESTED_LISTS) {
      const inner = asList(written[keyword]);
      if (inner.length > 0) schema[keyword] = inner.map(nest);
    }
    for (const keyword of NESTED_MAPS) {
      const inner = asObject(written[keyword]);
      if (inner === undefined) continue;
      const shown = Object.entries(inner)
        .filter(([name]) => keyword !== 'patternProperties' || isPattern(name))
        .filter(([, each]) => keyword !== 'properties' || !isHidden(each, root, this.#direction));
      schema[keyword] = Object.fromEntries(shown.map(([name, each]) => [name, nest(each)]));
    }
    return this.#withoutHidden(schema, written);
  }

  /** Returns the schema with everything it refers to. */
  close(schema: Record<string, unknown>): JsonSchema {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      this.#definitions.set(next.name, this.add(next.target));
    }
    checkEndless(this.#definitions);
    if (this.#definitions.size === 0) return schema;
    return { ...schema, $defs: Object.fromEntries(this.#definitions) };
  }

  /** The name of a reference's target in `$defs`. */
  #refer(reference: string, root: unknown): string {
    const target = resolvePointer(reference, root);
    let name = this.#names.get(target.value);
    if (name === undefined) {
      name = this.#newName(reference);
      this.#names.set(target.value, name);
      this.#waiting.push({ name, target });
    }
    return `#/$defs/${name}`;
  }

  #newName(reference: string): string {
    const last = reference.slice(reference.lastIndexOf('/') + 1).replaceAll(/[^\w.-]/g, '_');
    const base = last.slice(0, 60) || 'schema';
    let name = base;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${base}_${number}`;
    this.#taken.add(name);
    return name;
  }

  /** An omitted field cannot be required. */
  #withoutHidden(schema: Record<string, unknown>, written: Json): Record<string, unknown> {
    const before = asObject(written['properties']);
    const required = schema['required'];
    if (before === undefined || !Array.isArray(required)) return schema;
    const after = schema['properties'];
    const kept = required.filter(
      (name: string) => !Object.hasOwn(before, name) || member(after, name) !== undefined,
    );
    return { ...schema, required: kept };
  }

  #isCarried(value: unknown): boolean {
    const count = countValues(value);
    this.#count(count ?? 0);
    return count !== undefined;
  }

  #count(more: number): void {
    this.#values += more;
    if (this.#values > MOST_VALUES) throw tooLarge(`have more than ${MOST_VALUES} values`);
  }
}

/** Whether a field is omitted in this direction. */
export function isHidden(field: unknown, root: unknown, direction: Direction): boolean {
  const mark = HIDDEN_IN[direction];
  if (member(field, mark) === true) return true;
  return (
    typeof member(field, '$ref') === 'string' && member(resolve(field, root).value, mark) === true
  );
}

function tooLarge(what: string): Refused {
  return new Refused(
    'schema-too-large',
    `Its schemas ${what}; no client would accept them. Write smaller ones.`,
  );
}

/**
 * Finds schemas that can never be checked: those that refer back to themselves without descending into
 * the value. A tree whose children are trees is fine; an `A` that is an `A` would never end.
 */
const PREFIX = '#/$defs/';

function checkEndless(definitions: ReadonlyMap<string, JsonSchema>): void {
  const edges = new Map([...definitions].map(([name, schema]) => [name, [...leadsTo(schema)]]));
  const safe = new Set<string>();
  for (const start of edges.keys()) walk(start, edges, safe);
}

/** Depth first, with its own stack: a chain of definitions can be longer than the call stack. */
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
        `The schema ${JSON.stringify(name)} is defined as itself; define what it is.`,
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
