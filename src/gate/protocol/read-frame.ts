/**
 * Reads frames off the wire. What a client sends is read strictly, since it is decided on: nobody
 * behind the gate may see another message in the same bytes. What a server sends is only read.
 */
import { foldCase } from '../../effect/narrow-effect.ts';
import { cutText } from '../../lib/cut-text.ts';
import { countOuterKey } from '../../lib/find-duplicate-key.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { parseStrictJson, RawNumber } from '../../lib/strict-json.ts';
import type { Caller, Frame, JsonObject, RpcId, RpcMessage } from './frame.ts';
import { isId } from './frame.ts';
import type { LineEnds } from './lines.ts';

/** The largest message that is taken from a server. */
export const MESSAGE_LIMIT: number = 64 * 1024 * 1024;
/** The largest one that is taken from a client, unless its gate is told otherwise. */
export const CLIENT_MESSAGE_LIMIT: number = 4 * 1024 * 1024;
/** A lower limit would refuse what every client sends. */
export const LEAST_MESSAGE = 65_536;
export const DEPTH_LIMIT = 128;
/** On the average, of each value in the largest message: many small ones cost far more than their bytes. */
const BYTES_PER_VALUE = 64;
/** Of a tool in what is recorded of a refused message; longer ones are cut. */
const LONGEST_NAME = 128;

/** What ends a line for somebody: a server that reads lines would see several messages in one. */
const LINE_END = /[\n\r\u0085\u2028\u2029]/;
const LINE_ENDS = /[\n\r\u0085\u2028\u2029]/g;

/** Keys that readers who ignore case would take for those of the protocol. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  'jsonrpc',
  'id',
  'method',
  'params',
  'result',
  'error',
]);
const CALL_KEYS: ReadonlySet<string> = new Set([
  'name',
  'arguments',
  '_meta',
  'uri',
  'cursor',
  'requestid',
  'requeststate',
  'inputresponses',
]);
const SPELLED: ReadonlySet<string> = new Set([
  ...OWN_KEYS,
  ...CALL_KEYS,
  'requestId',
  'requestState',
  'inputResponses',
]);

export const RPC_SHAPE = 'Send a JSON-RPC 2.0 object: a request, a notification or a response.';

type ReadFrame = { readonly kind: 'frame'; readonly frame: Frame } | Refusal;

/** A message that was not taken, and as much as can be told of who waits because of it. */
export interface Refusal {
  readonly kind: 'refused';
  readonly problem: Problem;
  readonly id: RpcId | null;
  /** It was the client's answer to a request of the server, which waits for it. */
  readonly isResponse: boolean;
  /** The tools that it would have called, as far as it can be recognised as calls. */
  readonly calls: readonly string[];
}

/** A message that nobody behind the downstream gets. */
export interface RefusedMessage extends Pick<Refusal, 'problem' | 'calls'> {
  readonly caller: Caller;
}

