/** The own member of a value out of JSON, whatever the value is. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key]; // an object out of JSON has string keys only
  }
  return at;
}
