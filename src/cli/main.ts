/** The command line: one file per command; unknown options are errors. */
import type { Option } from 'commander';
import { Command, CommanderError, Help } from 'commander';
import { VERSION } from '../lib/version.ts';
import { CliError, CliFailure } from './cli-error.ts';
import { hasLoadedModule } from './loaded-module.ts';
import { FAILED, NAMED_ERRORS, USAGE } from './named-errors.ts';
import type { PassedEnv } from './option-values.ts';
import { toUnsetNotes } from './option-values.ts';
import { toSourceHint } from './source-hint.ts';
import { toSentence } from './system-error.ts';
import { visibleSecrets } from './visible-secrets.ts';

/** Loaded on demand: a gate must not wait for what only other commands need. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  gate: async () => (await import('./gate.ts')).gateCommand(),
  console: async () => (await import('./console.ts')).consoleCommand(),
  approve: async () => (await import('./approve.ts')).approveCommand(),
  grants: async () => (await import('./grants.ts')).grantsCommand(),
  policy: async () => (await import('./policy.ts')).policyCommand(),
  tools: async () => (await import('./tools.ts')).toolsCommand(),
  check: async () => (await import('./check.ts')).checkCommand(),
  diff: async () => (await import('./diff.ts')).diffCommand(),
  pin: async () => (await import('./pin.ts')).pinCommand(),
  presets: async () => (await import('./presets.ts')).presetsCommand(),
  status: async () => (await import('./status.ts')).statusCommand(),
  wrap: async () => (await import('./wrap.ts')).wrapCommand(),
  unwrap: async () => (await import('./unwrap.ts')).unwrapCommand(),
  login: async () => (await import('./login.ts')).loginCommand(),
  logout: async () => (await import('./login.ts')).logoutCommand(),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  ledger: async () => (await import('./ledger.ts')).ledgerCommand(),
  docs: async () => (await import('./docs.ts')).docsCommand(),
  project: async () => (await import('./project.ts')).projectCommand(),
  completion: async () =>
    (await import('./completion.ts')).completionCommand(() => toProgram(Object.keys(COMMANDS))),
};

/** Here exit code 1 is an answer, such as "there are findings"; whatever prevents an answer is 2. */
const ANSWERS: ReadonlySet<string> = new Set([
  'approve',
  'audit show',
  'audit verify',
  'check',
  'diff',
  'docs',
  'pin',
  'policy check',
  'policy test',
  'presets accept',
  'project',
]);

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 used wrongly. Where 1 is an answer, such as "tampered", --help of the command says so,
and 2 also means that there is no answer.

Examples:
  plimsoll                                   what is wrapped, what waits, where the records are
  plimsoll wrap                              put a gate in front of the servers of your hosts
  plimsoll approve --watch                   answer what it asks
  plimsoll audit list --since 1h             see what ran
  plimsoll help audit`;

async function toProgram(names: readonly string[]): Promise<Command> {
  const program = new Command('plimsoll')
    .description('Declare what each tool does to the world; hints, checks and records follow.')
    .version(VERSION)
    .enablePositionalOptions()
    .showHelpAfterError('(run with --help to see all options)')
    .configureHelp({ optionDescription: describeOption })
    .addHelpText('after', EXIT_CODES)
    .exitOverride();
  for (const name of names) {
    const command = await COMMANDS[name]?.();
    if (command !== undefined) program.addCommand(command);
  }
  return program;
}

export async function main(given: readonly string[]): Promise<void> {
  const args = given.length === 0 ? ['status'] : given;
  const [name = '', under = ''] = args;
  const program = await toProgram(Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS));
  inheritSettings(program);
  program.hook('preAction', (_, command) => noteUnset(command));
  for (const warning of visibleSecrets(args)) process.stderr.write(`plimsoll: ${warning}\n`);
  try {
    refuseOptionOfNode(args);
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has already said what is wrong.
      const hint = toSourceHint(program, args, error);
      if (hint !== undefined) process.stderr.write(`plimsoll: ${hint}\n`);
      process.exitCode = error.exitCode === 0 ? 0 : USAGE;
      return;
    }
    const code = toExitCode(error);
    if (!(error instanceof Error) || code === undefined) throw error;
    process.stderr.write(`plimsoll: ${toSentence(error)}\n`);
    process.exitCode = ANSWERS.has(name) || ANSWERS.has(`${name} ${under}`) ? USAGE : code;
  }
}

/** Too late to keep Node from it, but nobody should go on with a file that was meant for a server. */
function refuseOptionOfNode(args: readonly string[]): void {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const found = own.find((word) => /^--env-file(?:-if-exists)?(?:=|$)/.test(word));
  if (found === undefined) return;
  throw new CliError(
    `${found} is an option of Node, which has read the file for Plimsoll itself. For the variables of a server write --server-env-file, or -- before its command. If plimsoll wrap wrote it, unwrap and wrap again.`,
  );
}

/** Of every command that starts a server: the server itself may say something else, or nothing. */
function noteUnset(command: Command): void {
  const { passEnv = {} } = command.opts<{ readonly passEnv?: PassedEnv }>();
  for (const note of toUnsetNotes(passEnv)) process.stderr.write(`plimsoll: ${note}\n`);
}

/** "(default: [])" tells nobody anything. */
function describeOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: (?:\[\]|\{\})\)$/, '');
}

function inheritSettings(command: Command): void {
  for (const each of command.commands) {
    each.copyInheritedSettings(command);
    inheritSettings(each);
  }
}

/** What was given or what the machine lacks needs no stack; a fault of ours, `undefined`, does. */
function toExitCode(error: unknown): number | undefined {
  if (error instanceof CliFailure) return FAILED;
  if (error instanceof CliError) return USAGE;
  if (!(error instanceof Error)) return undefined;
  const isSystem = 'code' in error && typeof error.code === 'string';
  return NAMED_ERRORS[error.name] ?? (isSystem ? FAILED : undefined);
}

/** These write messages to standard output, and end in order when their client has gone. */
const SPEAKS_MCP: ReadonlySet<string> = new Set(['gate', 'serve']);

/** As a program of its own. */
export async function start(): Promise<void> {
  const args = process.argv.slice(2);
  if (!SPEAKS_MCP.has(args[0] ?? '')) process.stdout.on('error', endWithReader);
  await main(args);
  if (!SPEAKS_MCP.has(args[0] ?? '') && hasLoadedModule()) await endNow();
}

/** A module that was loaded for its operations may listen or wait, which would keep the process. */
async function endNow(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((done) => void stream.write('', () => done()));
  process.exit();
}

/** Whoever stops reading (`… | head`) has seen enough. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}
