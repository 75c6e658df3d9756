import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Receipt } from '../receipt.ts';
import { writeBody } from './write-body.ts';
import type { writeSimilarBody as writeSimilarBodyType } from './write-similar-body.ts';

let writeSimilarBody: typeof writeSimilarBodyType;

/** Without what it knows of earlier receipts. */
beforeEach(async () => {
  vi.resetModules();
  ({ writeSimilarBody } = await import('./write-similar-body.ts'));
});

const WHOLE = {
  kind: 'receipt',
  id: 'a1',
  at: '2026-11-18T20:00:00.000Z',
  operation: 'pay',
  act: 'spend',
  tier: 'external_spend',
  reach: 'vendor',
  effect: 'unknown',
  openWorld: true,
  via: 'http',
  decision: 'ran',
  outcome: 'success',
  milliseconds: 3,
  principal: 'ada',
  tenant: 'acme',
  keyRecord: 'k1',
  server: 'bank',
  rule: 'small',
  permit: 'policy',
  approval: 'a2',
  approver: 'bob',
  attempts: 2,
  sent: true,
  delivered: false,
  amount: 12.5,
  unit: 'USD',
  request: 'estimate',
  answer: 'approve',
  asked: 'd1',
  grant: 'g1',
  granted: 'd2',
  until: 9,
} satisfies Record<keyof Receipt, unknown>;

/** Any value of any type may be in it. */
type Given = Readonly<Record<string, unknown>>;

function write(given: Given, digest = 'c0ffee'): string {
  const [before, after] = writeSimilarBody(given as unknown as Receipt, digest);
  return `${before}7${after}`;
}

function canonical(given: Given, digest = 'c0ffee'): string {
  const text = JSON.stringify({ ...given, seq: 7, argsDigest: digest });
  return toCanonicalJson(JSON.parse(text) as JsonValue); // without what is undefined
}

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const own = fc.record({
  at: fc.oneof(fc.constant(WHOLE.at), text),
  id: fc.oneof(fc.uuid(), text),
  milliseconds: fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  keyRecord: fc.oneof(fc.uuid(), text, fc.constant(undefined)),
});
const NAMES = Object.keys(WHOLE);
const change = fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(text, fc.nat(), fc.boolean()), {
  maxKeys: 2,
});

describe('writeSimilarBody', () => {
  it('writes canonical JSON, whatever came before', () => {
    const calls = fc.array(fc.tuple(own, fc.oneof(fc.constant({}), change), text), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, calls, (operation, each) => {
        for (const [given, changed, digest] of each) {
          const receipt = { ...WHOLE, operation, ...given, ...changed };
          expect(write(receipt, digest)).toBe(canonical(receipt, digest));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('writes only what is its own once three were alike', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    for (let id = 0; id < 10; id += 1) {
      write({ ...WHOLE, operation: 'often', id: `${id}`, keyRecord: `k${id}`, milliseconds: id });
    }
    // Two parts of a body, for the first two receipts and for what they have in common, and one copy.
    expect(stringify).toHaveBeenCalledTimes(7);
    stringify.mockRestore();
  });

  it('does so for callers that take turns', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    for (let id = 0; id < 20; id += 1) {
      write({ ...WHOLE, operation: 'turns', principal: id % 2 === 0 ? 'ada' : undefined });
    }
    expect(stringify).toHaveBeenCalledTimes(14);
    stringify.mockRestore();
  });

  it('knows 256 tools, and others once it has missed them often', () => {
    for (let index = 0; index < 256; index += 1) write({ ...WHOLE, operation: `tool ${index}` });
    const late = (count: number): number => {
      const stringify = vi.spyOn(JSON, 'stringify');
      for (let id = 0; id < count; id += 1) write({ ...WHOLE, operation: 'late', id: `${id}` });
      const { length } = stringify.mock.calls;
      stringify.mockRestore();
      return length;
    };
    expect(late(1000)).toBe(2000);
    late(20_000);
    expect(late(1000)).toBe(0);
    for (let index = 0; index < 300; index += 1) {
      const receipt = { ...WHOLE, operation: `tool ${index}`, id: 'again' };
      expect(write(receipt)).toBe(canonical(receipt));
    }
  });

  it.each([
    ['an object that is changed', { rule: { b: 1, a: 2 } }],
    ['a member that it inherits', Object.create({ ...WHOLE, rule: 'inherited' }) as Given],
    ['a symbol', { rule: Symbol('rule') }],
    ['an object for its tool', { operation: { name: 'pay' } }],
    ['a text that is no primitive', { rule: Object('small') as unknown }],
  ])('takes %s for what it is', (_, given) => {
    const receipt = given['rule'] === 'inherited' ? given : { ...WHOLE, ...given };
    for (let times = 0; times < 5; times += 1) {
      const [before, after] = writeSimilarBody(receipt as unknown as Receipt, 'c0ffee');
      expect([before, after]).toEqual(writeBody(receipt as unknown as Receipt, 'c0ffee'));
      for (const value of Object.values(given)) {
        if (typeof value === 'object' && value !== null) Object.assign(value, { b: times });
      }
      expect(write({ ...WHOLE, id: `${times}` })).toBe(canonical({ ...WHOLE, id: `${times}` }));
    }
  });

  it.each(NAMES)('notices another %s', (name) => {
    const one = { ...WHOLE, operation: `change ${name}` };
    for (let times = 0; times < 4; times += 1) write(one);
    for (const value of ['another', 0, false, undefined]) {
      const other = { ...one, [name]: value };
      expect(JSON.parse(write(other))).toEqual(JSON.parse(canonical(other)));
      expect(write(one)).toBe(canonical(one));
    }
  });

  it('goes on with what is usual after others, and takes what becomes usual', () => {
    const count = (rule: string, times: number): number => {
      const stringify = vi.spyOn(JSON, 'stringify');
      for (let id = 0; id < times; id += 1) {
        const receipt = { ...WHOLE, operation: 'mixed', id: `${id}`, rule };
        const [before, after] = writeSimilarBody(receipt as unknown as Receipt, 'c0ffee');
        if (!`${before}${after}`.includes(`"rule":"${rule}"`)) throw new Error(rule);
      }
      const { length } = stringify.mock.calls;
      stringify.mockRestore();
      return length;
    };
    expect(count('small', 10)).toBe(7);
    expect(count('large', 5)).toBe(10);
    expect(count('small', 10)).toBe(0);
    expect(count('large', 30)).toBe(16 + 1 + 2 + 2);
    expect(count('large', 30)).toBe(0);
  });

  it('notices what has changed in a receipt that is recorded again', () => {
    const receipt: Record<string, unknown> = { ...WHOLE };
    for (const name of [...NAMES, 'id']) {
      for (let times = 0; times < 4; times += 1) expect(write(receipt)).toBe(canonical(receipt));
      receipt[name] = `another ${name}`;
      expect(write(receipt)).toBe(canonical(receipt));
    }
  });

  it('keeps no long names', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    for (let id = 0; id < 10; id += 1)
      write({ ...WHOLE, operation: 'a'.repeat(2000), id: `${id}` });
    expect(stringify).toHaveBeenCalledTimes(20);
    stringify.mockRestore();
  });

  it('is not misled by a member that looks like the place of a value', () => {
    const one = { ...WHOLE, operation: 'place', rule: '\u2028', server: '"\u2028"' };
    for (let id = 0; id < 5; id += 1) {
      const receipt = { ...one, id: `${id}` };
      expect(write(receipt)).toBe(canonical(receipt));
    }
  });
});
