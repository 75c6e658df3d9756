import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { Receipt } from '../receipt.ts';
import { writeBody } from './write-body.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const number = fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** Every field, of its kind, and any of the optional ones missing. */
const receipt = fc.record(
  {
    kind: fc.constant('receipt'),
    id: fc.uuid(),
    at: text,
    operation: text,
    act: text,
    tier: text,
    reach: text,
    openWorld: fc.boolean(),
    via: text,
    decision: text,
    outcome: text,
    milliseconds: number,
    principal: text,
    tenant: text,
    keyRecord: text,
    server: text,
    rule: text,
    permit: text,
    approval: text,
    approver: text,
    attempts: fc.nat(),
    sent: fc.boolean(),
    delivered: fc.boolean(),
    effect: text,
    amount: number,
    unit: text,
    request: text,
    answer: text,
    asked: text,
    grant: text,
    granted: text,
    until: fc.integer(),
  } satisfies Record<keyof Receipt, fc.Arbitrary<unknown>>,
  { requiredKeys: ['kind', 'id', 'at', 'operation', 'openWorld', 'milliseconds'] },
);

describe('writeBody', () => {
  it('writes what the general writer of canonical JSON writes', () => {
    fc.assert(
      fc.property(receipt, fc.option(text, { nil: undefined }), fc.nat(), (given, digest, seq) => {
        const [before, after] = writeBody(given as unknown as Receipt, digest); // any text goes
        const whole = { ...given, seq, ...(digest !== undefined && { argsDigest: digest }) };
        expect(`${before}${seq}${after}`).toBe(toCanonicalJson(whole));
      }),
    );
  });

  it.each([
    ['a\0b', 'a\uFFFDb'],
    ['a\uD800b', 'a\uFFFDb'],
    ['\uDC00\u0001', '\uFFFD\u0001'],
  ])('replaces what no store keeps in %j', (name, kept) => {
    const named = { kind: 'receipt', operation: name, server: name } as unknown as Receipt;
    const [before, after] = writeBody(named, undefined);
    expect(JSON.parse(`${before}1${after}`)).toMatchObject({ operation: kept, server: kept });
  });

  it.each([
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a date that is none', new Date(NaN), null],
    ['a function', () => 1, undefined],
    ['a symbol', Symbol('a'), undefined],
    ['nothing in a list', [undefined, () => 1, 2], [null, null, 2]],
    ['an object in another order', { b: 1, a: { d: 1, c: undefined } }, { a: { d: 1 }, b: 1 }],
    ['a map', new Map([['a', 1]]), {}],
    ['a boxed text', Object('a\0b'), 'a\uFFFDb'],
    ['what says itself what it is', { toJSON: () => ({ b: 1, a: 2 }) }, { a: 2, b: 1 }],
    ['what says that it is nothing', { toJSON: () => undefined }, undefined],
    ['nothing', null, null],
  ])('writes what JSON makes of %s, in canonical form', (_, value, kept) => {
    for (const server of ['plain', 'with \u0001']) {
      const given = { kind: 'receipt', rule: value, server } as unknown as Receipt;
      const [before, after] = writeBody(given, undefined);
      const read = JSON.parse(`${before}1${after}`) as { readonly rule?: unknown };
      expect(read.rule).toEqual(kept);
      expect(toCanonicalJson(read as Record<string, string>)).toBe(`${before}1${after}`);
    }
  });

  it.each([NaN, Infinity, 1n, [1n], { '\uD800': 1 }])('refuses %s', (value) => {
    for (const server of ['plain', 'with \u0001']) {
      const given = { kind: 'receipt', rule: value, server } as unknown as Receipt;
      expect(() => writeBody(given, undefined)).toThrow(TypeError);
    }
  });

  it('refuses what is not JSON', () => {
    const infinite = { kind: 'receipt', milliseconds: Infinity } as unknown as Receipt;
    expect(() => writeBody(infinite, undefined)).toThrow(TypeError);
  });
});
