/** A value out of JSON as an object, if it is one. Lists and null are none. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function toJsonObject(value: unknown): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as JsonObject; // an object out of JSON has string keys only
}
