/** A JSON pointer that goes on from another, with the steps escaped. */
export function toPointer(base: string, ...steps: readonly (string | number)[]): string {
  return [base, ...steps.map(escape)].join('/');
}

function escape(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1');
}
