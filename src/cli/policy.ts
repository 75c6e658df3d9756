/** `plimsoll policy`: checks a policy, tests it, replays it over past calls, and suggests rules from past answers. */
import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { z } from 'zod';
import type { ServerView } from '../console/console-services.ts';
import type { WhatIf } from '../console/data/what-if.ts';
import { whatIf } from '../console/data/what-if.ts';
import { showText } from '../gate/approvals/show-text.ts';
import { findIdleRules } from '../gate/policy/idle-rules.ts';
import { readPastCalls } from '../gate/policy/past-calls.ts';
import type { Policy } from '../gate/policy/policy.ts';
import type { ReplayedGroup } from '../gate/policy/replay-policy.ts';
import { replayPolicy } from '../gate/policy/replay-policy.ts';
import { suggestRules } from '../gate/policy/suggest-rules.ts';
import type { Registry } from '../gate/registry.ts';
import { readRegistry } from '../gate/registry.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import { sqliteFile } from '../ledger/open-ledger.ts';
import { checkShape, only } from '../lib/check-shape.ts';
import type { JsonValue } from '../lib/json-value.ts';
import { readYaml, toFaultLine, toFileFault } from '../lib/read-yaml.ts';
import { describeFileError } from '../lib/describe-file-error.ts';
import { toTime } from './audit-filters.ts';
import { CliError } from './cli-error.ts';
import { loadPolicyFile } from './gate-plan.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';
import { toRulesText } from './to-rules-text.ts';
import { countOf } from '../lib/count-of.ts';

const SINCE = '28d';

const EXAMPLES = `
Tools and servers are those that gates have registered in the ledger; check and test also work before the first gate.
Exit codes: 0 as expected, 1 idle rules or failed cases, 2 error.

Examples:
  plimsoll policy check policy.yaml
  plimsoll policy test cases.yaml --policy policy.yaml
  plimsoll policy replay --policy new.yaml --since 14d
  plimsoll policy suggest`;

export function policyCommand(): Command {
  return new Command('policy')
    .description('check, test and replay a policy, and get rules suggested')
    .addCommand(
      new Command('check')
        .description('find faults, and rules that fit no server or tool')
        .argument('<policy>', 'the policy file')
        .option(...LEDGER_OPTION)
        .addHelpText('after', '\nExamples:\n  plimsoll policy check policy.yaml')
        .action(check),
    )
    .addCommand(
      new Command('test')
        .description('run cases: what the policy says to calls that you write down')
        .argument('<cases>', 'a YAML file of cases')
        .requiredOption('--policy <file>', 'the policy file')
        .option(...LEDGER_OPTION)
        .addHelpText('after', '\nExamples:\n  plimsoll policy test cases.yaml --policy policy.yaml')
        .action(test),
    )
    .addCommand(
      new Command('replay')
        .description('show what a policy would have allowed, asked and refused')
        .requiredOption('--policy <file>', 'the policy file')
        .option('--since <time>', 'from then on', toTime, toTime(SINCE))
        .option('--json', 'print JSON')
        .option(...LEDGER_OPTION)
        .addHelpText('after', '\nExamples:\n  plimsoll policy replay --policy new.yaml --since 14d')
        .action(replay),
    )
    .addCommand(
      new Command('suggest')
        .description('propose rules for what people keep approving')
        .option('--since <time>', 'from then on', toTime, toTime(SINCE))
        .option('--json', 'print JSON')
        .option(...LEDGER_OPTION)
        .addHelpText('after', '\nExamples:\n  plimsoll policy suggest --since 14d')
        .action(suggest),
    )
    .addHelpText('after', EXAMPLES);
}

interface LedgerFlags {
  readonly ledger?: string;
}

interface PastFlags extends LedgerFlags {
  readonly since: number;
  readonly json?: true;
}

