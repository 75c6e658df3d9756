/** `plimsoll pin`: shows how the tools of a server differ from the accepted ones, and accepts them. */
import { userInfo } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import type { Tier } from '../effect/tier.ts';
import { listTools, readToolSource } from '../gate/tools/list-tools.ts';
import { findLock, ownLock, writeLockFile, withPins, toPinEntry } from '../gate/tools/lock.ts';
import type { Lock, PinEntry } from '../gate/tools/lock.ts';
import type { PinRow } from '../gate/tools/pin-report.ts';
import { toExitCode, toPinRows, toPinText } from '../gate/tools/pin-report.ts';
import { CliError } from './cli-error.ts';
import { loadLock, serverNameOf, warnOfOtherGate } from './lock-access.ts';
import type { PassedEnv } from './option-values.ts';
import { passEnvOption, toServerName, toTier } from './option-values.ts';
import { countOf } from '../lib/count-of.ts';

const EXAMPLES = `
Use the name that the server has at the gate. Options go before the source, or put a -- between them.
With --check: exits with 1 when a tool became riskier, with 3 when there are tools that nobody accepted.
Exits with 2 when the tools cannot be listed.

Examples:
  plimsoll pin saved/tools.json --server notes
  plimsoll pin --server notes --accept -- npx -y @modelcontextprotocol/server-memory
  plimsoll pin saved/tools.json --server notes --accept delete_note --tier delete_note=destructive
  plimsoll pin saved/tools.json --server notes --check`;

interface PinFlags {
  readonly server?: string;
  readonly lock?: string;
  readonly accept?: true | readonly string[];
  readonly as?: string;
  readonly tier: ReadonlyMap<string, Tier>;
  readonly check?: true;
  readonly json?: true;
  readonly passEnv: PassedEnv;
}

export function pinCommand(): Command {
  return new Command('pin')
    .description('accept the tools of a server as they are, and see what changed since')
    .argument('<source...>', 'a command, a URL or a saved tools/list answer')
    .option(
      '--server <name>',
      'the name of the server (default: derived from the source)',
      toServerName,
    )
    .option('--lock <file>', 'the lock file with the pins (default: your own for this folder)')
    .option('--accept [tool...]', 'accept these tools, or all of them')
    .option('--as <name>', 'who accepts (default: the current user)')
    .option(
      '--tier <tool=tier>',
      'state the tier of a tool yourself; repeatable',
      addTier,
      new Map(),
    )
    .addOption(passEnvOption())
    .option('--check', 'only set the exit code')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(words: readonly string[], flags: PinFlags): Promise<void> {
  if (flags.check && flags.accept) throw new CliError('--check accepts nothing; omit --accept');
  if (flags.tier.size > 0 && flags.accept === undefined)
    throw new CliError('a tier is stated when a tool is accepted; add --accept');
  const source = readToolSource(words);
  const server = flags.server ?? serverNameOf(source);
  const file = flags.lock ?? ownLock(process.cwd());
  const found = flags.lock === undefined ? findLock(process.cwd()) : undefined;
  if (found !== undefined)
    process.stderr.write(`${found} is not used, since nobody named it; pass --lock ${found}\n`);
  const lock = loadLock(file);
  const reach = source.kind === 'command' ? { ...source, passEnv: flags.passEnv } : source;
  const tools = await listTools(reach).catch((error: unknown) => {
    throw new CliError(
      `the tools cannot be listed: ${error instanceof Error ? error.message : ''}`,
    );
  });
  const pins = lock.servers.get(server) ?? new Map<string, PinEntry>();
  const rows = toPinRows(pins, tools);
  const target = { file, lock, server };
  const accepted = flags.accept === undefined ? [] : await accept(target, tools, rows, flags);
  process.stdout.write(toOutput(target, rows, accepted, flags));
  // Also where all of it was accepted before: whoever asks again may be told of the lock only now.
  if (flags.accept !== undefined) {
    await warnOfOtherGate({ server, file, isDerived: flags.server === undefined });
  }
  if (flags.check) process.exitCode = toExitCode(rows);
}

/** Where pins go. */
interface Target {
  readonly file: string;
  readonly lock: Lock;
  readonly server: string;
}

async function accept(
  { file, lock, server }: Target,
  tools: readonly unknown[],
  rows: readonly PinRow[],
  flags: PinFlags,
): Promise<readonly string[]> {
  const changes = new Map<string, PinEntry | undefined>();
  for (const row of chooseRows(rows, flags)) {
    const { name, drift } = row;
    changes.set(name, drift.kind === 'gone' ? undefined : toEntry(lock, server, tools, row, flags));
    if (drift.kind === 'renamed') changes.set(drift.from, undefined);
  }
  if (changes.size > 0) await writeLockFile(file, withPins(lock, server, changes));
  return [...changes.keys()];
}

/** Without names, everything not yet accepted; a removed tool is dropped only by name. */
function chooseRows(rows: readonly PinRow[], { accept: names, tier }: PinFlags): readonly PinRow[] {
  const chosen = Array.isArray(names) ? (names as readonly string[]) : [];
  const wanted = [...chosen, ...tier.keys()];
  const unknown = wanted.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) throw new CliError(`the server has no tool ${unknown.join(', ')}`);
  return rows.filter(
    ({ name, drift }) =>
      wanted.includes(name) || (names === true && drift.kind !== 'same' && drift.kind !== 'gone'),
  );
}

/** A stated tier stays valid until the tool becomes riskier: after that it was about another definition. */
function toEntry(
  lock: Lock,
  server: string,
  tools: readonly unknown[],
  { name, quarantined, drift }: PinRow,
  { as: by = userInfo().username, tier: stated }: PinFlags,
): PinEntry {
  const same = tools.filter((tool) => (tool as { name?: unknown } | null)?.name === name);
  if (same.length > 1)
    throw new CliError(`the server lists ${name} twice, so it cannot be accepted`);
  const before = lock.servers.get(server)?.get(name);
  const tier = stated.get(name) ?? (before?.stated && !quarantined ? before.tier : undefined);
  const entry = toPinEntry(same[0], {
    by,
    at: new Date(),
    ...(tier !== undefined && { tier }),
    ...(before?.dryRun && drift.kind === 'same' && { dryRun: before.dryRun }),
    ...(before?.evidence && { evidence: before.evidence }),
  });
  if (entry === undefined)
    throw new CliError(`part of ${name} is not JSON, so it cannot be accepted`);
  return entry;
}

const HOW =
  '\nnothing was accepted; to accept, add --accept, or --accept TOOL for one of them, and write -- before the source\n';

function toOutput(
  { file, server }: Target,
  rows: readonly PinRow[],
  accepted: readonly string[],
  { json, check, accept: wanted }: PinFlags,
): string {
  if (json) return `${JSON.stringify({ server, tools: rows, accepted })}\n`;
  const done = countOf(accepted.length, 'tool');
  const isOpen = check !== true && rows.some(({ drift }) => drift.kind !== 'same');
  const end = wanted !== undefined ? `\naccepted ${done} into ${file}\n` : isOpen ? HOW : '';
  return toPinText(server, rows) + end;
}

function addTier(text: string, before: ReadonlyMap<string, Tier>): ReadonlyMap<string, Tier> {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('write tool=tier, such as delete_note=destroys.');
  return new Map([...before, [text.slice(0, at), toTier(text.slice(at + 1))]]);
}
