/** `plimsoll diff`: shows how the tools of a server differ between two sources, and in which direction. */
import { Command } from 'commander';
import { showMessage } from '../check/report/to-text.ts';
import { listSources } from '../check/sources/list-sources.ts';
import type { Source } from '../check/sources/source.ts';
import { readSource } from '../check/sources/source.ts';
import { fromPins, toPins } from '../check/tool-pins.ts';
import { inferEffect } from '../effect/infer/infer-effect.ts';
import type { Tier } from '../effect/tier.ts';
import { TIERS } from '../effect/tier.ts';
import { showText } from '../gate/approvals/show-text.ts';
import type { Direction, DriftChange } from '../gate/tools/drift-change.ts';
import type { Lock, PinEntry } from '../gate/tools/lock.ts';
import { readLockFile } from '../gate/tools/lock.ts';
import { checkPins, findGone } from '../gate/tools/pins.ts';
import { own, toRecord } from '../gate/tools/tool-definition.ts';
import { splitWords } from './check-plan.ts';
import { CliError } from './cli-error.ts';
import type { PassedEnv } from './option-values.ts';
import { passEnvOption, toServerName } from './option-values.ts';
import { loadProject } from './project.ts';

const EXAMPLES = `
Each side is a saved tools/list answer, a lock, a URL, a project built with the kit, or a command in quotes;
the newer one can also be a command after --. Exits with 1 when a tool became riskier, with 2 when the
tools cannot be compared.

Examples:
  plimsoll diff old/tools.json new/tools.json
  plimsoll diff plimsoll.lock.json --server notes -- node server.js
  plimsoll diff 'npx -y some-server@1.0.0' 'npx -y some-server@1.1.0' --json`;

interface DiffFlags {
  readonly server?: string;
  readonly json?: true;
  readonly passEnv: PassedEnv;
}

type Side =
  | { readonly kind: 'tools'; readonly name: string; readonly tools: readonly unknown[] }
  | { readonly kind: 'lock'; readonly path: string; readonly lock: Lock };

