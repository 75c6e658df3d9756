/** A store whose commits sometimes do not say whether they happened, as real ones do when a line breaks. */
import type { Store } from '../../src/ledger/store.ts';
import { CommitUnknownError } from '../../src/ledger/store.ts';

export type Fate = 'fine' | 'committed' | 'lost';

export function withCommitFaults(store: Store, decide: () => Fate): Store {
  return {
    kind: store.kind,
    async transaction(work) {
      const fate = decide();
      if (fate === 'lost') {
        await store
          .transaction(async (tx) => {
            await work(tx);
            throw new Rollback();
          })
          .catch((error: unknown) => {
            if (!(error instanceof Rollback)) throw error;
          });
        throw new CommitUnknownError('the line broke before the commit');
      }
      const value = await store.transaction(work);
      if (fate === 'committed') throw new CommitUnknownError('the line broke after the commit');
      return value;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

class Rollback extends Error {}