async function check(file: string, { ledger }: LedgerFlags): Promise<void> {
  const policy = await loadPolicyFile(file);
  const servers = await readServers(ledger);
  if (hasNothing(policy)) {
    process.stdout.write(`${file}: no rules; the default rules apply\n`);
    return;
  }
  if (servers === undefined) {
    process.stdout.write(
      `${file}: no faults; whether its rules fit anything shows once a gate has used the ledger\n`,
    );
    return;
  }
  const idle = findIdleRules(
    policy,
    servers.map(({ name, tools }) => ({ name, tools: tools.flatMap(nameOf) })),
  );
  for (const { part, detail } of idle) process.stdout.write(`${showText(`${part}: ${detail}`)}\n`);
  process.stdout.write(
    idle.length === 0
      ? `${file}: every rule fits something\n`
      : `${idle.length === 1 ? '1 entry fits' : `${idle.length} entries fit`} nothing; correct the names, or remove what is not needed\n`,
  );
  process.exitCode = idle.length === 0 ? 0 : 1;
}

/** Nothing that could fit a server or a tool. */
function hasNothing({ rules, budgets, caches, servers }: Policy): boolean {
  return rules.length + budgets.length + caches.length + Object.keys(servers).length === 0;
}

/** Undefined where no ledger is named and no gate has made the user's own yet. */
async function readServers(given: string | undefined): Promise<Registry['servers'] | undefined> {
  const own = sqliteFile(defaultLedgerAddress());
  if (given === undefined && own !== undefined && !existsSync(own)) return undefined;
  const { servers } = await withStore(given, readRegistry);
  return servers;
}

interface Case {
  readonly name?: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  readonly principal: string;
  readonly repeated: boolean;
  readonly then: 'allow' | 'ask' | 'deny';
  readonly rule?: string;
}

const casesSchema: z.ZodType<readonly Case[]> = z.array(
  only({
    name: z.string().exactOptional(),
    server: z.string(),
    tool: z.string(),
    arguments: z.record(z.string(), z.json()).default({}),
    principal: z.string().default('anyone'),
    repeated: z.boolean().default(false),
    // oxlint-disable-next-line unicorn/no-thenable -- a key of the file; its value is a word
    then: z.enum(['allow', 'ask', 'deny']),
    rule: z.string().exactOptional(),
  }),
);

async function test(file: string, flags: LedgerFlags & { readonly policy: string }): Promise<void> {
  const policy = await loadPolicyFile(flags.policy);
  const cases = readCases(file);
  const servers = (await readServers(flags.ledger)) ?? [];
  let failed = 0;
  for (const [index, each] of cases.entries()) {
    const end = judge(each, policy, servers);
    const isRight = end.kind === each.then && (each.rule === undefined || end.rule === each.rule);
    if (!isRight) failed += 1;
    const wanted = each.rule === undefined ? each.then : `${each.then} by ${each.rule}`;
    const got = `${end.kind} by ${end.rule}`;
    const name = showText(each.name ?? `case ${index + 1}: ${each.server} ${each.tool}`);
    process.stdout.write(
      isRight ? `ok      ${name}\n` : `failed  ${name}: expected ${wanted}, got ${got}\n`,
    );
  }
  process.stdout.write(`${cases.length - failed} of ${cases.length} as expected\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** A tool that no gate has seen is judged by its name alone. */
function judge(
  { server, tool, arguments: args, principal, repeated }: Case,
  policy: Policy,
  known: readonly ServerView[],
): { readonly kind: string; readonly rule: string } {
  const terms = policy.servers[server];
  const seen = known.find(({ name }) => name === server);
  const tools = seen?.tools ?? [];
  const isListed = tools.flatMap(nameOf).includes(tool);
  const view: ServerView = {
    name: server,
    address: '',
    state: 'unused',
    trusted: terms?.trusted ?? seen?.trusted ?? false,
    mode: terms?.mode ?? seen?.mode ?? policy.mode,
    tools: isListed ? tools : [...tools, { name: tool, inputSchema: { type: 'object' } }],
  };
  const question = { server, tool, argumentsText: JSON.stringify(args), principal, repeated };
  const end: WhatIf = whatIf({ servers: () => [view], policy, now: Date.now }, question);
  if (end.kind === 'problem') return { kind: 'deny', rule: end.problem.code };
  return { kind: end.verdict.kind, rule: end.verdict.rule };
}

function readCases(file: string): readonly Case[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${describeFileError(error)}`);
  }
  const reading = readYaml(text, (value) => checkShape(casesSchema, value));
  if (reading.kind === 'read') return reading.value;
  const lines = reading.faults.map((fault) => toFaultLine(toFileFault(fault, file)));
  throw new CliError(lines.join('\n'));
}

