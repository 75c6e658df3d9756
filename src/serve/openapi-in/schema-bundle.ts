/**
 * Takes schemas out of an OpenAPI document (3.0 or 3.1) and makes them stand alone as JSON Schema
 * 2020-12. What they refer to goes into `$defs`, once each, so that schemas that refer to themselves
 * stay finite. The document itself is never changed or kept.
 */
import type { JsonSchema } from '../../effect/schema.ts';
import { Refused } from './finding.ts';
import type { Json } from './json.ts';
import { asList, asObject, countValues, member } from './json.ts';
import type { Located } from './reference.ts';
import { locate, lookUp, resolve } from './reference.ts';
import { checkEndless } from './check-endless.ts';
import { modernize } from './modernize.ts';
import { isPattern, NESTED, NESTED_LISTS, NESTED_MAPS, PLAIN } from './schema-keywords.ts';

/** Callers send the one and get the other; read-only and write-only fields are in one of them. */
export type Direction = 'input' | 'output';

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

  /** The schema with everything it refers to. */
  close(schema: Record<string, unknown>): JsonSchema {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      this.#definitions.set(next.name, this.add(next.target));
    }
    checkEndless(this.#definitions);
    if (this.#definitions.size === 0) return schema;
    return { ...schema, $defs: Object.fromEntries(this.#definitions) };
  }

  /** The name under which the target of a reference will stand in `$defs`. */
  #refer(reference: string, root: unknown): string {
    const target = lookUp(reference, root);
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

  /** A field that was left out cannot be required. */
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
    if (this.#values > MOST_VALUES) throw tooLarge(`hold more than ${MOST_VALUES} values`);
  }
}

/** Whether a field does not travel in this direction. */
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
    `Its schemas ${what}; no client would take them. Write smaller ones.`,
  );
}
