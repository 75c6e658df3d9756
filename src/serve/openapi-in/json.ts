/** Looks at parts of a document that nobody has checked: each function says what is there, or not. */

export type Json = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Json; // a parsed document has string keys only
}

/** The member itself, never one that an object inherits. */
export function member(value: unknown, key: string): unknown {
  const object = asObject(value);
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Text with something in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** How many values are inside, or `undefined` for what JSON cannot carry or what nests too deep. */
export function countValues(value: unknown, depth = 32): number | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return 1;
  if (typeof value === 'number') return Number.isFinite(value) ? 1 : undefined;
  if (typeof value !== 'object' || depth === 0) return undefined;
  let count = 1;
  for (const inner of Object.values(value)) {
    const more = countValues(inner, depth - 1);
    if (more === undefined) return undefined;
    count += more;
  }
  return count;
}
