/**
 * How long a value out of JSON is when written and how deep it goes. It keeps no stack of calls,
 * so that a value nested a million times over is measured like any other.
 */
export interface Measure {
  /** As written without spaces; escapes are not counted. */
  readonly characters: number;
  /** A bare value is 0 deep, `{}` and `[]` are 1. */
  readonly depth: number;
}

/** No honest definition has more parts; beyond it the answer is a lower bound. */
const MOST_PARTS = 1_000_000;

export function measureJson(value: unknown): Measure {
  let characters = 0;
  let deepest = 0;
  let parts = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    parts += 1;
    if (parts > MOST_PARTS) break;
    const { value: at, depth } = next;
    if (typeof at !== 'object' || at === null) {
      characters += lengthOf(at);
      continue;
    }
    deepest = Math.max(deepest, depth + 1);
    const isList = Array.isArray(at);
    const members = Object.entries(at);
    characters += 2 + Math.max(0, members.length - 1);
    for (const [key, inner] of members) {
      if (!isList) characters += key.length + 3;
      waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  return { characters, depth: deepest };
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length + 2 : String(value).length;
}
