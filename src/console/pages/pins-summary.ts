/** How the tools of a server stand to what was accepted, in a line. */
import type { ServerPins } from '../data/server-pins.ts';
import { newRows } from '../data/server-pins.ts';

export function pinsSummary(pins: ServerPins): string {
  if (pins.kind === 'none') return 'no pins';
  if (pins.kind === 'faults') return 'the lock cannot be read';
  const { rows } = pins;
  const count = (test: (row: (typeof rows)[number]) => boolean): number => rows.filter(test).length;
  const parts: readonly (readonly [number, string])[] = [
    [count(({ quarantined, twice }) => quarantined || twice), 'held back'],
    [count(({ drift, quarantined }) => isChanged(drift.kind) && !quarantined), 'changed'],
    [newRows(rows).length, 'not accepted yet'],
    [count(({ drift }) => drift.kind === 'gone'), 'gone'],
    [count(({ drift }) => drift.kind === 'same'), 'as accepted'],
  ];
  const words = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return words.join(', ') || 'no tools known yet';
}

function isChanged(kind: string): boolean {
  return kind === 'safer' || kind === 'neutral' || kind === 'riskier' || kind === 'renamed';
}
