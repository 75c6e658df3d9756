/**
 * Rewrites one object inside JSON text: members are left out, replaced or added, and the text of all
 * others stays as it was. For text that is known to be strict JSON.
 */
import { locate, membersAt } from './locate.ts';

export interface Changes {
  /** JSON text for each key; `undefined` leaves the member out. */
  readonly [key: string]: string | undefined;
}

/** `undefined` where there is no object at the path. */
export function changeMembers(
  text: string,
  path: readonly string[],
  changes: Changes,
): string | undefined {
  const place = locate(text, path);
  if (place === undefined || text[place.start] !== '{') return undefined;
  const kept: string[] = [];
  const seen = new Set<string>();
  for (const { key, start, value } of membersAt(text, place.start)) {
    seen.add(key);
    if (!Object.hasOwn(changes, key)) kept.push(text.slice(start, value.end));
    else if (changes[key] !== undefined) {
      kept.push(text.slice(start, value.start) + changes[key]);
    }
  }
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined && !seen.has(key)) kept.push(`${JSON.stringify(key)}:${value}`);
  }
  return `${text.slice(0, place.start)}{${kept.join(',')}}${text.slice(place.end)}`;
}
