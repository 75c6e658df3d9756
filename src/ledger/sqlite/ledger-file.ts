/**
 * The files of an open SQLite ledger. One that is deleted or replaced meanwhile can still be written,
 * but nobody will find what was written, and key records in it no longer protect anything.
 */
import { statSync } from 'node:fs';
import { StoreUnavailableError } from '../store.ts';

export class LedgerFile {
  readonly #files: ReadonlyMap<string, string>;

  private constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  /** `undefined` for a ledger in memory. */
  static find(path: string): LedgerFile | undefined {
    const files = new Map<string, string>();
    for (const file of [path, `${path}-wal`]) {
      const identity = identityOf(file);
      if (identity !== undefined) files.set(file, identity);
    }
    return files.has(path) ? new LedgerFile(files) : undefined;
  }

  check(): void {
    for (const [file, identity] of this.#files) {
      const now = identityOf(file);
      if (now === identity) continue;
      const what = now === undefined ? 'deleted' : 'replaced';
      throw new StoreUnavailableError(
        `${file} was ${what} while it was open; put it back, or start again with the new ledger`,
      );
    }
  }
}

function identityOf(file: string): string | undefined {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    return undefined;
  }
}
