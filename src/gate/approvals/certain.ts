/** Runs a transaction on the approvals until its outcome is certain. */
import type { Store, Tx } from '../../ledger/store.ts';
import { CommitUnknownError } from '../../ledger/store.ts';

const MOST_TRIES = 10;

/**
 * The work must find what an earlier try has done. `undefined` from it means that the row changed under it,
 * and that it must look again.
 */
export async function certain<T>(
  store: Store,
  work: (tx: Tx) => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      const value = await store.transaction(work);
      if (value !== undefined) return value;
    } catch (error) {
      if (!(error instanceof CommitUnknownError)) throw error;
    }
  }
  throw new CommitUnknownError('the ledger does not tell what became of an approval');
}
