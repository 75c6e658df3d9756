/**
 * Whether a ledger has the version that this program reads. Whoever only looks at one, or answers a question in it,
 * leaves an older one as it is: a gate that made it may still be running, and would not know the new tables.
 */
import type { Tx } from './store.ts';

/** It was made by an older Plimsoll, and nothing was changed. */
export class OlderLedgerError extends Error {
  override readonly name = 'OlderLedgerError';

  constructor(has: string, reads: number) {
    super(
      `has ${has}, and this Plimsoll reads version ${reads}; it was left as it is. Stop every older Plimsoll that uses it, then start a gate or a server on it, or run plimsoll ledger migrate`,
    );
  }
}

/** The database has none. */
export class NoLedgerError extends Error {
  override readonly name = 'NoLedgerError';

  constructor() {
    super('there is no ledger in this database');
  }
}

/** `search` finds a row if there is a table of versions. */
export async function checkVersion(tx: Tx, reads: number, search: string): Promise<void> {
  const [found] = await tx.execute(search);
  const version = found === undefined ? 0 : await readVersion(tx);
  if (version === 0) throw new NoLedgerError();
  refuseNewer(version, reads);
  if (version < reads) throw new OlderLedgerError(`version ${version}`, reads);
}

export async function readVersion(tx: Tx): Promise<number> {
  const [row] = await tx.execute('SELECT MAX(version) AS version FROM ledger_version');
  return Number(row?.['version'] ?? 0);
}

export function refuseNewer(version: number, reads: number): void {
  if (version <= reads) return;
  throw new Error(
    `this ledger has version ${version}, which is newer than this program supports; use the Plimsoll that made it, or a newer one`,
  );
}
