/**
 * Changes members of a message and leaves all other bytes as they were read. The parsed message is
 * changed alike, so that bytes and message go on saying the same.
 */
import type { JsonValue } from '../../lib/json-value.ts';
import type { Frame, JsonObject, RpcId } from './frame.ts';
import { isId } from './frame.ts';
import type { Edit } from './json-text.ts';
import { editText, readMembers } from './json-text.ts';
import { isObject } from './read-frame.ts';

export type { Edit } from './json-text.ts';

/** The very same frame if there is nothing to change. */
export function editFrame(frame: Frame, edits: readonly Edit[]): Frame {
  if (edits.length === 0) return frame;
  const bytes = replaceId(frame, edits) ?? Buffer.from(editText(toText(frame), edits));
  const before = frame.message as JsonObject; // a message is an object of JSON values
  return { ...frame, bytes, message: edits.reduce(editValue, before) };
}

/** The text of a frame, without copying its bytes first. */
export function toText({ bytes }: Pick<Frame, 'bytes'>): string {
  return toBuffer(bytes).toString('utf8');
}

const PARTS: ReadonlySet<string> = new Set(['method', 'params', 'result', 'error']);

/**
 * A server's message under another id. Its parts are set together anew from its bytes, so that a server
 * that writes a second `id` cannot answer for another server.
 */
export function readdress({ bytes, message }: Frame, id: RpcId, about?: RpcId): Frame {
  const text = toText({ bytes });
  const written = new Map<string, string>();
  for (const { key, value } of readMembers(text)) {
    if (PARTS.has(key)) written.set(key, text.slice(value.start, value.end));
  }
  const members = [...written].map(([key, value]) => `,"${key}":${value}`).join('');
  const read = message as JsonObject; // a message is an object of JSON values
  const parts = [...written].map(([key, value]): readonly [string, JsonValue] => [
    key,
    read[key] ?? (JSON.parse(value) as JsonValue),
  ]);
  return {
    bytes: Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)}${members}}`),
    message: { jsonrpc: '2.0', id, ...Object.fromEntries(parts) } as JsonObject,
    ...(about !== undefined && { about }),
  };
}

function editValue(object: JsonObject, edit: Edit): JsonObject {
  const [key, next, ...rest] = edit.path;
  const has = Object.hasOwn(object, key);
  if (!has && edit.kind !== 'set') return object;
  if (next === undefined) {
    if (edit.kind !== 'remove') return { ...object, [key]: edit.value };
    const { [key]: _, ...others } = object;
    return others;
  }
  const inner = has ? object[key] : undefined;
  if (edit.kind !== 'set' && !isObject(inner)) return object;
  const path = [next, ...rest] as const;
  return { ...object, [key]: editValue(isObject(inner) ? inner : {}, { ...edit, path }) };
}

const HEAD = '{"jsonrpc":"2.0","id":';
const TAIL = ',"id":';

/**
 * The id mostly stands at one of two places, where it is replaced without reading a message that may be
 * large. `undefined` where that is not certain, as with a second `id` that some reader would take.
 */
function replaceId({ bytes, message }: Frame, edits: readonly Edit[]): Buffer | undefined {
  const [edit] = edits;
  const isOnlyId = edits.length === 1 && edit?.path.length === 1 && edit.path[0] === 'id';
  if (!isOnlyId || edit.kind === 'remove' || !isId(message.id)) return undefined;
  const buffer = toBuffer(bytes);
  const was = JSON.stringify(message.id);
  const start = findId(buffer, was);
  if (start === undefined) return undefined;
  const first = buffer.indexOf('"id"');
  if (buffer.indexOf('"id"', first + 1) !== -1 || buffer.includes(ESCAPED_LETTER)) return undefined;
  const after = buffer.subarray(start + Buffer.byteLength(was));
  return Buffer.concat([buffer.subarray(0, start), Buffer.from(JSON.stringify(edit.value)), after]);
}

/** How both letters of `id` would begin if they were escaped. */
const ESCAPED_LETTER = '\\u006';

function findId(buffer: Buffer, was: string): number | undefined {
  const length = Buffer.byteLength(was);
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

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
