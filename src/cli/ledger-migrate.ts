/** `plimsoll ledger migrate`: brings a ledger of an older version to the one that this Plimsoll reads. */
import { Command } from 'commander';
import { LEDGER_OPTION, migrateLedger } from './ledger-access.ts';

interface MigrateFlags {
  readonly ledger?: string;
  readonly json?: true;
}

const EXAMPLES = `
Starting a gate or a server migrates its ledger too. An older Plimsoll cannot use it any more, so stop those first.

Examples:
  plimsoll ledger migrate
  plimsoll ledger migrate --ledger sqlite:copy.sqlite --json`;

export function ledgerMigrateCommand(): Command {
  return new Command('migrate')
    .description('bring a ledger that an older version made to the version that this one reads')
    .option(...LEDGER_OPTION)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run({ ledger, json }: MigrateFlags): Promise<void> {
  const migrated = await migrateLedger(ledger);
  const text = migrated ? 'the ledger was migrated' : 'the ledger has the newest version already';
  process.stdout.write(`${json ? JSON.stringify({ migrated }) : text}\n`);
}
