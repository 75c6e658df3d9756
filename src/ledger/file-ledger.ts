/** Receipts as JSON Lines in one file, appended and never rewritten. */
import { open } from 'node:fs/promises';
import type { Ledger } from './ledger.ts';

export async function openFileLedger(path: string): Promise<Ledger & AsyncDisposable> {
  const file = await open(path, 'a', 0o600);
  return {
    async record(receipt) {
      await file.appendFile(`${JSON.stringify(receipt)}\n`);
    },
    async [Symbol.asyncDispose]() {
      await file.close();
    },
  };
}
