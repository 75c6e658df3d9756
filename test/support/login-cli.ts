/** The two sign-in commands as a process of their own, with errors told as the command line tells them. */
import { Command } from 'commander';
import { CliError } from '../../src/cli/cli-error.ts';
import { loginCommand, logoutCommand } from '../../src/cli/login.ts';

const program = new Command('plimsoll').addCommand(loginCommand()).addCommand(logoutCommand());
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  process.stderr.write(`plimsoll: ${error.message}\n`);
  process.exitCode = 2;
}
