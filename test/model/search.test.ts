import { describe, expect, it } from 'vitest';
import type { Model } from './search.ts';
import { search } from './search.ts';

/** Two jugs, of three and of five, and whether four can be measured with them. */
interface Jugs {
  readonly small: number;
  readonly large: number;
}

const jugs: Model<Jugs> = {
  initial: { small: 0, large: 0 },
  key: ({ small, large }) => `${small},${large}`,
  steps: ({ small, large }) => {
    const over = Math.min(small, 5 - large);
    const back = Math.min(large, 3 - small);
    return [
      { label: 'fill small', next: { small: 3, large } },
      { label: 'fill large', next: { small, large: 5 } },
      { label: 'empty small', next: { small: 0, large } },
      { label: 'empty large', next: { small, large: 0 } },
      { label: 'small to large', next: { small: small - over, large: large + over }, mark: 'over' },
      { label: 'large to small', next: { small: small + back, large: large - back } },
    ];
  },
  faults: (_, { large }) => (large === 4 ? ['four'] : []),
};

describe('search', () => {
  it('finds the shortest way to a fault', () => {
    expect(search(jugs).counterexample).toEqual({
      fault: 'four',
      steps: [
        'fill large',
        'large to small',
        'empty small',
        'large to small',
        'fill large',
        'large to small',
      ],
    });
  });

  it('goes through every state once when nothing watched for is found', () => {
    const finding = search(jugs, { watch: ['five'] });
    expect(finding).toEqual({ states: 16, transitions: 96, marks: new Set(['over']) });
  });

  it('takes a faulty step for a fault even where its states are sound', () => {
    const steps = () => [{ label: 'fall', next: { small: 0, large: 0 }, fault: 'fell' }];
    const counterexample = { fault: 'fell', steps: ['fall'] };
    expect(search({ ...jugs, steps })).toMatchObject({ counterexample });
  });

  it('does not pass off a part for the whole', () => {
    expect(() => search(jugs, { watch: [], mostStates: 15 })).toThrow('more than 15 states');
  });
});
