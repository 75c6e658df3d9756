/** Reads an input schema of any shape into a flat list of parameters, nested ones included. What they mean is elsewhere. */
import { toSingular, toWords } from './to-words.ts';

export interface Parameter {
  /** As the schema spells it. */
  readonly name: string;
  /** Its words in lower case, joined with `_`. */
  readonly key: string;
  readonly values: readonly string[];
  readonly description: string;
  readonly required: boolean;
  readonly isSwitch: boolean;
  /** Arguments of a call hold it directly, not inside another. */
  readonly top: boolean;
  /** The argument that it is inside of; itself where it is not inside another. */
  readonly within: string;
}

export interface Parameters {
  readonly all: readonly Parameter[];
  /** Every parameter's key. */
  readonly names: ReadonlySet<string>;
}

type Json = Readonly<Record<string, unknown>>;

/** Limits on the depth and number of parameters that are read. */
const DEEPEST = 4;
const MOST = 200;

export function readParameters(inputSchema: unknown): Parameters {
  const all: Parameter[] = [];
  collect(toObject(inputSchema), 0, undefined, all);
  return { all, names: new Set(all.map(({ key }) => key)) };
}

function collect(
  schema: Json | undefined,
  depth: number,
  within: string | undefined,
  into: Parameter[],
): void {
  if (schema === undefined || depth > DEEPEST) return;
  const required = listOf(schema['required']);
  for (const [name, value] of Object.entries(toObject(schema['properties']) ?? {})) {
    if (into.length >= MOST) return;
    const inner = toObject(value);
    into.push(toParameter(name, inner, within, required.includes(name)));
    for (const part of partsOf(inner)) collect(part, depth + 1, within ?? name, into);
  }
  for (const part of alternativesOf(schema)) collect(part, depth + 1, within, into);
}

function toParameter(
  name: string,
  schema: Json | undefined,
  within: string | undefined,
  required: boolean,
): Parameter {
  const description = schema?.['description'];
  return {
    name,
    key: toKey(name),
    values: valuesOf(schema),
    description: typeof description === 'string' ? description.slice(0, 400) : '',
    required,
    isSwitch: [schema, ...alternativesOf(schema ?? {})].some((one) => one?.['type'] === 'boolean'),
    top: within === undefined,
    within: within ?? name,
  };
}

/** The schemas inside one: of its properties, its items and its alternatives. */
function partsOf(schema: Json | undefined): readonly Json[] {
  if (schema === undefined) return [];
  const items = toObject(schema['items']);
  return [schema, ...(items === undefined ? [] : [items])].filter(
    (part) => part['properties'] !== undefined || alternativesOf(part).length > 0,
  );
}

function alternativesOf(schema: Json): readonly Json[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    listOf(schema[key]).flatMap((part): readonly Json[] => {
      const object = toObject(part);
      return object === undefined ? [] : [object];
    }),
  );
}

function valuesOf(schema: Json | undefined): readonly string[] {
  if (schema === undefined) return [];
  const own = schema['enum'] ?? schema['const'];
  const direct = Array.isArray(own) ? listOf(own) : [own];
  const inner = [...alternativesOf(schema), ...alternativesOf(toObject(schema['items']) ?? {})];
  const others = [...inner, toObject(schema['items']) ?? {}].flatMap((option) => [
    ...listOf(option['enum']),
    option['const'],
  ]);
  return [...direct, ...others].filter((value) => typeof value === 'string');
}

/** The words of a name in lower case, joined with `_`. */
export function toKey(name: string): string {
  return toWords(name)
    .map((word, at, all) => (at === all.length - 1 ? word : toSingular(word)))
    .join('_');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toObject(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Json; // a JSON object has string keys only
}
