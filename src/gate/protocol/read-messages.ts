/** Reads the messages that a client sends at once: one, or a batch of the oldest revision. */
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { Caller, Frame, RpcId } from './frame.ts';
import { isId } from './frame.ts';
import { elementsIn } from './json-text.ts';
import type { Refusal } from './read-frame.ts';
import { isObject, readClientFrame, RPC_SHAPE, toCalledTools } from './read-frame.ts';

export type Messages =
  | { readonly kind: 'one'; readonly frame: Frame }
  | { readonly kind: 'batch'; readonly frames: readonly Frame[] }
  | (Refusal & {
      /** The requests of a batch, as far as their ids can be read: each waits for an answer. */
      readonly ids?: readonly RpcId[];
    });

/** The last revision that has batches. */
const LAST_WITH_BATCHES = '2025-03-26';

export const NO_BATCH: Problem = toProblem(
  'invalid-request',
  `Batches exist up to revision ${LAST_WITH_BATCHES} only; this is a later one.`,
  { remedy: 'Send one message at a time.' },
);

/** Two requests under one id could not be told apart when one is answered. */
export const ID_IN_USE: Problem = toProblem(
  'invalid-request',
  'The id is in use by another request.',
  { remedy: 'Give each request an id of its own.' },
);

/** Whether the revision that was agreed on has batches. */
export function hasBatches(version: string | undefined): boolean {
  return version !== undefined && version <= LAST_WITH_BATCHES;
}

const OPEN_ARRAY = 0x5b;
const HIGHEST_SPACE = 0x20;
const MOST_IN_BATCH = 100;

export function readMessages(bytes: Buffer, caller: Caller, limit: number): Messages {
  if (isBatch(bytes)) {
    const batch = readBatch(bytes, caller, limit);
    // One that is refused takes the others with it.
    return batch.kind === 'refused' ? { ...batch, ...readLeniently(bytes) } : batch;
  }
  const read = readClientFrame(bytes, caller, limit);
  if (read.kind === 'refused') return read;
  const { method, id, result, error } = read.frame.message;
  // A null id belongs to answers that nobody waits for.
  const isCall = method !== undefined && id !== null;
  const isAnswer = method === undefined && id !== undefined && (result ?? error) !== undefined;
  return isCall || isAnswer ? { kind: 'one', frame: read.frame } : invalid();
}

function readBatch(bytes: Buffer, caller: Caller, limit: number): Messages {
  const text = bytes.toString('utf8');
  const parsed = parseStrictJson(text, { bytes: bytes.length, unsafeNumbers: 'keep' });
  if (parsed.kind === 'refused') return refused(toProblem('malformed-json', parsed.detail));
  const places = elementsIn(text);
  if (places.length > MOST_IN_BATCH)
    return invalid(
      `A batch has at most ${MOST_IN_BATCH} messages.`,
      'Send the messages in smaller batches.',
    );
  const frames: Frame[] = [];
  for (const { start, end } of places) {
    const element = Buffer.from(text.slice(start, end));
    const read = isBatch(element) ? invalid() : readMessages(element, caller, limit);
    if (read.kind !== 'one') return read;
    frames.push(read.frame);
  }
  return frames.length === 0 ? invalid() : { kind: 'batch', frames };
}

/** Nothing is decided on it: it only says what is refused, and who waits for it. */
function readLeniently(bytes: Buffer): Partial<Messages & { readonly kind: 'refused' }> {
  let batch: unknown;
  try {
    batch = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { calls: [] };
  }
  const messages: readonly unknown[] = Array.isArray(batch) ? batch.slice(0, MOST_IN_BATCH) : [];
  const ids = messages
    .filter(isObject)
    .filter(({ method }) => method !== undefined)
    .map(({ id }) => id)
    .filter(isId);
  return { calls: toCalledTools(messages), ids: [...new Set(ids)], id: null, isResponse: false };
}

export function isBatch(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) <= HIGHEST_SPACE) at += 1;
  return bytes[at] === OPEN_ARRAY;
}

function invalid(detail = 'The body is not a JSON-RPC message.', remedy = RPC_SHAPE): Messages {
  return refused(toProblem('invalid-request', detail, { remedy }));
}

function refused(problem: Problem): Messages {
  return { kind: 'refused', problem, id: null, isResponse: false, calls: [] };
}
