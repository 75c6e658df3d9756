/**
 * The one effect that a call has, of those that its operation can have. All variations that apply count,
 * at any depth, and one that might apply counts too: an argument that cannot be read never makes a call
 * milder.
 */
import { combineEffects } from './combine-effects.ts';
import type { ArgumentCondition, Condition, Effect } from './effect.ts';
import type { JsonSchema } from './schema.ts';
import { propertiesOf } from './schema.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Whether a condition holds: `maybe` where the arguments do not show what will run. */
type Told = 'yes' | 'no' | 'maybe';
type Tell = (condition: ArgumentCondition) => Told;
/** The stored states that hold; absent where nobody knows. */
type States = ReadonlySet<string> | undefined;

/** A call of which the arguments that run are known: the input as its schema parsed it. */
export interface ParsedCall {
  readonly input: unknown;
  /** As they were sent. */
  readonly args: Arguments;
  readonly inputSchema: JsonSchema;
  /** What the operation found in its store, where its effect depends on that. */
  readonly states?: ReadonlySet<string> | undefined;
}

/** A call to somebody else's server, which may fill in defaults and convert values before it runs. */
export interface SeenCall {
  readonly args: Arguments;
  /** As listed; untrusted. */
  readonly inputSchema: unknown;
  /** Whether a default that the schema states is believed to be the one that is used. */
  readonly believesDefaults: boolean;
}

/** For arguments that run as they are. */
export function narrowEffect(effect: Effect, args: Arguments): Effect {
  if (effect.varies.length === 0) return effect;
  const find = toReader(args);
  return narrow(effect, ({ argument, ...test }) => {
    const held = find(argument);
    if (held === UNCLEAR) return 'maybe';
    return held === ABSENT ? 'no' : tellValue(test, held.value);
  });
}

/**
 * For input that a schema has parsed. What `run` gets decides. Where the schema moved the argument
 * elsewhere or gave it another form, no condition can be ruled out.
 */
export function narrowParsed(effect: Effect, call: ParsedCall): Effect {
  if (effect.varies.length === 0) return effect;
  const { input, args, inputSchema, states } = call;
  const properties = propertiesOf(inputSchema);
  const parsed = toArguments(input) ?? {};
  const isReshaped =
    !isPlain(input) ||
    Object.keys(parsed).some(
      (name) => !Object.hasOwn(properties, name) && !Object.hasOwn(args, name),
    );
  const findSent = toReader(args);
  const findParsed = toReader(parsed);
  const tell: Tell = ({ argument, ...test }) => {
    const sent = findSent(argument);
    const held = findParsed(argument);
    if (held === UNCLEAR || sent === UNCLEAR) return 'maybe';
    if (held === ABSENT) {
      const wasThere = sent !== ABSENT || properties[argument]?.['default'] !== undefined;
      return wasThere || isReshaped ? 'maybe' : 'no';
    }
    const told = tellValue(test, held.value);
    if (told === 'yes' || sent === ABSENT) return told;
    // The author may have written the condition in the words of callers.
    return tellValue(test, sent.value) === 'yes' ? 'maybe' : told;
  };
  return narrow(effect, tell, states);
}

/**
 * For a call that is only seen. A value counts as what it looks like if it is one of a closed list of
 * values, or one that the declaration itself names; any other may be converted into one of those.
 */
export function narrowSeen(effect: Effect, call: SeenCall): Effect {
  if (effect.varies.length === 0) return effect;
  const listed = toListed(effect, call.inputSchema);
  const findSent = toReader(call.args);
  return narrow(effect, ({ argument, ...test }) => {
    const { named, closed, fallback } = listed.get(argument) ?? UNLISTED;
    const sent = findSent(argument);
    const held = sent === ABSENT && call.believesDefaults ? fallback : sent;
    if (typeof held === 'symbol') return 'maybe';
    if ('given' in test) {
      return held === sent && isEmpty(held.value) ? 'maybe' : tellValue(test, held.value);
    }
    const isCertain = named.has(held.value) || isListed(closed, held.value, test.is);
    return isCertain ? tellValue(test, held.value) : 'maybe';
  });
}

/** What is known of one argument before any call. */
interface Listed {
  /** The values that conditions name, at any depth. */
  readonly named: ReadonlySet<unknown>;
  /** All values that the schema accepts, where it lists them. */
  readonly closed: readonly unknown[] | undefined;
  readonly fallback: Held;
}

/** The same for every call of a tool, and calls are many. */
const known = new WeakMap<
  Effect,
  { readonly inputSchema: unknown; readonly listed: ReadonlyMap<string, Listed> }
>();

function toListed(effect: Effect, inputSchema: unknown): ReadonlyMap<string, Listed> {
  const before = known.get(effect);
  if (before !== undefined && before.inputSchema === inputSchema) return before.listed;
  const find = toReader(toArguments(toArguments(inputSchema)?.['properties']) ?? {});
  const listed = new Map(
    [...namedValues(effect)].map(([argument, named]): [string, Listed] => {
      const found = find(argument);
      const schema = typeof found === 'symbol' ? undefined : toArguments(found.value);
      return [argument, { named, closed: closedValues(schema), fallback: defaultOf(schema) }];
    }),
  );
  known.set(effect, { inputSchema, listed });
  return listed;
}

