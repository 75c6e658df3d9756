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

  it('refuses what is not JSON', () => {
    const infinite = { kind: 'receipt', milliseconds: Infinity } as unknown as Receipt;
    expect(() => writeBody(infinite, undefined)).toThrow(TypeError);
  });
});
