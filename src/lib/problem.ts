/** A problem: a refusal or failure as RFC 9457 data, the same on every transport. */
import { announceInternalError } from './announce-reports.ts';
import type { ProblemCode } from './problem-kind.ts';
import { PROBLEMS } from './problem-catalog.ts';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  /** This case, in a sentence. */
  readonly detail: string;
  /** That of the code, or one for this case. */
  readonly remedy: string;
  /** Errors by argument, when the arguments are invalid. */
  readonly errors?: readonly InputError[];
  /** The scopes that the caller lacks. */
  readonly missing?: readonly string[];
  /** Seconds to wait. */
  readonly retryAfter?: number;
  /** Finds the cause in the server's log. */
  readonly reference?: string;
  /** Bytes. */
  readonly limit?: number;
  /** The version tag that the object has now. */
  readonly current?: string;
}

export interface InputError {
  /** A JSON pointer into the arguments. */
  readonly pointer: string;
  readonly detail: string;
}

export type ProblemFields = Pick<
  Problem,
  'errors' | 'missing' | 'retryAfter' | 'reference' | 'limit' | 'current'
> &
  // Where what the code advises in general is of no use.
  Partial<Pick<Problem, 'remedy'>>;

export function toProblem(code: ProblemCode, detail: string, fields: ProblemFields = {}): Problem {
  if (code === 'internal-error') announceInternalError(detail);
  const { status, title, remedy } = PROBLEMS[code];
  const type = `urn:plimsoll:problem:${code}`;
  return Object.freeze({ type, title, status, code, detail, remedy, ...fields });
}

/** How an operation refuses from any depth: `throw new ProblemError('not-found', '…')`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(code: ProblemCode, detail: string, fields?: ProblemFields) {
    super(detail);
    this.problem = toProblem(code, detail, fields);
  }
}

/**
 * Thrown by an operation whose request was certainly never sent: connection refused, name not resolved.
 * Only then may a keyed call be forgotten and sent again.
 */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}
