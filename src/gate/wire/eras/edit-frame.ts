/**
 * Changes members of a message and leaves all other bytes as they were read. The parsed message is
 * changed alike, so that bytes and message go on saying the same.
 */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Frame, JsonObject } from '../frame.ts';
import { locate } from '../locate.ts';
import { isObject } from '../read-frame.ts';
import { toText } from './to-text.ts';

export type Edit =
  | { readonly kind: 'set'; readonly path: Path; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly path: Path };

type Path = readonly [string, ...string[]];

const HIGHEST_SPACE = 0x20;

/** The very same frame if there is nothing to change. */
export function editFrame(frame: Frame, edits: readonly Edit[]): Frame {
  if (edits.length === 0) return frame;
  let text = toText(frame);
  let message = frame.message as JsonObject; // a message is an object of JSON values
  for (const edit of edits) {
    text = edit.kind === 'set' ? setText(text, edit.path, edit.value) : cutText(text, edit.path);
    message = changeAt(message, edit.path, edit.kind === 'set' ? edit.value : undefined);
  }
  return { ...frame, bytes: Buffer.from(text), message };
}

function setText(text: string, path: Path, value: JsonValue): string {
  const place = locate(text, path);
  if (place !== undefined) {
    return `${text.slice(0, place.start)}${JSON.stringify(value)}${text.slice(place.end)}`;
  }
  const [key, ...above] = path.toReversed();
  const parent = above.toReversed();
  const object = locate(text, parent);
  if (object === undefined || text.charAt(object.start) !== '{') {
    const [first, ...rest] = parent;
    if (first === undefined) return text;
    return setText(text, [first, ...rest], { [key ?? '']: value });
  }
  const inside = object.start + 1;
  const isEmpty = text.slice(inside, object.end - 1).trim() === '';
  const member = `${JSON.stringify(key)}:${JSON.stringify(value)}${isEmpty ? '' : ','}`;
  return `${text.slice(0, inside)}${member}${text.slice(inside)}`;
}

function cutText(text: string, path: Path): string {
  const place = locate(text, path);
  if (place === undefined) return text;
  const start = findKey(text, place.start);
  let after = place.end;
  while (isSpace(text, after)) after += 1;
  if (text.charAt(after) === ',') return text.slice(0, start) + text.slice(after + 1);
  let before = start;
  while (isSpace(text, before - 1)) before -= 1;
  if (text.charAt(before - 1) === ',') before -= 1;
  return text.slice(0, before) + text.slice(place.end);
}

function isSpace(text: string, at: number): boolean {
  return text.charCodeAt(at) <= HIGHEST_SPACE;
}

/** Where the key begins whose value begins here. */
function findKey(text: string, value: number): number {
  const closing = text.lastIndexOf('"', value - 1);
  let opening = text.lastIndexOf('"', closing - 1);
  while (opening > 0 && countBackslashes(text, opening) % 2 === 1) {
    opening = text.lastIndexOf('"', opening - 1);
  }
  return opening;
}

function countBackslashes(text: string, end: number): number {
  let start = end;
  while (start > 0 && text.charAt(start - 1) === '\\') start -= 1;
  return end - start;
}

function changeAt(
  object: JsonObject,
  [key, ...rest]: Path,
  value: JsonValue | undefined,
): JsonObject {
  const [next, ...further] = rest;
  const inner = object[key];
  if (next === undefined) {
    if (value !== undefined) return { ...object, [key]: value };
    const { [key]: _, ...others } = object;
    return others;
  }
  if (value === undefined && !isObject(inner)) return object;
  const changed = changeAt(isObject(inner) ? inner : {}, [next, ...further], value);
  return { ...object, [key]: changed };
}
