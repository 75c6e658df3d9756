/** Medians and quartiles; a mean would reflect other load on the machine. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The median, and the quartiles on both sides of it. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: at(sorted, 0.5), low: at(sorted, 0.25), high: at(sorted, 0.75) };
}

export function quantile(values: readonly number[], part: number): number {
  return at(
    values.toSorted((a, b) => a - b),
    part,
  );
}

function at(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (place % 1);
}
