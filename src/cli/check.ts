/**
 * `plimsoll check`: reports what is missing, contradictory or risky in what a server says about its
 * tools.
 */
import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CheckReport } from '../check/check-server.ts';
import { toExitCode, allRules, checkServer } from '../check/check-server.ts';
import { toHostTable } from '../check/hosts/host-table.ts';
import { PROFILE_NAMES, SEVERITIES } from '../check/read-check-config.ts';
import type { Format } from '../check/report/report.ts';
import { FORMATS, REPORTS } from '../check/report/report.ts';
import { describeCounts } from '../check/report/to-text.ts';
import type { Profile, Rule } from '../check/rule.ts';
import { RULES } from '../check/rules/index.ts';
import { toScore } from '../check/score.ts';
import { listSources } from '../check/sources/list-sources.ts';
import { toSubjects } from '../check/sources/saved-list.ts';
import type { Listing, Listings, Source } from '../check/sources/source.ts';
import { readSources } from '../check/sources/source.ts';
import type { ServerSubject } from '../check/subject.ts';
import { toSubmission } from '../check/submission/to-submission.ts';
import { showText } from '../gate/approvals/show-text.ts';
import type { PlimsollServer } from '../serve/create-server.ts';
import type { HttpServer } from '../serve/http/open-http.ts';
import type { CheckPlan, PlanFlags } from './check-plan.ts';
import { describeFixes, fixListings, readCheckPlan, splitWords } from './check-plan.ts';
import { VERSION } from '../lib/version.ts';
import { describeFileError } from '../lib/describe-file-error.ts';
import { CliError, CliFailure } from './cli-error.ts';
import type { PassedEnv } from './option-values.ts';
import { passEnvOption, toServerName } from './option-values.ts';
import { loadProject } from './project.ts';
import { countOf } from '../lib/count-of.ts';

const EXAMPLES = `
A source is a saved tools/list answer, a URL, a host's configuration or plimsoll.yaml (all its servers), a
project built with the kit, or a command after --. Several are checked together.

Exit codes: 0 no findings that count, 1 findings at or above --fail-on, 2 something could not be checked.

Examples:
  plimsoll check -- npx -y @modelcontextprotocol/server-filesystem .
  plimsoll check saved/tools.json --profile anthropic-directory --fail-on warning
  plimsoll check https://mcp.example.com/mcp --format sarif --output check.sarif
  plimsoll check .mcp.json --hosts
  plimsoll check examples/catalog --submission openai`;

interface CheckFlags extends PlanFlags {
  readonly server?: string;
  readonly format: Format;
  readonly output?: string;
  readonly passEnv: PassedEnv;
  readonly fix?: true;
  readonly hosts?: true;
  readonly submission?: 'anthropic' | 'openai';
}

