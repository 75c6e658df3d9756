/**
 * Loads lines in turn, round after round in varying order, all of them open all the time. What is
 * compared runs close in time; ratios are taken within a round, then their median.
 */
import type { Line } from './line.ts';
import type { Call, Slot } from './load-line.ts';
import { loadLine } from './load-line.ts';
import type { Spread } from './statistics.ts';
import { spreadOf } from './statistics.ts';

export interface Figures {
  readonly name: string;
  readonly inFlight: number;
  /** Milliseconds. */
  readonly p50: Spread;
  readonly p99: Spread;
  readonly callsPerSecond: Spread;
  /** Relative to the base, within each round. */
  readonly p50Ratio: Spread;
  readonly rateRatio: Spread;
  /** The same relative to the floor, where there is one. */
  readonly toFloor?: { readonly p50: Spread; readonly rate: Spread };
  /** CPU microseconds per call. */
  readonly cpu: { readonly client: number; readonly middle: number; readonly server: number };
  readonly calls: number;
  /** Share of the machine that other processes used, on average. */
  readonly others: number;
}

export interface Plan {
  readonly call: Call;
  readonly inFlight: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /** Names the lines that a line is measured against. By default the first, and no floor. */
  readonly against?: (line: Line) => { readonly base: string; readonly floor: string };
}

/** Shows on standard error how far it is, one dot for each round. */
export async function compare(lines: readonly Line[], plan: Plan): Promise<readonly Figures[]> {
  const { call, inFlight, rounds, seconds, against } = plan;
  await warmUp(lines, plan);
  process.stderr.write(`  warmed up; ${rounds} rounds `);
  const slots = new Map<string, Slot[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const many of inFlight) {
      for (const line of shuffled(lines)) {
        const slot = await loadLine(line, call, many, seconds);
        const key = keyOf(line, many);
        slots.set(key, [...(slots.get(key) ?? []), slot]);
      }
    }
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  const slotsOf = (line: Line, many: number): readonly Slot[] => slots.get(keyOf(line, many)) ?? [];
  return inFlight.flatMap((many) =>
    lines.map((line) => {
      const names = against?.(line);
      const [base, floor] = [names?.base, names?.floor].map((wanted) =>
        lines.find(({ name }) => name === wanted),
      );
      const bases = {
        base: slotsOf(base ?? lines[0] ?? line, many),
        ...(floor !== undefined && { floor: slotsOf(floor, many) }),
      };
      return toFigures(line.name, many, slotsOf(line, many), bases);
    }),
  );
}

/** Of a round: about as long as the engine takes to compile what a gate runs. */
const WARM_UP = 3;

/** Warms up, so that no line pays for compilation. */
async function warmUp(lines: readonly Line[], { call, inFlight, seconds }: Plan): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    for (const line of shuffled(lines)) {
      for (const many of inFlight) await loadLine(line, call, many, seconds * WARM_UP);
    }
  }
}

function toFigures(
  name: string,
  inFlight: number,
  slots: readonly Slot[],
  { base, floor }: { readonly base: readonly Slot[]; readonly floor?: readonly Slot[] },
): Figures {
  const calls = slots.reduce((sum, slot) => sum + slot.calls, 0);
  const perCall = (pick: (slot: Slot) => number): number =>
    (slots.reduce((sum, slot) => sum + pick(slot), 0) * 1000) / calls;
  const ratio = (to: readonly Slot[], pick: (slot: Slot) => number): Spread =>
    spreadOf(slots.map((slot, round) => pick(slot) / (to[round] ? pick(to[round]) : Number.NaN)));
  const toP50 = ({ p50 }: Slot): number => p50;
  const toRate = ({ callsPerSecond }: Slot): number => callsPerSecond;
  return {
    name,
    inFlight,
    p50: spreadOf(slots.map(({ p50 }) => p50)),
    p99: spreadOf(slots.map(({ p99 }) => p99)),
    callsPerSecond: spreadOf(slots.map(({ callsPerSecond }) => callsPerSecond)),
    p50Ratio: ratio(base, toP50),
    rateRatio: ratio(base, toRate),
    ...(floor !== undefined && {
      toFloor: { p50: ratio(floor, toP50), rate: ratio(floor, toRate) },
    }),
    cpu: {
      client: perCall(({ cost }) => cost.client),
      middle: perCall(({ cost }) => cost.middle),
      server: perCall(({ cost }) => cost.server),
    },
    calls,
    others: slots.reduce((sum, slot) => sum + slot.others, 0) / slots.length,
  };
}

function keyOf(line: Line, inFlight: number): string {
  return `${inFlight} ${line.name}`;
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
