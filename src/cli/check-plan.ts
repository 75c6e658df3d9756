/** Plans a check from flags and files. Every mistake is reported with how to fix it. */
import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { fixSaved } from '../check/apply-fixes.ts';
import type { CheckedServer } from '../check/check-server.ts';
import { allRules } from '../check/check-server.ts';
import type { Priority } from '../check/priority.ts';
import type { CheckConfig, Settings } from '../check/read-check-config.ts';
import { DEFAULT_PROFILES, readCheckConfig } from '../check/read-check-config.ts';
import { describeFix, describeTool } from '../check/report/to-text.ts';
import type { Finding, Profile, Severity } from '../check/rule.ts';
import { RULES } from '../check/rules/index.ts';
import type { Listing, SourceWords } from '../check/sources/source.ts';
import { showText } from '../gate/approvals/show-text.ts';
import type { Lock } from '../gate/tools/lock.ts';
import { readLockFile } from '../gate/tools/lock.ts';
import { toFaultLine } from '../lib/read-yaml.ts';
import { describeFileError } from '../lib/describe-file-error.ts';
import { countOf } from '../lib/count-of.ts';
import { CliError } from './cli-error.ts';

export interface PlanFlags {
  readonly profile: readonly Profile[];
  readonly config?: string;
  readonly failOn?: Severity;
  readonly lock?: string;
}

export interface CheckPlan {
  readonly settings: Settings;
  readonly failOn: Severity;
  readonly lock: Lock | undefined;
  readonly priorities?: readonly Priority[];
}

const CONFIG = 'plimsoll.check.yaml';
const LOCK = 'plimsoll.lock.json';

export function readCheckPlan(flags: PlanFlags): CheckPlan {
  const config = loadConfig(flags.config);
  const profiles = flags.profile.length > 0 ? flags.profile : config?.profiles;
  return {
    settings: {
      profiles: profiles === undefined || profiles.length === 0 ? DEFAULT_PROFILES : profiles,
      severities: config?.severities ?? new Map(),
      ignores: config?.ignores ?? [],
      now: new Date(),
    },
    failOn: flags.failOn ?? config?.failOn ?? 'error',
    lock: loadLock(flags.lock),
    ...(config?.priorities !== undefined && { priorities: config.priorities }),
  };
}

function loadConfig(given: string | undefined): CheckConfig | undefined {
  if (given === undefined && !existsSync(CONFIG)) return undefined;
  const file = given ?? CONFIG;
  const reading = readCheckConfig(load(file), file, allRules());
  if (reading.kind === 'config') return reading.config;
  throw new CliError(reading.faults.map(toFaultLine).join('\n'));
}

function loadLock(given: string | undefined): Lock | undefined {
  if (given === undefined && !existsSync(LOCK)) return undefined;
  const file = given ?? LOCK;
  if (!existsSync(file)) throw new CliError(`${file} does not exist`);
  const reading = readLockFile(file);
  if (reading.kind === 'lock') return reading.lock;
  const faults = reading.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
  throw new CliError(`${file} is not a valid lock: ${faults.join('; ')}`);
}

function load(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${describeFileError(error)}`);
  }
}

/** Where a hint and the text contradict each other, either can be wrong: a person decides. */
const DISPUTED: ReadonlySet<string> = new Set(
  RULES.filter(({ category }) => category === 'truth').map(({ id }) => id),
);

/** Writes what is certain; gives the changes that were made in each saved list, as lines. */
export async function fixListings(
  listings: readonly Listing[],
  servers: readonly CheckedServer[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const made = new Map<string, readonly string[]>();
  for (const { name, origin, file } of listings) {
    if (origin !== 'saved' || file === undefined) continue;
    const certain = fixableOf(servers, name).filter(({ rule }) => !DISPUTED.has(rule));
    const { applied } = await fixSaved(file.path, certain).catch(fail);
    const changes = certain.filter(({ fix }) => fix !== undefined && applied.includes(fix));
    made.set(
      name,
      changes.map((finding) => describeChange(finding, origin)),
    );
  }
  return made;
}

/** What was changed, and what is left to a person by the findings after it; each change once, however many ask for it. */
export function describeFixes(
  listings: readonly Listing[],
  servers: readonly CheckedServer[],
  made: ReadonlyMap<string, readonly string[]>,
): string {
  const lines = listings.flatMap(({ name, origin, file }) => {
    const changes = fixableOf(servers, name).map((finding) => describeChange(finding, origin));
    const left = [...new Set(changes)];
    const done = made.get(name);
    const { findings = [] } = servers.find((server) => server.name === name) ?? {};
    const open = findings.filter(({ fix }) => fix === undefined).length;
    const where = showText((done === undefined ? undefined : file?.path) ?? name);
    return [
      ...(done === undefined ? [] : [`${where}: ${countOf(done.length, 'change')} made`]),
      ...(done ?? []).map((change) => `  ${change}`),
      ...(left.length === 0 ? [] : [`${where}: ${countOf(left.length, 'change')} for you to make`]),
      ...left.map((change) => `  ${change}`),
      ...(open === 0
        ? []
        : [`${where}: ${countOf(open, 'finding')} without an automatic fix, listed in the report`]),
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function fixableOf(servers: readonly CheckedServer[], name: string): readonly Finding[] {
  const { findings = [] } = servers.find((server) => server.name === name) ?? {};
  return findings.filter(({ fix }) => fix !== undefined);
}

/** Hints of the kit follow from the effect; an edit of the list cannot know which fact was meant. */
function describeChange(finding: Finding, origin: Listing['origin']): string {
  const where = origin === 'project' ? 'declaration of ' : '';
  const change = finding.fix === undefined ? '' : describeFix(finding.fix);
  return `${where}${describeTool(finding)}: ${change} (${finding.code})`;
}

function fail(error: unknown): never {
  throw new CliError(error instanceof Error ? error.message : 'the file cannot be written');
}

/** Separates the words before a `--` from the command after it, which the parser puts into one list. */
export function splitWords(command: Command): SourceWords {
  let root = command;
  while (root.parent !== null) root = root.parent;
  // As typed; this version of the parser keeps it on the root command.
  const { rawArgs = [] } = root as { readonly rawArgs?: readonly string[] };
  const mark = rawArgs.indexOf('--');
  const behind = mark === -1 ? 0 : rawArgs.length - mark - 1;
  const split = command.args.length - behind;
  return { words: command.args.slice(0, split), command: command.args.slice(split) };
}
