/** The faults of a crash run by name, and the ledger that they are injected into. */
import type { Chance } from '../fuzz/chance.ts';

export type LedgerKind = 'sqlite' | 'postgres';

/** What happens to a process that serves calls. */
type ProcessFault = 'kill' | 'freeze';

/** What happens to the ledger that the processes share. */
export type LedgerFault = 'commit' | 'disk' | 'backend' | 'restart';

export type FaultName = ProcessFault | LedgerFault;

export const FAULTS: Readonly<Record<FaultName, string>> = Object.freeze({
  kill: 'a process is killed with SIGKILL',
  freeze: 'a process is stopped with SIGSTOP, often for longer than its lease, and goes on',
  commit: 'the answer to a COMMIT is lost, before or after it took effect',
  disk: 'the disk of the ledger is full for a while (needs the right to mount a tmpfs)',
  backend: 'connections of PostgreSQL are terminated',
  restart: 'PostgreSQL is restarted as with pg_ctl -m immediate',
});

export function faultsOf(kind: LedgerKind): readonly FaultName[] {
  const everywhere = ['kill', 'freeze', 'commit', 'disk'] as const;
  return kind === 'sqlite' ? everywhere : [...everywhere, 'backend', 'restart'];
}

export function isLedgerFault(name: FaultName): name is LedgerFault {
  return name !== 'kill' && name !== 'freeze';
}

export interface FaultyLedger extends AsyncDisposable {
  readonly address: string;
  /** What processes on this ledger are started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when the fault is over. */
  readonly inject: (fault: LedgerFault, chance: Chance) => Promise<void>;
}

/** How often each fault was injected. */
export type FaultCounts = Partial<Record<FaultName, number>>;
