/** Reads an input schema of any shape into a flat list of parameters, nested ones included. What they mean is elsewhere. */
import { openSchema } from './resolve-schema.ts';
import { toSingular, toWords } from './to-words.ts';

export interface Parameter {
  /** As the schema spells it. */
  readonly name: string;
  /** Its words in lower case, joined with `_`. */
  readonly key: string;
  readonly values: readonly string[];
  /** It has more values than are read. */
  readonly hasMore: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly isSwitch: boolean;
  /** Arguments of a call hold it directly, not inside another. */
  readonly top: boolean;
  /** How many others it is inside of. */
  readonly depth: number;
  /** The argument that it is inside of; itself where it is not inside another. */
  readonly within: string;
}

export interface Parameters {
  readonly all: readonly Parameter[];
  /** Every parameter's key. */
  readonly names: ReadonlySet<string>;
  /** There is more to it: beyond the limits, or behind a reference that leads nowhere. */
  readonly isCut?: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** Limits on the depth and number of parameters, of their values and of the parts of a schema that are read. */
const DEEPEST = 16;
/** Further down, names are those of parts of parts, and only what is grave by itself counts. */
const DEEP = 5;
const GRAVE =
  /(?:^|_)(?:sql|commands?|cmd|script|bash|shell|payment_method(?:_id)?|card_number|private_key|recipients|bcc)$/;
const MOST = 300;
const MOST_PARTS = 2000;
const MOST_VALUES = 200;

/** Calls are read with the schema of their tool, too, which does not change. */
const KNOWN = new WeakMap<object, Parameters>();

export function readParameters(inputSchema: unknown): Parameters {
  const root = toObject(inputSchema);
  const known = root && KNOWN.get(root);
  if (known !== undefined) return known;
  const found = collectAll(root);
  if (root !== undefined) KNOWN.set(root, found);
  return found;
}

/** Alternatives are a step down in the schema, and none in the arguments. */
interface Place {
  readonly steps: number;
  readonly depth: number;
  /** The argument that it is inside of. */
  readonly within?: string;
}

function collectAll(root: Json | undefined): Parameters {
  const all: Parameter[] = [];
  const resolve = openSchema(root);
  /** What is referred to is read once in each argument: a second time it says nothing new. */
  const seen = new Set<string>();
  let parts = 0;
  let isCut = false;

  const collect = (given: unknown, { steps, depth, within }: Place): void => {
    const object = toObject(given);
    if (object === undefined || !holdsParts(object)) return;
    const { schema, pointer, isLost } = resolve(object);
    if (isLost) isCut = true;
    if (pointer !== undefined) {
      const place = `${within ?? ''} ${pointer}`;
      if (seen.has(place)) return;
      seen.add(place);
    }
    parts += 1;
    if (steps > DEEPEST || parts > MOST_PARTS) {
      isCut = true;
      return;
    }
    const required = new Set(listOf(schema['required']));
    const properties = toObject(schema['properties']) ?? {};
    for (const name of Object.keys(properties)) {
      if (all.length >= MOST) {
        isCut = true;
        return;
      }
      const inner = toObject(properties[name]);
      const found = inner && resolve(inner);
      if (found?.isLost === true) isCut = true;
      if (steps <= DEEP || GRAVE.test(toKey(name)))
        all.push({
          ...toParameter(name, found?.schema, within, required.has(name), resolve),
          depth,
        });
      collect(inner, { steps: steps + 1, depth: depth + 1, within: within ?? name });
    }
    const sameLevel = [...alternativesOf(schema), ...conditionsOf(schema)];
    for (const part of sameLevel) {
      if (parts > MOST_PARTS) return;
      collect(part, { steps: steps + 1, depth, ...(within !== undefined && { within }) });
    }
    for (const part of elementsOf(schema)) {
      if (parts > MOST_PARTS) return;
      collect(part, { steps: steps + 1, depth, within: within ?? ANY });
    }
  };

  collect(root, { steps: 0, depth: 0 });
  return { all, names: new Set(all.map(({ key }) => key)), isCut };
}
/** An argument of any name. */
const ANY = '*';

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'];
const CONDITIONS = ['then', 'else', 'dependentSchemas'];
const ELEMENTS = [
  'items',
  'prefixItems',
  'additionalItems',
  'contains',
  'additionalProperties',
  'patternProperties',
];
const PARTS = ['$ref', '$dynamicRef', 'properties', ...ALTERNATIVES, ...CONDITIONS, ...ELEMENTS];

function holdsParts(schema: Json): boolean {
  return PARTS.some(
    (key) => typeof schema[key] === 'object' || (key.startsWith('$') && schema[key] !== undefined),
  );
}

/** What holds on a condition. */
function conditionsOf(schema: Json): readonly unknown[] {
  const { then: then_, else: else_, dependentSchemas } = schema;
  return [then_, else_, ...Object.values(toObject(dependentSchemas) ?? {})];
}

/** The schemas of what a list or a map holds. */
function elementsOf(schema: Json): readonly unknown[] {
  return ELEMENTS.flatMap((key) => {
    const part = schema[key];
    if (Array.isArray(part)) return part as readonly unknown[];
    return key === 'patternProperties' ? Object.values(toObject(part) ?? {}) : [part];
  });
}

type Resolve = ReturnType<typeof openSchema>;

function toParameter(
  name: string,
  schema: Json | undefined,
  within: string | undefined,
  required: boolean,
  resolve: Resolve,
): Omit<Parameter, 'depth'> {
  const description = schema?.['description'];
  const values = valuesOf(schema, resolve);
  return {
    name,
    key: toKey(name),
    values: values.slice(0, MOST_VALUES),
    hasMore: values.length > MOST_VALUES,
    description: typeof description === 'string' ? description.slice(0, 400) : '',
    required,
    isSwitch: [schema, ...alternativesOf(schema ?? {})].some((one) => one?.['type'] === 'boolean'),
    top: within === undefined,
    within: within ?? name,
  };
}

function alternativesOf(schema: Json): readonly Json[] {
  return ALTERNATIVES.flatMap((key) =>
    listOf(schema[key])
      .slice(0, MOST_PARTS)
      .flatMap((part): readonly Json[] => {
        const object = toObject(part);
        return object === undefined ? [] : [object];
      }),
  );
}

/** Of an argument, of what may stand in its place, and of what it holds if it is a list. */
function valuesOf(schema: Json | undefined, resolve: Resolve): readonly string[] {
  if (schema === undefined) return [];
  const items = toObject(schema['items']);
  const inList = items && resolve(items).schema;
  const sources = [
    schema,
    ...alternativesOf(schema),
    inList ?? {},
    ...alternativesOf(inList ?? {}),
  ];
  const values: string[] = [];
  for (const source of sources) {
    const { schema: one } = resolve(source);
    for (const value of [...listOf(one['enum']), one['const']]) {
      if (typeof value === 'string') values.push(value);
      if (values.length > MOST_VALUES) return values;
    }
  }
  return values;
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
