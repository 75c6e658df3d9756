/** The messages in a body: one, or several where the oldest revision of the protocol sends a batch. */
import type { Problem } from '../../../../lib/problem.ts';
import { toProblem } from '../../../../lib/problem.ts';
import { parseStrictJson } from '../../../../lib/strict-json.ts';
import type { Caller, Frame } from '../../frame.ts';
import { readClientFrame } from '../../read-frame.ts';

export type Messages =
  | { readonly kind: 'one'; readonly frame: Frame }
  | { readonly kind: 'batch'; readonly frames: readonly Frame[] }
  | { readonly kind: 'refused'; readonly problem: Problem };

const OPEN_ARRAY = 0x5b;
const HIGHEST_SPACE = 0x20;

export function readMessages(bytes: Buffer, caller: Caller): Messages {
  if (isArray(bytes)) return readBatch(bytes, caller);
  const read = readClientFrame(bytes, caller);
  if (read.kind === 'refused') return { kind: 'refused', problem: read.problem };
  const { method, id, result, error } = read.frame.message;
  // A null id belongs to answers that nobody waits for.
  const isCall = method !== undefined && id !== null;
  const isAnswer = method === undefined && id !== undefined && (result ?? error) !== undefined;
  return isCall || isAnswer ? { kind: 'one', frame: read.frame } : invalid();
}

function readBatch(bytes: Buffer, caller: Caller): Messages {
  const parsed = parseStrictJson(bytes.toString('utf8'), { bytes: bytes.length });
  if (parsed.kind === 'refused') {
    return { kind: 'refused', problem: toProblem('malformed-json', parsed.detail) };
  }
  const frames: Frame[] = [];
  for (const value of Array.isArray(parsed.value) ? (parsed.value as readonly unknown[]) : []) {
    // Read strictly above, so writing it again changes nothing that anybody could tell apart.
    const read = readMessages(Buffer.from(JSON.stringify(value)), caller);
    if (read.kind !== 'one') return invalid();
    frames.push(read.frame);
  }
  return frames.length === 0 ? invalid() : { kind: 'batch', frames };
}

function isArray(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) <= HIGHEST_SPACE) at += 1;
  return bytes[at] === OPEN_ARRAY;
}

function invalid(): Messages {
  const detail = 'The body is not a JSON-RPC message.';
  return { kind: 'refused', problem: toProblem('invalid-request', detail) };
}
