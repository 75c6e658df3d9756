/** `plimsoll presets`: reviewed pins for popular servers, which a person looks at and accepts. */
import { userInfo } from 'node:os';
import { Command } from 'commander';
import { showText } from '../gate/approvals/show-text.ts';
import { toAcceptCommand } from '../gate/presets/find-presets.ts';
import type { Preset, PresetRow } from '../gate/presets/presets.ts';
import { comparePreset, PRESETS, toPresetPins } from '../gate/presets/presets.ts';
import { listTools, readToolSource } from '../gate/tools/list-tools.ts';
import { ownLock, withPins, writeLockFile } from '../gate/tools/lock.ts';
import { CliError } from './cli-error.ts';
import { loadLock, warnOfOtherGate } from './lock-access.ts';
import type { PassedEnv } from './option-values.ts';
import { passEnvOption, toServerName } from './option-values.ts';
import { countOf } from '../lib/count-of.ts';

const EXAMPLES = `
A preset says what the tools of one version of a server do, as reviewed on the given date. Accepting it pins the tools
whose definitions match the reviewed ones exactly; any other tool is not pinned.

Examples:
  plimsoll presets list
  plimsoll presets show github
  plimsoll presets accept github --server github -- npx -y @modelcontextprotocol/server-github`;

export function presetsCommand(): Command {
  return new Command('presets')
    .description('see and accept reviewed pins for popular servers')
    .addCommand(
      new Command('list')
        .description('list the presets, each with its source and date')
        .option('--json', 'print JSON')
        .addHelpText('after', '\nExamples:\n  plimsoll presets list')
        .action(list),
    )
    .addCommand(
      new Command('show')
        .description('show what a preset says of each tool')
        .argument('<preset>', 'its name')
        .option('--json', 'print JSON')
        .addHelpText('after', '\nExamples:\n  plimsoll presets show github')
        .action(show),
    )
    .addCommand(
      new Command('accept')
        .description('pin the tools of a server that are as they were reviewed')
        .argument('<preset>', 'its name')
        .argument('<source...>', 'a command, a URL or a saved tools/list answer')
        .requiredOption('--server <name>', 'the name of the server at the gate', toServerName)
        .option('--lock <file>', 'the lock file with the pins (default: your own for this folder)')
        .option('--as <name>', 'who accepts (default: the current user)')
        .addOption(passEnvOption())
        .option('--json', 'print JSON')
        .addHelpText('after', ACCEPT_EXAMPLES)
        .action(accept),
    )
    .addHelpText('after', EXAMPLES);
}

const ACCEPT_EXAMPLES = `
Exits with 1 when no tool is as it was reviewed, with 2 when the tools cannot be listed.

Examples:
  plimsoll presets accept github --server github -- npx -y @modelcontextprotocol/server-github
  plimsoll presets accept filesystem saved/tools.json --server files --lock plimsoll.lock.json`;

interface JsonFlag {
  readonly json?: true;
}

function list({ json }: JsonFlag): void {
  if (json) {
    const rows = PRESETS.map(({ tools, ...rest }) => ({ ...rest, tools: Object.keys(tools) }));
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const width = Math.max(...PRESETS.map(({ name }) => name.length));
  const lines = PRESETS.map(({ name, source, reviewed, tools }) => {
    const { length } = Object.keys(tools);
    const count = `${String(length).padStart(3)} ${length === 1 ? 'tool ' : 'tools'}`;
    return `${name.padEnd(width)}  ${count}  ${reviewed}  ${source}\n`;
  });
  process.stdout.write(lines.join(''));
}

function show(name: string, { json }: JsonFlag): void {
  const preset = findPreset(name);
  if (json) {
    process.stdout.write(`${JSON.stringify(preset, null, 2)}\n`);
    return;
  }
  const { source, reviewed, tools } = preset;
  const lines = Object.entries(tools).map(
    ([tool, { tier, dryRun }]) => `  ${toCell(tier)}  ${tool}${toDryRun(dryRun)}\n`,
  );
  process.stdout.write(
    `${preset.name}: ${source}, reviewed ${reviewed}\n${lines.join('')}To accept it: ${toAcceptCommand(preset)}\n`,
  );
}

interface AcceptFlags extends JsonFlag {
  readonly server: string;
  readonly lock?: string;
  readonly as?: string;
  readonly passEnv: PassedEnv;
}

async function accept(name: string, words: readonly string[], flags: AcceptFlags): Promise<void> {
  const preset = findPreset(name);
  const { server, lock: file = ownLock(process.cwd()), as: by = userInfo().username } = flags;
  const source = readToolSource(words);
  const lock = loadLock(file);
  const reach = source.kind === 'command' ? { ...source, passEnv: flags.passEnv } : source;
  const tools = await listTools(reach).catch((error: unknown) => {
    throw new CliError(
      `the tools cannot be listed: ${error instanceof Error ? error.message : ''}`,
    );
  });
  const pins = toPresetPins(preset, tools, by, new Date());
  if (pins.size > 0) await writeLockFile(file, withPins(lock, server, pins));
  const rows = comparePreset(preset, tools);
  const accepted = [...pins.keys()];
  process.stdout.write(
    flags.json
      ? `${JSON.stringify({ preset: preset.name, server, file, tools: rows, accepted })}\n`
      : toText(preset, rows, accepted, file),
  );
  if (accepted.length === 0) process.exitCode = 1;
  else await warnOfOtherGate({ server, file });
}

const WORDS: Readonly<Record<PresetRow['kind'], string>> = {
  reviewed: 'pinned',
  changed: 'not pinned: its definition is not the one that was reviewed',
  unknown: 'not pinned: the preset does not know it',
};

function toText(
  preset: Preset,
  rows: readonly PresetRow[],
  accepted: readonly string[],
  file: string,
): string {
  const lines = rows.map(
    ({ name, kind, tier, dryRun }) =>
      `  ${kind === 'reviewed' ? toCell(tier) : ' '.repeat(14)}  ${showText(name)}  ${WORDS[kind]}${toDryRun(dryRun)}\n`,
  );
  const done = countOf(accepted.length, 'tool');
  const left = rows.length - accepted.length;
  if (accepted.length === 0) {
    const none = `nothing was pinned: no tool of this server matches what preset ${preset.name} reviewed`;
    return `${lines.join('')}${none}\n`;
  }
  const rest = left === 0 ? '' : `; look at the others with plimsoll tools --review`;
  return `${lines.join('')}pinned ${done} in ${file}${rest}\n`;
}

function toCell(tier = 'by arguments'): string {
  return tier.padEnd(14);
}

function toDryRun(argument: string | undefined): string {
  return argument === undefined ? '' : `; a dry run with ${argument}: true`;
}

function findPreset(name: string): Preset {
  const preset = PRESETS.find((each) => each.name === name);
  if (preset !== undefined) return preset;
  const names = PRESETS.map((each) => each.name).join(', ');
  throw new CliError(`there is no preset ${showText(name)}; there are ${names}`);
}