export function checkCommand(): Command {
  return new Command('check')
    .description(
      'report what is missing, contradictory or risky in what a server says about its tools',
    )
    .argument('[source...]', 'lists, URLs, configurations or projects; a command goes after --')
    .addOption(
      new Option('--profile <name>', 'whose expectations; repeatable')
        .choices(PROFILE_NAMES)
        .argParser(addProfile)
        .default([], 'spec'),
    )
    .option('--config <file>', 'settings (default: plimsoll.check.yaml, if it exists)')
    .addOption(
      new Option('--fail-on <severity>', 'least severity that exits with 1').choices(SEVERITIES),
    )
    .addOption(new Option('--format <format>').choices(FORMATS).default('text'))
    .option('--output <file>', 'write the report to this file')
    .option(
      '--lock <file>',
      'the pins to compare tools with (default: plimsoll.lock.json, if it exists)',
    )
    .option('--server <name>', 'the name of the server, in the lock and in reports', toServerName)
    .addOption(passEnvOption())
    .option('--fix', 'fix saved lists where only one change is right; print the changes for others')
    .option('--hosts', 'print what each host will do with each tool instead')
    .addOption(
      new Option('--submission <directory>', 'print whether it can be submitted instead').choices([
        'anthropic',
        'openai',
      ]),
    )
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(_: readonly string[], flags: CheckFlags, command: Command): Promise<void> {
  const sources = readSources(splitWords(command));
  if (sources.length === 0)
    throw new CliError('nothing to check: pass a file, a URL, a folder, or a command after --');
  const plan = readCheckPlan(flags);
  let listings = await list(sources, flags);
  if (flags.hosts || flags.submission) {
    printFailures(listings);
    const subjects = toSubjects(listings.listings, plan.lock);
    if (flags.hosts) print(subjects.map(toHostText).join('\n'), flags);
    if (flags.submission) submit(subjects, flags.submission, flags);
    if (listings.failures.length > 0) process.exitCode = 2;
    return;
  }
  let report = toReport(listings, plan);
  if (flags.fix) {
    const made = await fixListings(listings.listings, report.servers);
    if (made.size > 0) {
      listings = await list(sources, flags);
      report = toReport(listings, plan);
    }
    process.stderr.write(describeFixes(listings.listings, report.servers, made));
  }
  const colours =
    flags.output === undefined && process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
  print(REPORTS[flags.format](report, { colours }), flags);
  if (flags.output !== undefined) process.stderr.write(`${describeCounts(report)}\n`);
  process.exitCode = toExitCode(report);
}

async function list(
  sources: readonly Source[],
  { server, passEnv }: CheckFlags,
): Promise<Listings> {
  return await listSources(sources, {
    loadProject,
    environment: process.env,
    passEnv,
    ...(server !== undefined && { name: server }),
  });
}

/** A declaration needs no inference, and the kit has already refused what is always wrong. */
function rulesFor(origin: Listing['origin'] | undefined): readonly Rule[] {
  return origin === 'project' ? RULES.filter(({ category }) => category !== 'truth') : RULES;
}

function toReport({ listings, failures }: Listings, plan: CheckPlan): CheckReport {
  const subjects = toSubjects(listings, plan.lock);
  return {
    version: VERSION,
    profiles: plan.settings.profiles,
    failOn: plan.failOn,
    failures,
    rules: allRules(),
    ...(plan.priorities !== undefined && { priorities: plan.priorities }),
    servers: subjects.map((subject, index) => {
      const { file, origin } = listings[index] ?? {};
      const findings = checkServer(subject, plan.settings, rulesFor(origin));
      const { name, tools } = subject;
      return {
        name,
        tools: tools.length,
        findings,
        score: toScore(findings, tools.length),
        ...(file !== undefined && { file }),
      };
    }),
  };
}

function toHostText(subject: ServerSubject): string {
  return `server ${showText(subject.name)}\n${toHostTable(subject)}`;
}

function submit(
  subjects: readonly ServerSubject[],
  directory: 'anthropic' | 'openai',
  flags: CheckFlags,
): void {
  const all = subjects.map((subject) => ({ subject, ...toSubmission(subject, directory) }));
  const [only] = all;
  const json = all.length === 1 ? only?.json : all.map((one) => one.json);
  const isJson = flags.format === 'json';
  print(
    isJson ? `${JSON.stringify(json, null, 2)}\n` : all.map(({ text }) => text).join('\n'),
    flags,
  );
  if (all.some(({ ok }) => !ok)) process.exitCode = 1;
}

function printFailures({ failures }: Listings): void {
  for (const { name, detail } of failures)
    process.stderr.write(`${showText(name)} could not be checked: ${showText(detail)}\n`);
}

function print(text: string, { output }: CheckFlags): void {
  if (output === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(output, text);
  } catch (error) {
    throw new CliError(`${output} cannot be written: ${describeFileError(error)}`);
  }
}

/** A custom parser replaces the one that checks choices. */
function addProfile(name: string, before: readonly Profile[]): readonly Profile[] {
  const profile = PROFILE_NAMES.find((known) => known === name);
  if (profile === undefined)
    throw new InvalidArgumentError(`Allowed choices are ${PROFILE_NAMES.join(', ')}.`);
  return [...before, profile];
}

/** Checks that a running server answers, by listing its tools as any client would. */
export async function checkAnswers(server: PlimsollServer, http: HttpServer): Promise<string> {
  const response = await fetch(http.mcpUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'tools/list', id: 1 }),
  });
  const body = (await response.json()) as { result?: { tools?: readonly unknown[] } };
  const tools = body.result?.tools;
  const wanted = server.toolLists.isPrivate ? undefined : server.operations.size;
  if (!response.ok || tools === undefined || (wanted !== undefined && tools.length !== wanted)) {
    throw new CliFailure(`${http.mcpUrl} did not list its tools; it answered ${response.status}`);
  }
  return `ok: ${server.name} ${server.version} listed ${countOf(tools.length, 'tool')} at ${http.mcpUrl}`;
}
