/** `plimsoll ledger`: the key records of a ledger, for those who run it. One file a subcommand. */
import { Command } from 'commander';
import { ledgerResolveCommand } from './ledger-resolve.ts';
import { ledgerSweepCommand } from './ledger-sweep.ts';
import { ledgerUnknownCommand } from './ledger-unknown.ts';

const EXAMPLES = `
Examples:
  plimsoll ledger unknown --ledger sqlite:ledger.sqlite
  plimsoll ledger resolve 5c1f… --as not-executed --reason "no charge in Stripe" --ledger sqlite:ledger.sqlite
  plimsoll ledger sweep --ledger sqlite:ledger.sqlite`;

export function ledgerCommand(): Command {
  const ledger = new Command('ledger')
    .description('look after calls whose outcome is not known')
    .showHelpAfterError('(run with --help for what there is)')
    .addHelpText('after', EXAMPLES)
    .addCommand(ledgerUnknownCommand())
    .addCommand(ledgerResolveCommand())
    .addCommand(ledgerSweepCommand());
  for (const command of ledger.commands) command.copyInheritedSettings(ledger);
  return ledger;
}
