import { describe, expect, it } from 'vitest';
import type { RepeatSpelling } from './repeat.ts';
import { agrees, contractsOf, repeat, settlesByNature, strictestRepeat } from './repeat.ts';

const both = repeat(['end-state', 'key-optional']);

describe('several contracts at once', () => {
  it('has the strictest first, in whatever order they are written', () => {
    expect(both).toEqual({
      kind: 'key',
      need: 'optional',
      also: [{ kind: 'end-state', result: 'differs' }],
    });
    expect(repeat(['key-optional', 'end-state'])).toEqual(both);
    expect(contractsOf(repeat(['same', 'version-optional', 'key-required']))).toEqual([
      { kind: 'key', need: 'required' },
      { kind: 'version', need: 'optional' },
      { kind: 'end-state', result: 'same' },
    ]);
  });

  it('settles by nature if one of them does', () => {
    expect(settlesByNature(both)).toBe(true);
    expect(settlesByNature(repeat('key-optional'))).toBe(false);
    expect(settlesByNature(repeat(['key-optional', 'version-required']))).toBe(false);
  });

  it.each<[readonly RepeatSpelling[], boolean]>([
    [['end-state', 'key-optional'], true],
    [['version-required', 'key-required'], true],
    [['fresh'], true],
    [['fresh', 'key-optional'], false],
    [['key-required', 'key-optional'], false],
    [['same', 'end-state'], false],
  ])('%j can hold at once: %s', (spellings, can) => {
    expect(agrees(repeat(spellings))).toBe(can);
  });
});

describe('the contract of two effects of one call', () => {
  it('keeps beside the key only what both promise', () => {
    expect(strictestRepeat(both, repeat('key-required'))).toEqual(repeat('key-required'));
    expect(strictestRepeat(both, repeat('fresh'))).toEqual(repeat('key-optional'));
    expect(strictestRepeat(repeat('same'), both)).toEqual(both);
    expect(strictestRepeat(repeat(['same', 'key-required']), both)).toEqual(
      repeat(['end-state', 'key-required']),
    );
  });
});
