/** The ledger of a crash run, with the faults that its kind can have. */
import type { FaultName, FaultyLedger, LedgerKind } from './fault.ts';
import { openFaultyPostgres } from './faulty-postgres.ts';
import { openFaultySqlite } from './faulty-sqlite.ts';

export async function openFaultyLedger(
  kind: LedgerKind,
  folder: string,
  faults: readonly FaultName[],
): Promise<FaultyLedger> {
  return kind === 'sqlite' ? openFaultySqlite(folder, faults) : openFaultyPostgres(folder, faults);
}
