/** What an HTTP answer without a result means for the request: an error to pass on, or a failure. */
import type { Failure } from '../protocol/channel.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import { isObject, readServerFrame } from '../protocol/read-frame.ts';
import type { Answered } from './http-client.ts';

type Rejection =
  | { readonly kind: 'error'; readonly frame: Frame }
  | { readonly kind: 'failure'; readonly failure: Failure };

export function toRejection(answer: Answered, id: RpcId, now: number): Rejection {
  const { status, headers, body } = answer;
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], now);
  const isBusy = status === 429 || (status === 503 && retryAfterSeconds !== undefined);
  const error = isBusy || body === undefined ? undefined : readError(body, id, status);
  if (error !== undefined) return { kind: 'error', frame: error };
  const kind = isBusy || status < 500 ? 'refused' : 'lost';
  const detail = `The server answered with HTTP status ${status}`;
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { kind: 'failure', failure: { kind, detail, status, ...retry } };
}

/** A server that could not read the id says null; an error below 500 is about this request all the same. */
function readError(body: Buffer, id: RpcId, status: number): Frame | undefined {
  const frame = readServerFrame(toOneLine(body), id);
  if (frame === undefined || !isObject(frame.message.error)) return undefined;
  if (frame.message.id === id) return frame;
  if (status >= 500) return undefined;
  return toFrame({ ...(frame.message as JsonObject), id }, id); // it was read from JSON
}

/** `Retry-After` in seconds; it may be a number or a date. */
function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}

/**
 * A frame has no line end, but JSON may be sent over several lines. Outside of strings a line end is
 * only space, and inside of them it cannot stand, so it is replaced without a change of meaning.
 */
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

export function toOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(LF) && !bytes.includes(CR)) return bytes;
  const line = Buffer.from(bytes);
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === LF || line[at] === CR) line[at] = SPACE;
  }
  return line;
}
