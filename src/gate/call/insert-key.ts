/**
 * Puts an idempotency key into the bytes of a `tools/call` message. All other bytes stay as they
 * are, and so does a key that the caller put there. The bytes are known to be strict JSON.
 */
import type { Place } from '../protocol/json-text.ts';
import { locate } from '../protocol/json-text.ts';
import type { KeySlot } from '../tools/key-slot.ts';

const EMPTY: ReadonlySet<string> = new Set(['null', '""']);

/** A header is not part of the message: with such a slot, the bytes come back as they are. */
export function insertKey(bytes: Uint8Array, slot: KeySlot, key: string): Uint8Array {
  if (slot.kind === 'header') return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const holder = slot.kind === 'argument' ? 'arguments' : '_meta';
  return put(bytes, text, [], ['params', holder, slot.name], JSON.stringify(key));
}

/** Goes down the path as far as it is there, and writes what is missing of it. */
function put(
  bytes: Uint8Array,
  text: string,
  there: readonly string[],
  missing: readonly string[],
  value: string,
): Uint8Array {
  const place = locate(text, there);
  if (place === undefined) return bytes;
  const [next, ...rest] = missing;
  const found = text.slice(place.start, place.end);
  // Null and the empty string say as little as nothing, so they are replaced.
  if (EMPTY.has(found)) return splice(bytes, text, place, nest(missing, value));
  if (next === undefined || text[place.start] !== '{') return bytes;
  if (locate(text, [...there, next]) !== undefined) {
    return put(bytes, text, [...there, next], rest, value);
  }
  const comma = found.slice(1, -1).trim() === '' ? '' : ',';
  const member = `${JSON.stringify(next)}:${nest(rest, value)}${comma}`;
  const start = place.start + 1;
  return splice(bytes, text, { start, end: start }, member);
}

function nest(path: readonly string[], value: string): string {
  return path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, value);
}

function splice(bytes: Uint8Array, text: string, place: Place, written: string): Uint8Array {
  const from = Buffer.byteLength(text.slice(0, place.start));
  const to = from + Buffer.byteLength(text.slice(place.start, place.end));
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(written), bytes.subarray(to)]);
}
