#!/usr/bin/env node
/** The command line: one file per command; unknown options are errors. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { CliError } from './cli-error.ts';

/** Loaded on demand: a gate must not wait for what only other commands need. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  gate: async () => (await import('./gate.ts')).gateCommand(),
  console: async () => (await import('./console.ts')).consoleCommand(),
  approve: async () => (await import('./approve.ts')).approveCommand(),
  tools: async () => (await import('./tools.ts')).toolsCommand(),
  check: async () => (await import('./check.ts')).checkCommand(),
  diff: async () => (await import('./diff.ts')).diffCommand(),
  pin: async () => (await import('./pin.ts')).pinCommand(),
  wrap: async () => (await import('./wrap.ts')).wrapCommand(),
  unwrap: async () => (await import('./unwrap.ts')).unwrapCommand(),
  login: async () => (await import('./login.ts')).loginCommand(),
  logout: async () => (await import('./login.ts')).logoutCommand(),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  ledger: async () => (await import('./ledger.ts')).ledgerCommand(),
  docs: async () => (await import('./docs.ts')).docsCommand(),
  project: async () => (await import('./project.ts')).projectCommand(),
};

export async function main(args: readonly string[]): Promise<void> {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const program = new Command('plimsoll')
    .description('Declare what each tool does to the world; hints, checks and records follow.')
    .version(version)
    .enablePositionalOptions()
    .showHelpAfterError('(run with --help to see all options)');
  const [name = ''] = args;
  const wanted = Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
  for (const each of wanted) {
    const command = await COMMANDS[each]?.();
    if (command !== undefined) program.addCommand(command);
  }
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    const message = toUserMessage(error);
    if (message === undefined) throw error;
    process.stderr.write(`plimsoll: ${message}\n`);
    process.exitCode = 2;
  }
}

/** What was given or what the machine lacks needs no stack; a fault of ours does. */
function toUserMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const isSystem = 'code' in error && typeof error.code === 'string';
  const isNamed = error instanceof CliError || USER_ERRORS.has(error.name);
  return isSystem || isNamed ? error.message : undefined;
}

const USER_ERRORS: ReadonlySet<string> = new Set([
  'CheckpointFileError',
  'LedgerAddressError',
  'LedgerKeyError',
  'PolicyError',
  'StoreUnavailableError',
]);

const script = process.argv[1];
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2));
}
