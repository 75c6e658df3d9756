/** The pins that a lock would hold after these tools were accepted. */
import type { PinEntry } from '../../src/gate/tools/lock.ts';
import { toPinEntry } from '../../src/gate/tools/lock.ts';

export function pinsOf(
  ...tools: readonly Readonly<Record<string, unknown>>[]
): ReadonlyMap<string, PinEntry> {
  const at = new Date('2026-01-01T00:00:00Z');
  return new Map(
    tools.flatMap((tool): [string, PinEntry][] => {
      const entry = toPinEntry(tool, { by: 'someone', at });
      return entry === undefined ? [] : [[String(tool['name']), entry]];
    }),
  );
}