async function replay(flags: PastFlags & { readonly policy: string }): Promise<void> {
  const policy = await loadPolicyFile(flags.policy);
  const { groups, withoutArguments } = await withStore(flags.ledger, async (store) => {
    const { servers } = await readRegistry(store);
    const listOf = (server: string): readonly unknown[] =>
      servers.find(({ name }) => name === server)?.tools ?? [];
    const definitionOf = (server: string, tool: string): unknown =>
      listOf(server).find((each) => nameOf(each).includes(tool));
    return replayPolicy(policy, await readPastCalls(store, flags.since), definitionOf, listOf);
  });
  if (flags.json) {
    process.stdout.write(`${JSON.stringify({ groups, withoutArguments }, null, 2)}\n`);
    return;
  }
  const sum = (some: readonly ReplayedGroup[]): number =>
    some.reduce((total, { calls }) => total + calls, 0);
  const stopped = groups.filter(({ was }) => was === 'stopped');
  const count = (kind: string): number =>
    sum(groups.filter(({ was, would }) => was !== 'stopped' && would === kind));
  process.stdout.write(
    `it would allow ${countOf(count('allow'), 'call')}, ask about ${count('ask')} and refuse ${count('deny')}\n`,
  );
  for (const group of groups) process.stdout.write(toGroupLine(group));
  if (stopped.length > 0) {
    const are = sum(stopped) === 1 ? '1 call is' : `${sum(stopped)} calls are`;
    process.stdout.write(`${are} not counted: stopped for the reason shown, and not by a rule\n`);
  }
  if (withoutArguments > 0) {
    process.stdout.write(
      `${withoutArguments === 1 ? '1 call was judged without its' : `${withoutArguments} calls were judged without their`} arguments, which the ledger does not keep: conditions on them fail closed\n`,
    );
  }
}

function toGroupLine({
  calls,
  was,
  outcome,
  effect,
  would,
  rule,
  ...group
}: ReplayedGroup): string {
  const { server, tool, tier } = group;
  const change = was === would || would === undefined ? was : `${was} -> ${would}`;
  const why = [
    ...(outcome === undefined ? [] : [outcome]),
    ...(rule === undefined
      ? []
      : [was === 'stopped' ? `otherwise ${would} by ${rule}` : `by ${rule}`]),
  ];
  const words = `${server} ${tool}  ${effect ?? tier}  ${why.join('; ')}`;
  return `${String(calls).padStart(6)}  ${(was === 'stopped' ? was : change).padEnd(14)}  ${showText(words)}\n`;
}

async function suggest(flags: PastFlags): Promise<void> {
  const calls = await withStore(flags.ledger, (store) => readPastCalls(store, flags.since));
  const suggestions = suggestRules(calls);
  if (flags.json) process.stdout.write(`${JSON.stringify(suggestions, null, 2)}\n`);
  else if (suggestions.length === 0) {
    process.stderr.write(
      'nothing to suggest: no tool was approved at least three times and never declined\n',
    );
  } else {
    process.stdout.write(toRulesText(suggestions));
  }
}

function nameOf(tool: unknown): readonly string[] {
  if (typeof tool !== 'object' || tool === null || !('name' in tool)) return [];
  return typeof tool.name === 'string' ? [tool.name] : [];
}
