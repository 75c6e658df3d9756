/**
 * `plimsoll wrap`: puts the gate in front of every server of a host's configuration, after showing the
 * diff; without a file, of every host on the machine.
 */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import type { GateCommand } from '../gate/hosts/gated-entry.ts';
import { findHostFiles } from '../gate/hosts/known-hosts.ts';
import type { ConfigFaults } from '../gate/hosts/wrap-config.ts';
import type { WrapPlan } from '../gate/hosts/wrap-file.ts';
import { applyWrap, planWrap } from '../gate/hosts/wrap-file.ts';
import { CliError, CliFailure } from './cli-error.ts';
import { isServerName, collect } from './option-values.ts';
import { ownCommand } from './own-command.ts';
import { isChange, toNextSteps, toWrapReport, visible } from './wrap-report.ts';

const EXAMPLES = `
Recognizes the configurations of Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Codex, Gemini CLI,
Zed, Continue, opencode and LM Studio. Without a file it looks for all of them and shows what it would do.
What is not about servers stays byte for byte. A backup is kept among your own files; plimsoll unwrap
restores it.

Examples:
  plimsoll wrap                                what would change, in all hosts
  plimsoll wrap --yes                          change it
  plimsoll wrap .mcp.json --dry-run
  plimsoll wrap ~/.cursor/mcp.json
  plimsoll wrap ~/.cursor/mcp.json --together  one gate for all servers that are commands
  plimsoll wrap .vscode/mcp.json --yes --gate-arg=--policy --gate-arg=policy.yaml
  plimsoll wrap .mcp.json --gate-command "npx -y plimsoll@0.1.0"`;

interface WrapFlags {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly together?: true;
  readonly gateCommand?: string;
  readonly gateArg: readonly string[];
}

export function wrapCommand(): Command {
  return new Command('wrap')
    .description("put the gate in front of every server of a host's configuration")
    .argument('[file...]', "the host's configuration (default: those of all hosts that are found)")
    .option('--yes', 'write without asking')
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print JSON')
    .option(
      '--together',
      'one gate for all servers of a file that are plain commands; starts each once to see its tools',
    )
    .option(
      '--gate-command <words>',
      'what starts plimsoll (default: this installation, by its whole path)',
    )
    .option('--gate-arg <argument>', 'an argument for plimsoll gate; repeatable', collect, [])
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(files: readonly string[], flags: WrapFlags): Promise<void> {
  const gate = toGate(flags);
  const plans = files.length > 0 ? await planThese(files, gate, flags) : await planAll(gate, flags);
  const isPreview = files.length === 0 && flags.yes !== true && !isTerminal();
  const results: Written[] = [];
  for (const plan of plans) {
    if (flags.json !== true) process.stdout.write(toWrapReport(plan, plans.length > 1));
    const isWanted = isChange(plan) && flags.dryRun !== true && !isPreview;
    const isAccepted = isWanted && (flags.yes === true || (await asks(plan.file)));
    results.push(isAccepted ? await write(plan) : { plan });
  }
  if (flags.json === true) process.stdout.write(toJson(results, files.length));
  else process.stdout.write(toNextSteps(results, files.length === 0));
}

export interface Written {
  readonly plan: WrapPlan;
  /** Where the original file is. */
  readonly backup?: string;
}

function toGate({ gateCommand, gateArg }: WrapFlags): GateCommand {
  const [command, ...words] = gateCommand === undefined ? ownCommand() : toWords(gateCommand);
  if (command === undefined || command === '') throw new CliError('--gate-command is empty');
  return { command, args: [...words, 'gate', ...gateArg] };
}

/** A path may hold spaces; anything else is split at them, except within quotes. */
function toWords(text: string): readonly string[] {
  if (existsSync(text)) return [text];
  const words = text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}

async function planThese(
  files: readonly string[],
  gate: GateCommand,
  flags: WrapFlags,
): Promise<readonly WrapPlan[]> {
  const plans: WrapPlan[] = [];
  for (const file of files) {
    const plan = await planOne(file, gate, flags);
    if ('kind' in plan) throw new CliError(`${file}: ${plan.faults.join('; ')}`);
    const fault = findOddName(plan);
    if (fault !== undefined) throw new CliError(`${file}: ${fault}`);
    plans.push(plan);
  }
  return plans;
}

async function planOne(
  file: string,
  gate: GateCommand,
  { together, json }: WrapFlags,
): Promise<WrapPlan | ConfigFaults> {
  if (together !== true) return planWrap(file, gate);
  // Loaded only where servers are started.
  const { planJoining } = await import('./plan-joining.ts');
  const { groups, notes } = await planJoining(file);
  for (const note of json === true ? [] : notes) process.stdout.write(visible(`${note}\n`));
  return planWrap(file, gate, groups);
}

function findOddName({ result }: WrapPlan): string | undefined {
  const odd = result.servers.find(({ name }) => !isServerName(name));
  return (
    odd &&
    `the gate cannot use ${JSON.stringify(visible(odd.name))} as the name of a server; rename it first`
  );
}

/** A file that cannot be wrapped does not stop the others. */
async function planAll(gate: GateCommand, flags: WrapFlags): Promise<readonly WrapPlan[]> {
  const found = findHostFiles();
  if (found.length === 0)
    throw new CliError("no configuration of a known host was found; name the host's file");
  const plans: WrapPlan[] = [];
  for (const { host, file } of found) {
    const plan = await planOne(file, gate, flags);
    const fault = 'kind' in plan ? plan.faults.join('; ') : findOddName(plan);
    if (fault !== undefined && flags.json !== true)
      process.stdout.write(visible(`${host}: ${file} was not changed: ${fault}\n`));
    if (fault === undefined && !('kind' in plan)) plans.push({ ...plan, host });
  }
  return plans;
}

async function write(plan: WrapPlan): Promise<Written> {
  const backup = await applyWrap(plan);
  if (typeof backup === 'object') throw new CliFailure(`${plan.file}: ${backup.faults.join('; ')}`);
  return { plan, backup };
}

function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

async function asks(file: string): Promise<boolean> {
  if (!isTerminal())
    throw new CliError(
      'there is no terminal to ask at; pass --yes to write, or --dry-run to preview',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`Change ${file}? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

function toJson(results: readonly Written[], wanted: number): string {
  const rows = results.map(({ plan: { file, host, result, joined }, backup }) => {
    const { layout, servers, skipped } = result;
    return {
      ...(host !== undefined && { host }),
      file,
      layout,
      written: backup !== undefined,
      ...(backup !== undefined && { backup }),
      wrapped: servers.map(({ name, path, signIn }) => ({
        name,
        path,
        ...(signIn !== undefined && { signIn }),
      })),
      ...(joined.length > 0 && {
        together: joined.map(({ entry: { name, servers: names } }) => ({
          name,
          servers: names.map((server) => server.name),
        })),
      }),
      skipped,
    };
  });
  return `${JSON.stringify(wanted === 1 ? rows[0] : { files: rows })}\n`;
}
