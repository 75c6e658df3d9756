/** What an HTTP answer without a result means for the request: an error to pass on, or a failure. */
import type { Failure } from '../../channel.ts';
import type { Frame, JsonObject, RpcId } from '../../frame.ts';
import { toFrame } from '../../frame.ts';
import { isObject, readServerFrame } from '../../read-frame.ts';
import type { Answered } from './exchange.ts';
import { toOneLine } from './one-line.ts';
import { readRetryAfter } from './retry-after.ts';

export type Rejection =
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
