#!/usr/bin/env node
/** The command line: one command a file, strict about what it does not know. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { approveCommand } from './approve.ts';
import { auditCommand } from './audit.ts';
import { CliError } from './cli-error.ts';
import { docsCommand } from './docs.ts';
import { gateCommand } from './gate.ts';
import { ledgerCommand } from './ledger.ts';
import { loginCommand, logoutCommand } from './login.ts';
import { pinCommand } from './pin.ts';
import { projectCommand } from './project.ts';
import { serveCommand } from './serve.ts';
import { toolsCommand } from './tools.ts';
import { unwrapCommand } from './unwrap.ts';
import { wrapCommand } from './wrap.ts';

export async function main(args: readonly string[]): Promise<void> {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const program = new Command('plimsoll')
    .description('Declare what each tool does to the world; hints, checks and records follow.')
    .version(version)
    .enablePositionalOptions()
    .showHelpAfterError('(run with --help for what there is)')
    .addCommand(gateCommand())
    .addCommand(approveCommand())
    .addCommand(pinCommand())
    .addCommand(wrapCommand())
    .addCommand(unwrapCommand())
    .addCommand(loginCommand())
    .addCommand(logoutCommand())
    .addCommand(serveCommand())
    .addCommand(auditCommand())
    .addCommand(ledgerCommand())
    .addCommand(docsCommand())
    .addCommand(projectCommand())
    .addCommand(toolsCommand());
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    process.stderr.write(`plimsoll: ${error.message}\n`);
    process.exitCode = 2;
  }
}

const script = process.argv[1];
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2));
}
