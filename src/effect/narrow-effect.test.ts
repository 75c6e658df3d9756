/** Which effect a call has, for those who run it and for those who only see it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creates, deletes, reads, shares, spends, varies, when } from './acts.ts';
import { worstEffect } from './combine-effects.ts';
import type { Condition, Effect } from './effect.ts';
import { effectsOf, possibleEffects } from './effect.ts';
import cases from './narrow-effect.cases.json' with { type: 'json' };
import { closedValues, narrowEffect, narrowParsed, narrowSeen } from './narrow-effect.ts';
import type { JsonSchema } from './schema.ts';
import { TIERS } from './tier.ts';

interface Case {
  readonly note: string;
  /** By whom: who runs the arguments as they are, who parsed them, or who only sees them. */
  readonly how: string;
  readonly when: object;
  readonly args: Readonly<Record<string, unknown>>;
  readonly input?: unknown;
  readonly schema?: JsonSchema;
  readonly states?: readonly string[];
  readonly believesDefaults?: boolean;
  readonly told: string;
}

/** What became of a condition shows in the effect: the other one, the usual one, or both at once. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  yes: ['delete'],
  no: ['create'],
  maybe: ['delete', 'create'],
};
const OPEN_SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };

function narrowCase({ how, args, states, ...given }: Case): Effect {
  const condition = given.when as Condition; // the cases are data
  const effect = varies(creates('x'), { when: condition, effect: deletes('x') });
  const { input, schema: inputSchema = OPEN_SCHEMA, believesDefaults = true } = given;
  if (how === 'run') return narrowEffect(effect, args);
  if (how === 'seen') return narrowSeen(effect, { args, inputSchema, believesDefaults });
  return narrowParsed(effect, { input, args, inputSchema, states: states && new Set(states) });
}

describe('whether a condition holds', () => {
  it.each(cases as readonly Case[])('$how: $note', (each) => {
    const acts = effectsOf(narrowCase(each)).map(({ act }) => act);
    expect(acts).toEqual(TOLD[each.told]);
  });

  const given = varies(creates('x'), { when: when('a'), effect: deletes('x') });
  const named = varies(creates('x'), { when: when('a', 'drop'), effect: deletes('x') });
  const acts = (effect: Effect): readonly string[] => effectsOf(effect).map(({ act }) => act);

  it('an argument without a value is not given, and may count as none', () => {
    const args = { a: undefined };
    expect(acts(narrowEffect(given, args))).toEqual(TOLD['no']);
    const seen = { args, inputSchema: OPEN_SCHEMA, believesDefaults: true };
    expect(acts(narrowSeen(given, seen))).toEqual(TOLD['maybe']);
  });

  it('input of another kind can hold the argument in a form that nobody sees', () => {
    const call = { args: {}, inputSchema: OPEN_SCHEMA };
    const bare = Object.create(null) as object;
    expect(acts(narrowParsed(named, { ...call, input: bare }))).toEqual(TOLD['no']);
    for (const input of [new Map(), undefined]) {
      expect(acts(narrowParsed(named, { ...call, input }))).toEqual(TOLD['maybe']);
    }
  });

  it('goes by the schema of each call, also for the same effect', () => {
    const see = (inputSchema: unknown): readonly string[] =>
      acts(narrowSeen(named, { args: { a: 'keep' }, inputSchema, believesDefaults: true }));
    const closed = { properties: { a: { enum: ['keep', 'drop'] } } };
    expect(see(closed)).toEqual(TOLD['no']);
    expect(see(OPEN_SCHEMA)).toEqual(TOLD['maybe']);
    expect(see(undefined)).toEqual(TOLD['maybe']);
    expect(see(undefined)).toEqual(TOLD['maybe']);
    expect(see(closed)).toEqual(TOLD['no']);
  });

  it('a value that another condition names is certain too, at any depth', () => {
    const inner = varies(spends('EUR'), { when: when('b', 'all'), effect: deletes('x') });
    const nested = varies(
      creates('x'),
      { when: when('a', 'buy'), effect: inner },
      { when: when('a', 'drop'), effect: deletes('x') },
      { when: when('b', 'some'), effect: shares('x') },
    );
    const see = (args: Readonly<Record<string, unknown>>): readonly string[] =>
      acts(narrowSeen(nested, { args, inputSchema: undefined, believesDefaults: true }));
    expect(see({ a: 'buy', b: 'all' })).toEqual(['delete']);
    expect(see({ a: 'buy', b: 'some' })).toEqual(['spend', 'share']);
    expect(see({ a: 'drop', b: 'all' })).toEqual(['delete']);
    expect(see({ a: 'drop', b: 'some' })).toEqual(['delete', 'share']);
    expect(see({ a: 'buy', b: 'ALL' })).toEqual(['delete', 'spend', 'share']);
    expect(acts(narrowEffect(nested, { a: 'buy', b: 'all' }))).toEqual(['delete']);
    expect(acts(narrowEffect(nested, { a: 'buy' }))).toEqual(['spend']);
    expect(acts(narrowEffect(nested, { b: 'all' }))).toEqual(['create']);
  });
});

const VALUES = ['read', 'add', 'buy', 'drop'] as const;
const effects: Readonly<Record<(typeof VALUES)[number], Effect>> = {
  read: reads('x'),
  add: creates('x'),
  buy: spends('EUR'),
  drop: deletes('x'),
};
const leaf = fc.constantFrom(...Object.values(effects));
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...VALUES))
    .map(([argument, value]) => when(argument, value)),
  fc.constantFrom('a', 'b').map((argument) => when(argument)),
);
const { varied } = fc.letrec<{ varied: Effect; inner: Effect }>((tie) => ({
  inner: vary(leaf),
  varied: vary(tie('inner')),
}));

function vary(other: fc.Arbitrary<Effect>): fc.Arbitrary<Effect> {
  const variation = fc.record({ when: condition, effect: other });
  return fc
    .tuple(leaf, fc.array(variation, { maxLength: 3 }))
    .map(([usual, variations]) => varies(usual, ...variations));
}

/** How a server reads one argument: which values it lists, and what it does with what is sent. */
interface Reader {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly parse: (value: unknown) => unknown;
}