export function diffCommand(): Command {
  return new Command('diff')
    .description('show how the tools of a server changed, and whether any became riskier')
    .argument('<source...>', 'the old and the new source')
    .option('--server <name>', 'the server to compare, of a lock with several', toServerName)
    .addOption(passEnvOption())
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(_: readonly string[], flags: DiffFlags, command: Command): Promise<void> {
  const { words, command: behind } = splitWords(command);
  const sources = words.map(readSource);
  const [first, ...args] = behind;
  if (first !== undefined) sources.push({ kind: 'command', command: first, args });
  const [before, after] = sources;
  if (before === undefined || after === undefined || sources.length > 2)
    throw new CliError('pass two sources: the old one and the new one');
  const old = await readSide(before, flags);
  const now = await readSide(after, flags);
  const diffs = diffTools(toBefore(old, now, flags), toAfter(now, old, flags));
  process.stdout.write(flags.json ? `${JSON.stringify({ tools: diffs })}\n` : toText(diffs));
  process.exitCode = diffs.some(({ direction }) => direction === 'riskier') ? 1 : 0;
}

async function readSide(source: Source, { passEnv }: DiffFlags): Promise<Side> {
  if (source.kind === 'file') {
    const reading = readLockFile(source.path);
    // A missing file also reads as a lock without pins; listing it reports the error.
    if (reading.kind === 'lock' && reading.lock.servers.size > 0)
      return { kind: 'lock', path: source.path, lock: reading.lock };
  }
  const { listings, failures } = await listSources([source], {
    loadProject,
    environment: process.env,
    passEnv,
  });
  const [failure] = failures;
  if (failure !== undefined)
    throw new CliError(`${showText(failure.name)}: ${showText(failure.detail)}`);
  const [listing] = listings;
  if (listing === undefined || listings.length > 1)
    throw new CliError('a configuration has several servers; pass the command of one of them');
  return { kind: 'tools', name: listing.name, tools: listing.tools };
}

function toBefore(side: Side, other: Side, flags: DiffFlags): ReadonlyMap<string, PinEntry> {
  return side.kind === 'tools' ? toPins(side.tools) : choosePins(side, other, flags);
}

function toAfter(side: Side, other: Side, flags: DiffFlags): readonly unknown[] {
  if (side.kind === 'tools') return side.tools;
  const tools = fromPins(choosePins(side, other, flags));
  if (tools === undefined)
    throw new CliError(`${side.path} does not contain the accepted definitions`);
  return tools;
}

/** Selected by name; a lock with one server needs none. */
function choosePins(
  { path, lock: { servers } }: Extract<Side, { kind: 'lock' }>,
  other: Side,
  { server }: DiffFlags,
): ReadonlyMap<string, PinEntry> {
  const names = [...servers.keys()];
  const only = names.length === 1 ? names[0] : undefined;
  const name = server ?? (other.kind === 'tools' && servers.has(other.name) ? other.name : only);
  const pins = name === undefined ? undefined : servers.get(name);
  if (pins === undefined)
    throw new CliError(
      `${path} has several servers; choose one with --server: ${names.map(showText).join(', ')}`,
    );
  return pins;
}

function toText(diffs: readonly ToolDiff[]): string {
  if (diffs.length === 0) return 'no tool changed\n';
  const counts = (['riskier', 'safer', 'neutral'] as const).map((direction) => {
    const some = diffs.filter((diff) => diff.direction === direction);
    return `${some.length} ${direction}`;
  });
  const lines = diffs.flatMap(({ tool, kind, direction, from, changes }) => [
    `${direction.padEnd(8)} ${kind.padEnd(8)} ${showText(tool)}${from === undefined ? '' : ` (was ${showText(from)})`}`,
    ...changes.map(
      (change) =>
        `  ${change.direction.padEnd(8)} ${showText(change.pointer) || '/'}  ${showMessage(change.text)}`,
    ),
  ]);
  return [...lines, '', counts.join(', '), ''].join('\n');
}

interface ToolDiff {
  readonly tool: string;
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
  readonly direction: Direction;
  /** Its old name. */
  readonly from?: string;
  readonly changes: readonly DriftChange[];
}

/** Unchanged tools are not reported. */
function diffTools(
  before: ReadonlyMap<string, PinEntry>,
  after: readonly unknown[],
): readonly ToolDiff[] {
  const byName = new Map(after.map((tool) => [own(toRecord(tool), 'name'), tool]));
  const checks = [...checkPins(before, after)];
  const renamed = new Set(
    checks.flatMap(([, { drift }]) => (drift.kind === 'renamed' ? [drift.from] : [])),
  );
  const present = checks.flatMap(([tool, { drift, quarantined }]): readonly ToolDiff[] => {
    if (drift.kind === 'same') return [];
    if (drift.kind === 'new') {
      const { effect } = inferEffect(byName.get(tool));
      const direction = asks(effect.tier) ? 'riskier' : 'neutral';
      return [{ tool, kind: 'added', direction, changes: [] }];
    }
    const { changes } = drift;
    if (drift.kind !== 'renamed')
      return [{ tool, kind: 'changed', direction: drift.kind, changes }];
    const direction = quarantined ? 'riskier' : 'neutral';
    return [{ tool, kind: 'renamed', direction, from: drift.from, changes }];
  });
  const gone = findGone(before, after)
    .filter((tool) => !renamed.has(tool))
    .map((tool): ToolDiff => {
      const pin = before.get(tool);
      const direction = pin !== undefined && asks(pin.tier) ? 'safer' : 'neutral';
      return { tool, kind: 'removed', direction, changes: [] };
    });
  return [...present, ...gone].toSorted(
    (a, b) => ORDER.indexOf(a.direction) - ORDER.indexOf(b.direction),
  );
}

const ORDER: readonly Direction[] = ['riskier', 'safer', 'neutral'];

/** Adding a tool that asks makes the server riskier; removing one makes it safer. */
function asks(tier: Tier): boolean {
  return TIERS[tier].asks;
}
