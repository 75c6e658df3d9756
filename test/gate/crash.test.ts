/** A small crash run of the gate; `npm run crash -- --gate` is the long one. */
import { expect, it } from 'vitest';
import { gateRun } from '../../scripts/crash/gate-run.ts';
import { openPostgres } from '../support/postgres.ts';

it.each(['SQLite', 'PostgreSQL'])(
  'R139: 20 kills of gates and servers on %s: nothing twice, nothing lost, nothing stuck',
  async (name) => {
    await using postgres = name === 'PostgreSQL' ? await openPostgres() : undefined;
    const faults: string[] = [];
    const { kills, calls, ends, resolved, ...counts } = await gateRun({
      kills: 20,
      seed: 1,
      ...(postgres !== undefined && { postgres: postgres.url }),
      report: (fault) => faults.push(fault),
    });
    expect(faults).toEqual([]);
    expect(counts).toMatchObject({ double: 0, lost: 0, stuck: 0 });
    expect(kills).toBe(20);
    expect(calls).toBeGreaterThan(20);
    expect(ends).toMatchObject({ open: 0, refused: 0 });
    expect(ends.done).toBeGreaterThan(0);
    expect(resolved.executed).toBeGreaterThan(0);
    expect(resolved['not-executed']).toBeGreaterThan(0);
  },
  300_000,
);
