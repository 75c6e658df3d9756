/** Round numbers for the axis of a chart of counts: never a fraction, always from zero. */

export interface Scale {
  /** The value at the top edge; at least 1. */
  readonly top: number;
  /** From zero to the top. */
  readonly ticks: readonly number[];
}

const PARTS = 4;

export function toScale(largest: number): Scale {
  const rough = Math.max(1, largest / PARTS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const count = Math.max(1, Math.ceil(largest / step));
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, at) => at * step) };
}
