/**
 * Every problem that the kit can answer with, in one table. `docs/errors.md` is generated from it, and
 * a test checks that the two match.
 */
import type { ProblemCode, ProblemKind } from './problem-kind.ts';

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = Object.freeze({
  'malformed-json': {
    status: 400,
    title: 'The body is not plain JSON',
    remedy:
      'Send one JSON document in UTF-8, without repeated keys, lone surrogates, or integers beyond 2^53.',
    key: 'kept',
  },
  'invalid-request': {
    status: 400,
    title: 'The request has the wrong shape',
    remedy: 'Correct what `detail` names, then send the request again.',
    key: 'kept',
  },
  unauthenticated: {
    status: 401,
    title: 'Sign-in required',
    remedy:
      'Send a token as `Authorization: Bearer …`; on stdio, start the server with a principal.',
    key: 'freed',
  },
  'token-rejected': {
    status: 401,
    title: 'The token is not valid',
    remedy: 'Get a new token; do not send this one again.',
    key: 'freed',
  },
  'token-expired': {
    status: 401,
    title: 'The token has expired',
    remedy: 'Get a new token and send the call again.',
    key: 'freed',
  },
  'payment-required': {
    status: 402,
    title: 'Payment required',
    remedy: 'Add funds or a working payment method, then call again; the same key may be used.',
    key: 'freed',
  },
  'scope-missing': {
    status: 403,
    title: 'A scope is missing',
    remedy: 'Get a token that grants the scopes listed in `missing`. Nothing was run.',
    key: 'freed',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    remedy: 'The caller is not allowed to do this to this object; another caller may be.',
    key: 'kept',
  },
  'host-refused': {
    status: 403,
    title: 'The Host header is not allowed',
    remedy: 'Use the address that the server printed when it started.',
    key: 'freed',
  },
  'origin-refused': {
    status: 403,
    title: 'The Origin is not allowed',
    remedy: 'Call from an allowed origin, or without a browser.',
    key: 'freed',
  },
  'unknown-operation': {
    status: 404,
    title: 'No such operation',
    remedy: 'List the operations; names are case-sensitive.',
    key: 'kept',
  },
  'not-found': {
    status: 404,
    title: 'No such object',
    remedy: 'Check the identifier. Objects of other callers count as not found.',
    key: 'kept',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    remedy: 'Use one of the methods in the Allow header.',
    key: 'kept',
  },
  'not-acceptable': {
    status: 406,
    title: 'The client does not accept the response type',
    remedy: 'Send `Accept: application/json, text/event-stream`.',
    key: 'kept',
  },
  conflict: {
    status: 409,
    title: 'The object is in the wrong state',
    remedy: 'Read the object again and decide again.',
    key: 'kept',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    remedy: 'Send less; `limit` is the most bytes accepted.',
    key: 'kept',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body must be JSON',
    remedy: 'Send `Content-Type: application/json`.',
    key: 'kept',
  },
  'invalid-input': {
    status: 422,
    title: 'The arguments are invalid',
    remedy: 'Fix what `errors` points at. Nothing was run.',
    key: 'kept',
  },
  'key-required': {
    status: 400,
    title: 'An idempotency key is required',
    remedy:
      'Create one key for this call, send it as `Idempotency-Key`, in `_meta` or as an argument, and reuse it for retries. Nothing was run.',
    key: 'freed',
  },
  'key-invalid': {
    status: 400,
    title: 'The idempotency key is malformed',
    remedy: 'Send 16 to 255 letters, digits or `_.:-`; a UUID will do. Nothing was run.',
    key: 'freed',
  },
  'key-mismatch': {
    status: 400,
    title: 'The call has two different idempotency keys',
    remedy: 'Send one key, or the same one everywhere. Nothing was run.',
    key: 'freed',
  },
  'in-flight': {
    status: 409,
    title: 'The same call is already running',
    remedy: 'Wait `retryAfter` seconds, then retry the same call with the same key.',
    key: 'freed',
  },
  'outcome-unknown': {
    status: 409,
    title: 'It is not known yet whether it happened',
    remedy:
      'Do not call again with a new key. Check whether it happened, or ask the operator of the server.',
    key: 'doubt',
  },
  'not-executed': {
    status: 409,
    title: 'It did not happen',
    remedy: 'Nothing was done under this key. If you still want it, call again with a new key.',
    key: 'kept',
  },
  'key-expired': {
    status: 410,
    title: 'The key has expired',
    remedy: 'The answer was deleted. Check whether it happened; another call needs a new key.',
    key: 'kept',
  },
  'stale-version': {
    status: 412,
    title: 'The object has changed since you read it',
    remedy: 'Read it again, decide again, and send the version in `current`.',
    key: 'kept',
  },
  'key-reused': {
    status: 422,
    title: 'The key was used with other arguments',
    remedy: 'Use a new key for this call. Nothing was run.',
    key: 'kept',
  },
  'outcome-doubtful': {
    status: 504,
    title: 'It may or may not have happened',
    remedy:
      'Find out whether it took effect before sending it again. If `plimsoll ledger unknown` lists it, record what you found with `plimsoll ledger resolve`; a retry with the same idempotency key then returns that.',
    key: 'doubt',
  },
  'retry-same-key': {
    status: 503,
    title: 'It failed, and can safely be retried',
    remedy: 'Retry with the same key. A new key could do it twice.',
    key: 'doubt',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many calls',
    remedy: 'Wait `retryAfter` seconds, then retry.',
    key: 'freed',
  },
  cancelled: {
    status: 499,
    title: 'The caller stopped waiting',
    remedy: 'Find out whether the work was done before calling again.',
    key: 'doubt',
  },
  'internal-error': {
    status: 500,
    title: 'The operation failed',
    remedy: 'Give `reference` to the operator of the server; the log has the cause.',
    key: 'doubt',
  },
  'invalid-output': {
    status: 500,
    title: 'The operation returned a result that does not fit its declared output',
    remedy: 'Give `reference` to the operator of the server. The work may have been done.',
    key: 'doubt',
  },
  'receipt-lost': {
    status: 500,
    title: 'The call could not be recorded',
    remedy: 'Find out whether the work was done before calling again.',
    key: 'doubt',
  },
  'gate-stopped': {
    status: 503,
    title: 'The gate stopped',
    remedy: 'Send the call again when the gate is running.',
    key: 'freed',
  },
  unavailable: {
    status: 503,
    title: 'The server is not accepting calls',
    remedy: 'Retry later.',
    key: 'freed',
  },
  'server-not-started': {
    status: 503,
    title: 'The server could not be started',
    remedy:
      'A retry fails again. Tell the user to install or fix what `detail` names, and to restart the host.',
    key: 'freed',
  },
  'denied-by-policy': {
    status: 403,
    title: 'The policy does not allow this call',
    remedy: 'Nothing was run. Continue without it, or ask the owner of the policy.',
    key: 'kept',
  },
  'approval-pending': {
    status: 428,
    title: 'A person has not answered yet',
    remedy:
      'Nothing was run. Retry the exact same call after `retryAfter` seconds; it runs once a person has approved it.',
    key: 'freed',
  },
  'approval-declined': {
    status: 403,
    title: 'A person declined the call',
    remedy: 'Nothing was run. Do not retry; ask the person what they want instead.',
    key: 'kept',
  },
  'approval-expired': {
    status: 403,
    title: 'The approval has expired',
    remedy: 'Nothing was run. Send the call again; a person is asked again.',
    key: 'freed',
  },
  'nobody-to-ask': {
    status: 403,
    title: 'The call needs approval, and there is no one to ask',
    remedy: 'Nothing was run. Continue without it.',
    key: 'freed',
  },
  'tool-quarantined': {
    status: 423,
    title: 'The tool has changed since a person accepted it',
    remedy:
      'Nothing was run. The owner of the pins must review the change and accept it; `plimsoll status` shows the change and how to accept it.',
    key: 'freed',
  },
  'tool-not-listed': {
    status: 404,
    title: 'The server lists no such tool',
    remedy: 'Nothing was run. List the tools; names are case-sensitive.',
    key: 'kept',
  },
  'budget-exhausted': {
    status: 429,
    title: 'The budget is used up',
    remedy: 'Nothing was run. Wait `retryAfter` seconds, then retry.',
    key: 'freed',
  },
  'redacted-argument': {
    status: 422,
    title: 'An argument contains the placeholder of a hidden secret',
    remedy: 'Nothing was run. Omit the field, or have a person supply the real value.',
    key: 'kept',
  },
  'server-stopped': {
    status: 502,
    title: 'The server exited before it answered',
    remedy: 'Retry; if this was a call that changes something, first find out whether it happened.',
    key: 'doubt',
  },
});
