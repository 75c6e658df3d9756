/** `plimsoll ledger sweep`: does once what a running server does all the time. */
import { Command } from 'commander';
import { sweepKeyRecords } from '../ledger/idempotency/sweep-key-records.ts';
import { toCount } from './audit-filters.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';

interface SweepFlags {
  readonly ledger: string;
  readonly limit: number;
}

const EXAMPLES = `
Examples:
  plimsoll ledger sweep --ledger sqlite:ledger.sqlite`;

export function ledgerSweepCommand(): Command {
  return new Command('sweep')
    .description('mark abandoned calls as unknown, and drop answers that have expired')
    .requiredOption(...LEDGER_OPTION)
    .option('--limit <count>', 'how many key records of each state are looked at', toCount, 10_000)
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run({ ledger, limit }: SweepFlags): Promise<void> {
  const moved = await withStore(ledger, (store) => sweepKeyRecords(store, { limit }));
  process.stdout.write(`${moved} key records were moved\n`);
}
