/** A SQLite ledger on a disk that can be full, in processes that can lose the answer to a COMMIT. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Chance } from '../fuzz/chance.ts';
import type { FaultName, FaultyLedger, LedgerFault } from './fault.ts';
import { openSmallDisk } from './small-disk.ts';

const DISK_MB = 256;
const COMMIT_WITHIN_MS = 5000;
const POLL_MS = 20;

export function openFaultySqlite(folder: string, faults: readonly FaultName[]): FaultyLedger {
  const own = join(folder, 'ledger');
  mkdirSync(own);
  const disk = faults.includes('disk') ? openSmallDisk(own, DISK_MB) : undefined;
  const loss = join(folder, 'lose-commit');
  const preload = new URL('lose-commits.ts', import.meta.url).href;
  const quiet = '--disable-warning=ExperimentalWarning';

  async function loseCommit(chance: Chance): Promise<void> {
    writeFileSync(loss, chance.pick(['before', 'after']));
    for (let waited = 0; waited < COMMIT_WITHIN_MS && existsSync(loss); waited += POLL_MS) {
      await wait(POLL_MS);
    }
    rmSync(loss, { force: true });
  }

  async function fillDisk(chance: Chance): Promise<void> {
    disk?.fill();
    await wait(300 + chance.below(2000));
    disk?.free();
  }

  return {
    address: `sqlite:${join(own, 'ledger.sqlite')}`,
    env: faults.includes('commit')
      ? { NODE_OPTIONS: `${quiet} --import=${preload}`, LOSE_COMMIT: loss }
      : {},
    inject: async (fault: LedgerFault, chance: Chance) => {
      switch (fault) {
        case 'commit':
          return loseCommit(chance);
        case 'disk':
          return fillDisk(chance);
        case 'backend':
        case 'restart':
          throw new Error(`${fault} is a fault of PostgreSQL`);
      }
    },
    [Symbol.asyncDispose]: async () => disk?.[Symbol.dispose](),
  };
}
