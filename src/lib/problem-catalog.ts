/**
 * Every problem that the kit can answer with, in one table. `docs/errors.md` is generated from it,
 * and a test proves the two equal.
 */

export interface ProblemKind {
  readonly status: number;
  /** What happened, the same for every occurrence. */
  readonly title: string;
  /** What the caller can do about it. */
  readonly remedy: string;
}

export type ProblemCode =
  | 'malformed-json'
  | 'invalid-request'
  | 'unauthenticated'
  | 'token-rejected'
  | 'token-expired'
  | 'payment-required'
  | 'scope-missing'
  | 'forbidden'
  | 'host-refused'
  | 'origin-refused'
  | 'unknown-operation'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'conflict'
  | 'payload-too-large'
  | 'unsupported-media-type'
  | 'invalid-input'
  | 'rate-limited'
  | 'cancelled'
  | 'key-required'
  | 'key-invalid'
  | 'key-mismatch'
  | 'key-reused'
  | 'in-flight'
  | 'outcome-doubtful'
  | 'outcome-unknown'
  | 'not-executed'
  | 'key-expired'
  | 'retry-same-key'
  | 'stale-version'
  | 'internal-error'
  | 'invalid-output'
  | 'receipt-lost'
  | 'unavailable'
  | 'denied-by-policy'
  | 'approval-pending'
  | 'approval-declined'
  | 'approval-expired'
  | 'nobody-to-ask'
  | 'tool-quarantined'
  | 'tool-not-listed'
  | 'budget-exhausted'
  | 'redacted-argument'
  | 'server-stopped';

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = Object.freeze({
  'malformed-json': {
    status: 400,
    title: 'The body is not plain JSON',
    remedy:
      'Send one JSON document in UTF-8, without repeated keys, lone surrogates, or integers beyond 2^53.',
  },
  'invalid-request': {
    status: 400,
    title: 'The request has the wrong shape',
    remedy: 'Send the arguments as one JSON object.',
  },
  unauthenticated: {
    status: 401,
    title: 'Sign-in needed',
    remedy:
      'Send a token as `Authorization: Bearer …`; on stdio, start the server with a principal.',
  },
  'token-rejected': {
    status: 401,
    title: 'The token was not accepted',
    remedy: 'Get a new token; do not send this one again.',
  },
  'token-expired': {
    status: 401,
    title: 'The token has expired',
    remedy: 'Get a new token and send the call again.',
  },
  'payment-required': {
    status: 402,
    title: 'Payment needed',
    remedy:
      'Add funds or a working payment method, then call again, with a new key if you sent one.',
  },
  'scope-missing': {
    status: 403,
    title: 'A scope is missing',
    remedy: 'Ask for a token that holds the scopes listed in `missing`. Nothing was run.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    remedy: 'The caller may not do this to this object; another caller might.',
  },
  'host-refused': {
    status: 403,
    title: 'The Host header is not one of ours',
    remedy: 'Use the address that the server printed when it started.',
  },
  'origin-refused': {
    status: 403,
    title: 'The Origin is not allowed',
    remedy: 'Call from an allowed origin, or without a browser.',
  },
  'unknown-operation': {
    status: 404,
    title: 'There is no such operation',
    remedy: 'List the operations; names are case-sensitive.',
  },
  'not-found': {
    status: 404,
    title: 'There is no such object',
    remedy: 'Check the identifier. Objects of others are not found either.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'This method is not served here',
    remedy: 'Use one of the methods in the Allow header.',
  },
  'not-acceptable': {
    status: 406,
    title: 'The client accepts no format that is served',
    remedy: 'Send `Accept: application/json, text/event-stream`.',
  },
  conflict: {
    status: 409,
    title: 'The object is in another state',
    remedy: 'Read the object again and decide again.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    remedy: 'Send less; `limit` is the most that is accepted, in bytes.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body must be JSON',
    remedy: 'Send `Content-Type: application/json`.',
  },
  'invalid-input': {
    status: 422,
    title: 'The arguments do not fit',
    remedy: 'Fix what `errors` points at. Nothing was run.',
  },
  'key-required': {
    status: 400,
    title: 'An idempotency key is needed',
    remedy:
      'Make one key for what you intend and send it as `Idempotency-Key`, in `_meta` or as an argument. Nothing was run.',
  },
  'key-invalid': {
    status: 400,
    title: 'The idempotency key has the wrong form',
    remedy: 'Send 16 to 255 letters, digits or `_.:-`; a UUID will do. Nothing was run.',
  },
  'key-mismatch': {
    status: 400,
    title: 'Two different idempotency keys came with one call',
    remedy: 'Send one key, or the same one everywhere. Nothing was run.',
  },
  'in-flight': {
    status: 409,
    title: 'The same call is in progress',
    remedy:
      'Wait for as many seconds as `retryAfter` says, then send the same call with the same key.',
  },
  'outcome-unknown': {
    status: 409,
    title: 'It is not known whether it happened',
    remedy:
      'It may have happened. Do not call again with a new key; find out what happened, or ask the operator to resolve it.',
  },
  'not-executed': {
    status: 409,
    title: 'It turned out not to have happened',
    remedy:
      'Nothing was done under this key, nor will be. Call again with a new key if you still want it.',
  },
  'key-expired': {
    status: 410,
    title: 'The key was used long ago',
    remedy:
      'The answer is no longer kept. Check whether it happened; a new intention needs a new key.',
  },
  'stale-version': {
    status: 412,
    title: 'The object has changed since you read it',
    remedy: 'Read it again, decide again, and send the version in `current`.',
  },
  'key-reused': {
    status: 422,
    title: 'The key was used with other arguments',
    remedy: 'A key belongs to one intention. Use a new key for this one. Nothing was run.',
  },
  'outcome-doubtful': {
    status: 504,
    title: 'It may or may not have happened',
    remedy: 'Do not call again with a new key. The same key shows the outcome once it is known.',
  },
  'retry-same-key': {
    status: 503,
    title: 'It was interrupted, and can safely be sent again',
    remedy: 'Send the same call with the same key. A new key could do it twice.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many calls',
    remedy: 'Wait for as many seconds as `retryAfter` says.',
  },
  cancelled: {
    status: 499,
    title: 'The caller stopped waiting',
    remedy: 'Find out whether the work was done before calling again.',
  },
  'internal-error': {
    status: 500,
    title: 'The operation failed',
    remedy: 'Give `reference` to the operator of the server; the log has the cause.',
  },
  'invalid-output': {
    status: 500,
    title: 'The operation gave a result it had not declared',
    remedy: 'Give `reference` to the operator of the server. The work may have been done.',
  },
  'receipt-lost': {
    status: 500,
    title: 'The call could not be recorded',
    remedy: 'Find out whether the work was done before calling again.',
  },
  unavailable: {
    status: 503,
    title: 'The server is not available',
    remedy: 'Try again later.',
  },
  'denied-by-policy': {
    status: 403,
    title: 'The policy does not allow this call',
    remedy: 'Nothing was run. Continue without it, or ask the owner of the policy.',
  },
  'approval-pending': {
    status: 428,
    title: 'A person has not answered yet',
    remedy:
      'Nothing was run. Send the very same call again after `retryAfter` seconds; it runs once a person has said yes.',
  },
  'approval-declined': {
    status: 403,
    title: 'A person said no',
    remedy: 'Nothing was run. Do not send it again; ask the person what they want instead.',
  },
  'approval-expired': {
    status: 403,
    title: 'The approval is too old',
    remedy: 'Nothing was run. Send the call again; a person is asked again.',
  },
  'nobody-to-ask': {
    status: 403,
    title: 'The call needs a person, and there is none to ask',
    remedy: 'Nothing was run. Continue without it.',
  },
  'tool-quarantined': {
    status: 423,
    title: 'The tool is no longer what a person accepted',
    remedy: 'Nothing was run. The owner of the pins must review the change and accept it.',
  },
  'tool-not-listed': {
    status: 404,
    title: 'The server lists no such tool',
    remedy: 'Nothing was run. List the tools; names are case-sensitive.',
  },
  'budget-exhausted': {
    status: 429,
    title: 'The budget is used up',
    remedy: 'Nothing was run. Wait for as many seconds as `retryAfter` says.',
  },
  'redacted-argument': {
    status: 422,
    title: 'An argument holds what stands for a hidden secret',
    remedy: 'Nothing was run. Leave the field out, or have a person give the true value.',
  },
  'server-stopped': {
    status: 502,
    title: 'The server ended before it answered',
    remedy: 'Find out whether the work was done before calling again.',
  },
});
