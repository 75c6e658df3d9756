/**
 * Each guard is needed: without it the same search finds a way to a second effect or to an untrue
 * record.
 */
import { describe, expect, it } from 'vitest';
import { BROKEN } from './broken-machines.ts';
import { keyRecordModel } from './key-record-model.ts';
import type { Guard } from './guards.ts';
import { OF_ITS_USERS, OF_THE_MACHINE } from './guards.ts';
import { FAULTS } from './invariants.ts';
import { search } from './search.ts';
import { settingOf } from './setting.ts';

const TIMEOUT = 120_000;

function breakdown({ effectClass, changes, fault }: Omit<Guard, 'without' | 'steps'>) {
  return search(keyRecordModel(settingOf(effectClass, changes)), { watch: [fault] }).counterexample;
}

describe.each([
  ['of the machine and the store', OF_THE_MACHINE],
  ['of whoever uses the machine, which cannot see to it by itself', OF_ITS_USERS],
] as const)('guards %s', (_, guards) => {
  for (const { without, steps, ...guard } of guards) {
    it(
      `without ${without}, there is a way in ${steps} steps`,
      () => {
        const counterexample = breakdown(guard);
        expect(counterexample?.fault).toBe(guard.fault);
        expect(counterexample?.steps).toHaveLength(steps);
      },
      TIMEOUT,
    );
  }
});

describe('a counterexample', () => {
  it('can be read: what runs an expired dispatch again charges twice', () => {
    const changes = { machine: BROKEN.rerunsExpired };
    expect(breakdown({ effectClass: 'opaque', changes, fault: FAULTS.twice })?.steps).toEqual([
      'A finds nothing',
      'A reserves the key',
      'A dispatches',
      'A sends',
      "the partner executes A's request",
      'the lease runs out',
      'B finds DISPATCHED',
      'B takes over to resend',
      'B sends',
      "the partner executes B's request",
    ]);
  });
});
