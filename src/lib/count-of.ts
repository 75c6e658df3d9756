/** A number with its noun: `1 tool`, `2 tools`. Pure. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
