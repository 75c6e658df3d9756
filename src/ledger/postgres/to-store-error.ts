/** What an error of PostgreSQL, or of the connection to it, means for a transaction. */
import { StoreUnavailableError } from '../store.ts';

/**
 * SQLSTATEs that are about the server and not about the statement: connection (08), resources (53),
 * intervention and time limits (57), system (58), internal (XX); read-only; idle for too long;
 * serialization, deadlock and lock timeout.
 */
const UNAVAILABLE = /^(?:08|53|57|58|XX|25006|25P03|40001|40P01|55P03)/;

/** What makes a call fail with `unavailable` is an error of the store; anything else stays as it is. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const code = sqlStateOf(error);
  if (code === undefined ? isOfConnection(error) : UNAVAILABLE.test(code)) {
    return new StoreUnavailableError(`the ledger is unavailable: ${error.message}`, {
      cause: error,
    });
  }
  return error;
}

/** Whether a commit that failed with it was certainly not done: the server has said so, and goes on. */
export function isCertainFailure(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

function sqlStateOf(error: Error): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) ? code : undefined;
}

/** Socket errors carry a syscall; the client's own errors have nothing but a message. */
function isOfConnection(error: Error): boolean {
  if ('syscall' in error) return true;
  return /connection terminated|not queryable|read timeout|timeout expired/i.test(error.message);
}
