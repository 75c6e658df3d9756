/**
 * Changes members of a message and leaves all other bytes as they were read. The parsed message is
 * changed alike, so that bytes and message go on saying the same.
 */
import type { JsonValue } from '../../lib/json-value.ts';
import type { Frame, JsonObject, RpcId } from './frame.ts';
import { locate } from './json-text.ts';
import { isObject } from './read-frame.ts';

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

/** The text of a frame, without copying its bytes first. */
export function toText({ bytes }: Frame): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/**
 * A server's message under another id. Its parts are set together anew, so that a server that writes
 * a second `id` cannot answer for another server.
 */
const PARTS = ['method', 'params', 'result', 'error'] as const;

export function readdress(frame: Frame, id: RpcId, about?: RpcId): Frame {
  const text = toText(frame);
  const kept = PARTS.filter((part) => frame.message[part] !== undefined);
  const members = kept.map((part) => {
    const place = locate(text, [part]);
    return `"${part}":${text.slice(place?.start, place?.end)}`;
  });
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${members.join(',')}}`);
  const parts = Object.fromEntries(kept.map((part) => [part, frame.message[part]]));
  const message = { jsonrpc: '2.0', id, ...parts } as JsonObject; // parts of a message are JSON
  return { bytes, message, ...(about !== undefined && { about }) };
}

/**
 * Puts other ids and tokens into a message while every other byte stays. The id mostly stands at one
 * of two places, where it is found without reading a message that may be large.
 */
const HEAD = '{"jsonrpc":"2.0","id":';
const TAIL = ',"id":';

export function replaceId(bytes: Uint8Array, old: RpcId, id: RpcId): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [was, will] = [JSON.stringify(old), JSON.stringify(id)];
  const length = Buffer.byteLength(was);
  const start = findId(buffer, was, length);
  if (start === undefined) return replaceAt(bytes, [[['id'], id]]);
  return Buffer.concat([
    buffer.subarray(0, start),
    Buffer.from(will),
    buffer.subarray(start + length),
  ]);
}

/** Nothing for a message that has the id elsewhere. */
function findId(buffer: Buffer, was: string, length: number): number | undefined {
  const head = HEAD.length + length;
  if (buffer.toString('utf8', 0, head) === HEAD + was) {
    // A longer number may begin like this one.
    const next = buffer[head];
    if (next === 0x2c || next === 0x7d) return HEAD.length;
  }
  const tail = TAIL.length + length + 1;
  // The last brace closes the message itself, so the member before it is the message's own.
  if (buffer.toString('utf8', Math.max(0, buffer.length - tail)) === `${TAIL}${was}}`) {
    return buffer.length - length - 1;
  }
  return undefined;
}

export type Replacement = readonly [path: readonly string[], value: RpcId];

/** Paths that are not there are left out. */
export function replaceAt(bytes: Uint8Array, replacements: readonly Replacement[]): Uint8Array {
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  for (const [path, value] of replacements) {
    const place = locate(text, path);
    if (place === undefined) continue;
    text = text.slice(0, place.start) + JSON.stringify(value) + text.slice(place.end);
  }
  return Buffer.from(text);
}

/** The same in the message that was read from those bytes. */
export function replaceIn(message: JsonObject, replacements: readonly Replacement[]): JsonObject {
  let replaced = message;
  for (const [path, value] of replacements) replaced = put(replaced, path, value);
  return replaced;
}

function put(object: JsonObject, [key, ...rest]: readonly string[], value: RpcId): JsonObject {
  if (key === undefined || !Object.hasOwn(object, key)) return object;
  const inner = object[key];
  if (rest.length === 0) return { ...object, [key]: value };
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return object;
  return { ...object, [key]: put(inner as JsonObject, rest, value) }; // no array, so an object
}
