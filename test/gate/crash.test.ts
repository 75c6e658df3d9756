/** A small crash run of the gate; `npm run crash -- --gate` is the long one. */
import { expect, it } from 'vitest';
import { gateRun } from '../../scripts/crash/gate-run.ts';

it.each(['sqlite', 'postgres'] as const)(
  'R139: 20 kills of gates and servers on %s: nothing twice, nothing lost, nothing stuck',
  async (ledger) => {
    const faults: string[] = [];
    const {
      faults: injected,
      calls,
      ends,
      resolved,
      ...counts
    } = await gateRun({
      ledger,
      faults: ['kill'],
      count: 20,
      seed: 1,
      report: (fault) => faults.push(fault),
    });
    expect(faults).toEqual([]);
    expect(counts).toMatchObject({ double: 0, lost: 0, stuck: 0 });
    expect(injected).toEqual({ kill: 20 });
    expect(calls).toBeGreaterThan(20);
    expect(ends).toMatchObject({ open: 0, refused: 0 });
    expect(ends.done).toBeGreaterThan(0);
    expect(resolved.executed).toBeGreaterThan(0);
    expect(resolved['not-executed']).toBeGreaterThan(0);
  },
  300_000,
);
