/**
 * Puts other ids and tokens into a message while every other byte stays. The id mostly stands at one
 * of two places, where it is found without reading a message that may be large.
 */
import type { JsonObject, RpcId } from '../../frame.ts';
import { locate } from '../../locate.ts';

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
