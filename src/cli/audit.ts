/** `plimsoll audit`: what was called, and whether the record of it is whole. One file a subcommand. */
import { Command } from 'commander';
import { auditExportCommand } from './audit-export.ts';
import { auditListCommand } from './audit-list.ts';
import { auditShowCommand } from './audit-show.ts';
import { auditTailCommand } from './audit-tail.ts';
import { auditVerifyCommand } from './audit-verify.ts';

const EXAMPLES = `
Examples:
  plimsoll audit list --ledger sqlite:ledger.sqlite --since 1h
  plimsoll audit tail --ledger sqlite:ledger.sqlite --open-world --follow
  plimsoll audit verify --ledger sqlite:ledger.sqlite --checkpoints checkpoints.txt`;

export function auditCommand(): Command {
  const audit = new Command('audit')
    .description('look at receipts, and check that none was changed or removed')
    .showHelpAfterError('(run with --help for what there is)')
    .addHelpText('after', EXAMPLES)
    .addCommand(auditListCommand())
    .addCommand(auditShowCommand())
    .addCommand(auditTailCommand())
    .addCommand(auditVerifyCommand())
    .addCommand(auditExportCommand());
  for (const command of audit.commands) command.copyInheritedSettings(audit);
  return audit;
}
