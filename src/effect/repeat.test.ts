import { describe, expect, it } from 'vitest';
import type { Repeat, RepeatSpelling } from './repeat.ts';
import {
  agrees,
  contractsOf,
  isRepeat,
  joinContracts,
  repeat,
  settles,
  settlesByNature,
  strictestRepeat,
} from './repeat.ts';

const both = repeat(['end-state', 'key-optional']);

describe('one contract', () => {
  it.each<[RepeatSpelling, Repeat, boolean]>([
    ['same', { kind: 'end-state', result: 'same' }, true],
    ['end-state', { kind: 'end-state', result: 'differs' }, true],
    ['key-required', { kind: 'key', need: 'required' }, false],
    ['key-optional', { kind: 'key', need: 'optional' }, false],
    ['key-derived', { kind: 'key', need: 'derived' }, false],
    ['version-required', { kind: 'version', need: 'required' }, false],
    ['version-optional', { kind: 'version', need: 'optional' }, false],
    ['fresh', { kind: 'fresh' }, false],
  ])('%s', (spelling, contract, byNature) => {
    expect(repeat(spelling)).toEqual(contract);
    expect(repeat([spelling])).toEqual(contract);
    expect(contractsOf(contract)).toEqual([contract]);
    expect(settles(contract)).toBe(spelling !== 'fresh');
    expect(settlesByNature(contract)).toBe(byNature);
    expect(isRepeat(contract)).toBe(true);
  });

  it('that only a cast let through is no contract, also beside one, and comes last', () => {
    const wrong = repeat('twice' as RepeatSpelling);
    expect(isRepeat(wrong)).toBe(false);
    const joined = joinContracts([wrong, repeat('same')]);
    expect(joined.kind).toBe('end-state');
    expect(isRepeat(joined)).toBe(false);
  });

  it('is a new effect every time where none is stated', () => {
    expect(repeat([])).toEqual({ kind: 'fresh' });
  });
});

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
    const loose = repeat(['version-optional', 'key-required']);
    const strict = repeat(['version-required', 'key-optional']);
    expect(strictestRepeat(loose, strict)).toEqual(loose);
    expect(strictestRepeat(repeat(['version-required', 'key-required']), loose)).toEqual(loose);
    expect(strictestRepeat(loose, both)).toEqual(repeat('key-required'));
  });
});