function narrow(effect: Effect, tell: Tell, states?: States): Effect {
  const tellAny = (condition: Condition): Told => {
    if (!('state' in condition)) return tell(condition);
    return states === undefined ? 'maybe' : states.has(condition.state) ? 'yes' : 'no';
  };
  const [first = effect, ...others] = select(effect, tellAny);
  return combineEffects([first, ...others]);
}

/** The effects that apply or might; the base only where no variation certainly replaces it. */
function select(effect: Effect, tell: (condition: Condition) => Told): readonly Effect[] {
  const told = effect.varies.map(({ when, effect: other }) => ({ holds: tell(when), other }));
  const isReplaced = told.some(({ holds }) => holds === 'yes');
  return [
    ...(isReplaced ? [] : [effect]),
    ...told.flatMap(({ holds, other }) => (holds === 'no' ? [] : select(other, tell))),
  ];
}

type Test = { readonly is: readonly unknown[] } | { readonly given: true };

function tellValue(test: Test, value: unknown): Told {
  // A list or an object may hold the value that is meant.
  if ('is' in test && typeof value === 'object' && value !== null) return 'maybe';
  const holds = 'given' in test ? value !== undefined && value !== null : test.is.includes(value);
  return holds ? 'yes' : 'no';
}

const ABSENT = Symbol('absent');
/** Of keys that differ in case only, nobody knows which one is taken. */
const UNCLEAR = Symbol('unclear');

type Held = { readonly value: unknown } | typeof ABSENT | typeof UNCLEAR;

const UNLISTED: Listed = { named: new Set(), closed: undefined, fallback: ABSENT };

/** Finds arguments by name, whatever the case of the keys. */
function toReader(args: Arguments): (name: string) => Held {
  const keys = new Map<string, string | typeof UNCLEAR>();
  for (const key of Object.keys(args)) {
    const folded = foldCase(key);
    keys.set(folded, keys.has(folded) ? UNCLEAR : key);
  }
  return (name) => {
    const key = keys.get(foldCase(name));
    if (key === undefined) return ABSENT;
    return key === name ? { value: args[name] } : UNCLEAR;
  };
}

function defaultOf(schema: Arguments | undefined): Held {
  return schema !== undefined && Object.hasOwn(schema, 'default')
    ? { value: schema['default'] }
    : ABSENT;
}

/** As the most lenient reader would: letters of other scripts that fold to ours count too. */
export function foldCase(key: string): string {
  if (ASCII.test(key)) return key.toLowerCase();
  // Both ways, since some letters meet only in the upper case: a dotless i is an I there.
  return key.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Normalizing such a key changes nothing and costs more than looking at it. */
const ASCII = /^[ -~]*$/;

/** A schema may turn these into no value at all. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null;
}

/** By argument, the values that conditions name, at any depth. */
function namedValues({ varies }: Effect): ReadonlyMap<string, ReadonlySet<unknown>> {
  const named = new Map<string, Set<unknown>>();
  const collect = (variations: Effect['varies']): void => {
    for (const { when, effect } of variations) {
      collect(effect.varies);
      if ('state' in when) continue;
      const values = named.get(when.argument) ?? new Set();
      if ('is' in when) for (const value of when.is) values.add(value);
      named.set(when.argument, values);
    }
  };
  collect(varies);
  return named;
}

/** A condition on a value that cannot be sent means that the server converts what is. */
function isListed(
  closed: readonly unknown[] | undefined,
  value: unknown,
  wanted: readonly unknown[],
): boolean {
  return (
    closed !== undefined && closed.includes(value) && wanted.every((one) => closed.includes(one))
  );
}

const DEEPEST = 4;

/** All values that a schema accepts, where it lists them. */
export function closedValues(
  schema: Arguments | undefined,
  depth = 0,
): readonly unknown[] | undefined {
  if (schema === undefined || depth > DEEPEST) return undefined;
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  const { enum: listed, type, anyOf = schema['oneOf'] } = schema;
  if (Array.isArray(listed)) return listed as readonly unknown[]; // untrusted, so of any kind
  if (Array.isArray(anyOf)) {
    const parts = anyOf.map((part: unknown) => closedValues(toArguments(part), depth + 1));
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const values = types.map((one) => VALUES_OF_TYPE.get(one));
  return values.includes(undefined) ? undefined : values.flatMap((part) => part ?? []);
}

const VALUES_OF_TYPE: ReadonlyMap<unknown, readonly unknown[]> = new Map<
  unknown,
  readonly unknown[]
>([
  ['boolean', [true, false]],
  ['null', [null]],
]);

function toArguments(value: unknown): Arguments | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Arguments; // symbols for keys name no argument
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