/** `limit`: the bytes of the largest message, which whoever reads has kept to. */
export function readClientFrame(
  bytes: Buffer,
  caller: Caller,
  limit: number = CLIENT_MESSAGE_LIMIT,
): ReadFrame {
  const given = bytes.toString('utf8');
  // Bytes that are no UTF-8 would be read by others in their own way.
  if (given.includes('\uFFFD') && !Buffer.from(given).equals(bytes)) {
    return refuse('malformed-json', 'The message is not UTF-8.', given);
  }
  const text = toOneLine(given);
  const parsed = parseStrictJson(text, {
    bytes: MESSAGE_LIMIT,
    depth: DEPTH_LIMIT,
    values: Math.max(limit, LEAST_MESSAGE) / BYTES_PER_VALUE,
    unsafeNumbers: 'keep',
  });
  if (parsed.kind === 'refused') return refuse('malformed-json', parsed.detail, text);
  const message = toMessage(parsed.value);
  if (message === undefined) {
    return refuse('invalid-request', 'The message is not a JSON-RPC message.', text, RPC_SHAPE);
  }
  if (hasTwins(message)) {
    const detail =
      'Two keys of the message differ in case only, or one is a key of the protocol in another case.';
    const remedy = 'Write each key once, in the case in which the protocol spells it.';
    return refuse('invalid-request', detail, text, remedy);
  }
  const sent = text === given ? bytes : Buffer.from(text);
  return { kind: 'frame', frame: { bytes: sent, message, caller } };
}

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const ID_FIRST = new RegExp(
  String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|${TEXT})\s*,`,
);
const ID_LAST = new RegExp(
  String.raw`[,{]\s*"id"\s*:\s*(\d+|${TEXT})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`,
);
const IS_CALL = /"method"\s*:\s*"tools\/call"/;
const IS_ANSWER =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:[^,]{1,128},\s*)?"(?:result|error)"\s*:/;
const CALLED = new RegExp(String.raw`"params"\s*:\s*\{\s*"name"\s*:\s*(${TEXT})`);

/** For a line that was too long to be kept: as much as its two ends tell. */
export function refuseTooLong(line: LineEnds, limit: number): Refusal {
  const [head, tail] = [line.head.toString('utf8'), line.tail.toString('utf8')];
  const problem = toProblem('payload-too-large', `The message is larger than ${limit} bytes.`, {
    limit,
  });
  const written = ID_FIRST.exec(head)?.[1] ?? ID_LAST.exec(tail)?.[1];
  const id = written === undefined ? undefined : parseOr(written, undefined);
  const isCall = IS_CALL.test(head) || IS_CALL.test(tail);
  const name = parseOr(CALLED.exec(head)?.[1] ?? '""', '');
  return {
    kind: 'refused',
    problem,
    id: isId(id) && isReadable(id) ? id : null,
    isResponse: isId(id) && IS_ANSWER.test(head),
    calls: isCall ? toCalledTools([{ id: 0, method: 'tools/call', params: { name } }]) : [],
  };
}

function parseOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Read leniently, since nothing is decided on it: it only says whose wait is over. */
function refuse(
  code: 'malformed-json' | 'invalid-request',
  detail: string,
  text: string,
  remedy?: string,
): Refusal {
  const problem = toProblem(code, detail, remedy === undefined ? {} : { remedy });
  const nobody = { kind: 'refused', problem, id: null, isResponse: false, calls: [] } as const;
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return nobody;
  }
  if (!isObject(message)) return nobody;
  const { id, method, result, error } = message;
  // Of two ids the engine keeps one; whoever sent two has none.
  if (!isId(id) || !isReadable(id) || countOuterKey(text, 'id') !== 1) return nobody;
  const isAnswer = method === undefined && (result !== undefined || error !== undefined);
  return { kind: 'refused', problem, id, isResponse: isAnswer, calls: toCalledTools([message]) };
}

/** The tools that these messages call; for what is recorded of them, so a nameless one counts too. */
export function toCalledTools(messages: readonly unknown[]): readonly string[] {
  return messages.flatMap((message) => {
    if (!isObject(message) || message['method'] !== 'tools/call' || !isId(message['id'])) return [];
    const { params } = message;
    const name = isObject(params) ? params['name'] : undefined;
    return [typeof name === 'string' ? cutText(name, LONGEST_NAME) : ''];
  });
}

/** Whether the id is the one that was sent, for every reader. */
function isReadable(id: RpcId): boolean {
  if (typeof id === 'string') return id.isWellFormed() && !id.includes('\uFFFD');
  return !Number.isInteger(id) || Number.isSafeInteger(id);
}

/** The same message on one line: between values a line end is a space, inside a string it is escaped. */
function toOneLine(text: string): string {
  if (!LINE_END.test(text)) return text;
  return text.replace(LINE_ENDS, (end) =>
    end === '\n' || end === '\r' ? ' ' : `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function hasTwins(message: RpcMessage): boolean {
  const { params } = message;
  return hasTwin(message, OWN_KEYS) || (params !== undefined && hasTwin(params, CALL_KEYS));
}

function hasTwin(part: object, known: ReadonlySet<string>): boolean {
  for (const key in part) if (isTwin(key, known)) return true;
  return false;
}

function isTwin(key: string, known: ReadonlySet<string>): boolean {
  return !SPELLED.has(key) && known.has(foldCase(key));
}

/** `undefined` for what is no message: servers print such lines by mistake. */
export function readServerFrame(bytes: Uint8Array, about?: RpcId): Frame | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(toBuffer(bytes).toString('utf8')) as JsonValue;
  } catch {
    return undefined;
  }
  const message = toMessage(value);
  if (message === undefined) return undefined;
  return about === undefined ? { bytes, message } : { bytes, message, about };
}

function toMessage(value: JsonValue): RpcMessage | undefined {
  if (!isObject(value)) return undefined;
  const { id, method, params } = value;
  if (method !== undefined && typeof method !== 'string') return undefined;
  if (id !== undefined && id !== null && !isId(id)) return undefined;
  if (params !== undefined && !isObject(params)) return undefined;
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof RawNumber);
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