const lists = { type: 'string', enum: VALUES };
const fold = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim().toLowerCase() : value;
const READERS: readonly Reader[] = [
  { schema: lists, parse: (value) => value },
  { schema: lists, parse: fold },
  { schema: { type: 'string' }, parse: fold },
  { schema: { type: 'string' }, parse: (value) => fold(value) || undefined },
  ...VALUES.flatMap((fallback): Reader[] => [
    { schema: { ...lists, default: fallback }, parse: (value) => value ?? fallback },
    { schema: lists, parse: (value) => fold(value) ?? fallback },
    {
      schema: { ...lists, default: fallback },
      parse: (value) => VALUES.find((one) => one === value) ?? fallback,
    },
  ]),
];

const sent = fc.oneof(
  fc.constantFrom<unknown>(...VALUES, ' BUY', 'Drop', '', ' ', null, 7, true),
  fc.constant(undefined),
);
const call = fc.record({
  effect: varied,
  a: fc.tuple(sent, fc.constantFrom(...READERS)),
  b: fc.tuple(sent, fc.constantFrom(...READERS)),
});

function withoutUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Nothing that one effect asks of its callers may be missing from the other. */
function covers(wide: Effect, narrow: Effect): boolean {
  const acts = new Set(effectsOf(wide).map(({ act }) => act));
  const isKeyed = ({ repeat }: Effect): boolean => repeat.kind === 'key';
  return (
    TIERS[wide.tier].severity >= TIERS[narrow.tier].severity &&
    (isKeyed(wide) || !isKeyed(narrow)) &&
    effectsOf(narrow).every(({ act }) => act === 'read' || acts.has(act))
  );
}

describe('a call that is only seen', () => {
  it('is never taken for milder than what runs, whatever the server makes of it', () => {
    fc.assert(
      fc.property(call, ({ effect, a, b }) => {
        const args = withoutUndefined({ a: a[0], b: b[0] });
        const input = withoutUndefined({ a: a[1].parse(a[0]), b: b[1].parse(b[0]) });
        const inputSchema = { type: 'object', properties: { a: a[1].schema, b: b[1].schema } };
        const ran = narrowParsed(effect, { input, args, inputSchema });
        const seen = narrowSeen(effect, { args, inputSchema, believesDefaults: true });
        const doubted = narrowSeen(effect, { args, inputSchema, believesDefaults: false });
        expect(covers(ran, narrowEffect(effect, input))).toBe(true);
        expect(covers(seen, narrowEffect(effect, input))).toBe(true);
        expect(covers(doubted, seen)).toBe(true);
        expect(covers(worstEffect(effect), doubted)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('has one of the possible effects, and none that varies', () => {
    fc.assert(
      fc.property(call, ({ effect, a, b }) => {
        const args = withoutUndefined({ a: a[0], b: b[0] });
        const seen = narrowSeen(effect, { args, inputSchema: undefined, believesDefaults: true });
        const acts = possibleEffects(effect).map(({ act }) => act);
        expect(seen.varies).toEqual([]);
        for (const { act } of effectsOf(seen)) expect(acts).toContain(act);
      }),
      { numRuns: 500 },
    );
  });

  it('is judged by hostile schemas without harm', () => {
    let deep: object = { const: 1 };
    for (let level = 0; level < 20_000; level += 1) deep = { anyOf: [deep] };
    const properties = [deep, null, 'text', [], 7].map((schema) => ({ properties: { a: schema } }));
    const hostile = [null, 7, [], { properties: [] }, { properties: null }, ...properties];
    for (const inputSchema of hostile) {
      const effect = varies(reads('x'), { when: when('a', 1), effect: deletes('x') });
      const seen = { args: { a: 2 }, inputSchema, believesDefaults: true };
      expect(narrowSeen(effect, seen).act).toBe('delete');
    }
  });
});

describe('the values that a schema lists', () => {
  it.each([
    [{ const: 'x' }, ['x']],
    [{ type: 'string', enum: ['x', 'y'] }, ['x', 'y']],
    [{ type: 'boolean' }, [true, false]],
    [{ type: ['boolean', 'null'] }, [true, false, null]],
    [{ anyOf: [{ const: 'x' }, { type: 'null' }] }, ['x', null]],
    [{ oneOf: [{ const: 'x' }, { enum: ['y'] }] }, ['x', 'y']],
  ])('%j', (schema, values) => {
    expect(closedValues(schema)).toEqual(values);
  });

  it('goes as deep as schemas of people do', () => {
    const nest = (levels: number): object => {
      let schema: object = { const: 'x' };
      for (let level = 0; level < levels; level += 1) schema = { anyOf: [schema] };
      return schema;
    };
    expect(closedValues(nest(4) as Readonly<Record<string, unknown>>)).toEqual(['x']);
    expect(closedValues(nest(5) as Readonly<Record<string, unknown>>)).toBeUndefined();
  });

  it.each([
    { type: 'string' },
    {},
    { type: ['boolean', 'string'] },
    { anyOf: [{ const: 'x' }, { type: 'string' }] },
    { $ref: '#/$defs/x' },
  ])('%j lists none', (schema) => {
    expect(closedValues(schema)).toBeUndefined();
  });
});
