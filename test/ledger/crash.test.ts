/** A small crash run; `npm run crash` is the long one. */
import { expect, it } from 'vitest';
import { crashRun } from '../../scripts/crash/crash-run.ts';

it.each([
  ['sqlite', ['kill', 'freeze', 'commit']],
  ['postgres', ['kill', 'freeze', 'commit', 'backend', 'restart']],
] as const)(
  '15 faults while spending on %s (%j): nothing twice, nothing lost, nothing stuck',
  async (ledger, faults) => {
    const reported: string[] = [];
    const result = await crashRun({
      ledger,
      faults,
      count: 15,
      seed: 1,
      report: (fault) => reported.push(fault),
    });
    expect(reported).toEqual([]);
    expect(result).toMatchObject({ double: 0, lost: 0, stuck: 0 });
    expect(result.spends).toBeGreaterThan(15);
  },
  180_000,
);
