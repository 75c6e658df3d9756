/** What the bodies and the status of an HTTP answer say about a request: a message, an error, a failure. */
import type { Failure } from '../protocol/channel.ts';
import { editFrame } from '../protocol/edit-frame.ts';
import type { Frame, RpcId } from '../protocol/frame.ts';
import { isId } from '../protocol/frame.ts';
import { isObject, readServerFrame } from '../protocol/read-frame.ts';
import type { Answered } from './http-exchange.ts';

/** One message of an answer. `request` is what it was an answer to; nothing on a stream of its own. */
export function readAnswer(bytes: Buffer, request?: RpcId): Frame | undefined {
  const frame = readServerFrame(toOneLine(bytes), request);
  const { id, method, error } = frame?.message ?? {};
  if (frame === undefined || method !== undefined) return frame;
  if (isId(id)) return { ...frame, about: id };
  // A server that could not read the id says null.
  if (request === undefined || !isObject(error)) return undefined;
  return editFrame(frame, [{ kind: 'set', path: ['id'], value: request }]);
}

type Rejection =
  | { readonly kind: 'error'; readonly frame: Frame }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** For a status from 300 up: an error to pass on, or a failure. */
export function toRejection(answer: Answered, id: RpcId, now: number): Rejection {
  const { status, headers, signIn } = answer;
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], now);
  const isBusy = status === 429 || (status === 503 && retryAfterSeconds !== undefined);
  const error = isBusy ? undefined : readError(answer, id);
  if (error !== undefined) return { kind: 'error', frame: error };
  // A redirect may follow work that was done.
  const kind = isBusy || (status >= 400 && status < 500) ? 'refused' : 'lost';
  const how = signIn === undefined ? '' : `: a person has to sign in, with ${signIn}`;
  const detail = `The server answered with HTTP status ${status}${how}`;
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { kind: 'failure', failure: { kind, detail, status, ...retry } };
}

/** An error without an id is about this request, unless the server itself failed. */
function readError({ body, status }: Answered, id: RpcId): Frame | undefined {
  const given = body && readServerFrame(toOneLine(body));
  const frame = body && readAnswer(body, id);
  if (frame === undefined || frame.message.id !== id || !isObject(frame.message.error)) {
    return undefined;
  }
  return status >= 500 && given?.message.id !== id ? undefined : frame;
}

/** 404 by the protocol. Servers on the SDK often say 400: no such session, or not initialized. */
export function isForgotten(answer: Answered): boolean {
  const { status, body } = answer;
  if (status !== 400 || body === undefined) return status === 404;
  const { id, error } = readServerFrame(toOneLine(body))?.message ?? {};
  const message = isObject(error) ? error['message'] : undefined;
  return !isId(id) && typeof message === 'string' && /\bsession\b|not initialized/i.test(message);
}

/** `Retry-After` in seconds; it may be a number or a date. */
function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}

/**
 * A frame has no line end, but JSON may be sent over several lines. Between values a line end is only
 * space, and in a string it is not allowed, so replacing it does not change the meaning.
 */
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

function toOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(LF) && !bytes.includes(CR)) return bytes;
  const line = Buffer.from(bytes);
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === LF || line[at] === CR) line[at] = SPACE;
  }
  return line;
}
