/** What there is to say of a problem, and the codes of all of them: stable, for programs. */

export interface ProblemKind {
  readonly status: number;
  /** What happened, the same for every occurrence. */
  readonly title: string;
  /** What the caller can do about it, unless a case says it better. */
  readonly remedy: string;
  /**
   * What becomes of the idempotency key when an operation fails with this. `kept`: the refusal is final
   * and is replayed. `freed`: nothing was done and it may work later, so the same key runs again.
   * `doubt`: it may have been done.
   */
  readonly key: 'kept' | 'freed' | 'doubt';
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
  | 'gate-stopped'
  | 'unavailable'
  | 'server-not-started'
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
