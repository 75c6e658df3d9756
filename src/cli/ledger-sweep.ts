/** `plimsoll ledger sweep`: does once what a running server does all the time. */
import { Command } from 'commander';
import { sweepKeyRecords } from '../ledger/idempotency/sweeper.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';

const EXAMPLES = `
Examples:
  plimsoll ledger sweep --ledger sqlite:ledger.sqlite`;

export function ledgerSweepCommand(): Command {
  return new Command('sweep')
    .description('mark abandoned calls as unknown, and drop answers that have expired')
    .requiredOption(...LEDGER_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run({ ledger }: { readonly ledger: string }): Promise<void> {
  const moved = await withStore(ledger, (store) => sweepKeyRecords(store));
  process.stdout.write(`${moved} key records were moved\n`);
}
