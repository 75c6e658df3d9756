/**
 * Every way that two calls with one key, or two equal spends without one, can run, be asked about, be
 * cancelled, stopped, lost and crash at the gate, with the real machine of a call's life and the real
 * machine of key records. Each disturbance happens at most once, at any point.
 */
import { describe, expect, it } from 'vitest';
import { GUARDS_AROUND, LIFE_GUARDS } from './broken-lives.ts';
import { lifeModel } from './life-model.ts';
import type { LifeSetting } from './life-world.ts';
import { lifeSettingOf } from './life-world.ts';
import { search } from './search.ts';

const TIMEOUT = 120_000;

interface Case extends Partial<LifeSetting> {
  readonly what: string;
  readonly states: number;
  /** Every way in which the first call can end. */
  readonly ends: string;
}

const CASES: readonly Case[] = [
  {
    what: 'two calls with one key',
    states: 85_249,
    ends: 'abandoned cancelled ran refused replayed',
  },
  {
    what: 'two calls with one key and one question',
    asks: true,
    states: 217_763,
    ends: 'abandoned cancelled declined expired ran refused replayed waiting',
  },
  {
    what: 'two equal spends',
    keys: 'none',
    states: 194_245,
    ends: 'abandoned cancelled declined ran refused waiting',
  },
  {
    what: 'two equal spends and one question',
    keys: 'none',
    asks: true,
    states: 230_331,
    ends: 'abandoned cancelled declined expired ran refused replayed waiting',
  },
  {
    what: 'one call whose price is asked for',
    calls: 1,
    asks: true,
    priced: true,
    states: 7944,
    ends: 'abandoned cancelled declined ran refused waiting',
  },
  {
    what: 'two calls with one key that the server knows, disturbed by people and the server',
    effectClass: 'dedup',
    disturbances: ['cancel', 'gone', 'stop', 'death'],
    states: 29_972,
    ends: 'abandoned cancelled ran refused replayed',
  },
  {
    what: 'two calls with one key that the server knows, disturbed by a crash and the clock',
    effectClass: 'dedup',
    disturbances: ['cancel', 'crash', 'change', 'lapse'],
    states: 150_166,
    ends: 'cancelled ran refused replayed',
  },
  {
    what: 'two equal spends at a server that knows keys, disturbed by people and the server',
    keys: 'none',
    effectClass: 'dedup',
    disturbances: ['cancel', 'stop', 'death'],
    states: 54_749,
    ends: 'abandoned cancelled declined ran refused waiting',
  },
  {
    what: 'two equal spends at a server that knows keys, disturbed by a crash and the clock',
    keys: 'none',
    effectClass: 'dedup',
    disturbances: ['crash', 'change', 'lapse'],
    states: 141_875,
    ends: 'declined ran refused replayed waiting',
  },
];

describe('every call ends once, is recorded as what happened, and has at most one effect', () => {
  it.each(CASES)(
    '$what, in all of $states states',
    ({ what: _what, states, ends, ...changes }) => {
      const finding = search(lifeModel(lifeSettingOf(changes)));
      expect(finding.counterexample).toBeUndefined();
      expect(finding.states).toBeGreaterThanOrEqual(states);
      const reached = [...finding.marks].flatMap((mark) => /^A ends: (\w+)/.exec(mark)?.[1] ?? []);
      expect(reached.toSorted().join(' ')).toBe(ends);
    },
    TIMEOUT,
  );
});

describe.each([
  ['of the life of a call', LIFE_GUARDS],
  ['around it', GUARDS_AROUND],
] as const)('guards %s', (_, guards) => {
  it.each(guards)(
    'without $without, it is found that: $fault',
    ({ changes, fault }) => {
      const { counterexample } = search(lifeModel(lifeSettingOf(changes)), {
        watch: [fault],
      });
      expect(counterexample?.fault).toBe(fault);
    },
    TIMEOUT,
  );
});
