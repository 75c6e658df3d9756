/** Which effect a call has, for those who run it and for those who only see it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creates, deletes, delivers, puts, reads, shares, spends, varies, when } from './acts.ts';
import { combineEffects, worstEffect } from './combine-effects.ts';
import type { Condition, Effect } from './effect.ts';
import { effectsOf, possibleEffects } from './effect.ts';
import { closedValues, narrowEffect, narrowParsed, narrowSeen } from './narrow-effect.ts';
import { TIERS } from './tier.ts';

describe('effects that apply at once', () => {
  const both = combineEffects([
    creates('link', { repeat: 'version-required', trace: 'audit' }),
    deletes('note', { modes: ['live'] }),
    spends('EUR', { reach: 'third-party', estimate: 'price' }),
    shares('link', { secrets: ['url'] }),
  ]);

  it('are named by the gravest and keep the strictest of every fact', () => {
    expect(both).toMatchObject({
      act: 'delete',
      object: 'note',
      tier: 'destructive',
      repeat: { kind: 'key', need: 'required' },
      reach: 'third-party',
      trace: 'audit',
      money: { moves: 'charge', unit: 'EUR', estimate: 'price' },
      secrets: ['url'],
      overwrites: false,
      reversible: false,
      modes: ['live'],
      varies: [],
    });
    expect(effectsOf(both).map(({ act }) => act)).toEqual(['delete', 'spend', 'share', 'create']);
  });

  it('are the same in any order', () => {
    const parts = [puts('a'), delivers('b', { reach: 'user-url' }), reads('c', { trace: 'audit' })];
    const [a, b, c] = parts as [Effect, Effect, Effect];
    const one = combineEffects([a, b, c]);
    const other = combineEffects([c, a, b]);
    expect(one).toEqual(other);
    expect(effectsOf(one).map(({ act }) => act)).toEqual(['put', 'deliver']);
  });

  it('a key covers whatever else the call does; without one the loosest counts', () => {
    const repeats = ['same', 'end-state', 'version-required', 'version-optional', 'fresh'] as const;
    const keys = ['key-optional', 'key-derived', 'key-required'] as const;
    const rising = [...repeats, ...keys].map((repeat) => creates('x', { repeat }));
    for (const [at, stricter] of rising.entries()) {
      for (const looser of rising.slice(0, at)) {
        expect(combineEffects([looser, stricter]).repeat).toEqual(stricter.repeat);
        expect(combineEffects([stricter, looser]).repeat).toEqual(stricter.repeat);
      }
    }
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
    const hostile = [null, 7, [], { properties: [] }, { properties: { a: deep } }];
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
