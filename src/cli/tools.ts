/** `plimsoll tools`: shows what the tools of any server do, and which ones a person is asked about. */
import { Command } from 'commander';
import { saidHints } from '../check/hosts/decide-host.ts';
import { toHostRows } from '../check/hosts/host-table.ts';
import { toToolDetails } from '../check/hosts/listed-tools.ts';
import type { ServerSubject } from '../check/subject.ts';
import { toSubject } from '../check/subject.ts';
import { gravestEffect } from '../effect/effect.ts';
import { inferEffect } from '../effect/infer/infer-effect.ts';
import { TIERS } from '../effect/tier.ts';
import { showText } from '../gate/approvals/show-text.ts';
import { decide } from '../gate/policy/decide.ts';
import { DEFAULT_RULES } from '../gate/policy/default-rules.ts';
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import type { CallFacts } from '../gate/policy/verdict.ts';
import { ownLock } from '../gate/tools/lock.ts';
import type { ToolSource } from '../gate/tools/list-tools.ts';
import { isNoProgram, readToolSource } from '../gate/tools/list-tools.ts';
import { CliError } from './cli-error.ts';
import type { Terminal } from './answer-at-terminal.ts';
import { loadLock, warnOfOtherGate } from './lock-access.ts';
import type { ReviewedTool } from './review-tools.ts';
import { reviewTools } from './review-tools.ts';
import { toServerName } from './option-values.ts';
import { suggestPresets, toPinTarget } from './suggest-presets.ts';
import { listServers, onlyServer, saveListing } from './tool-listings.ts';

const EXAMPLES = `
The server is not trusted: its hints can raise a tool's risk, but never lower it. "asks" means that
the default policy asks a person, unless the arguments make the call milder; "first use" that it asks
until somebody has allowed the tool, since the server says nothing about it.

Examples:
  plimsoll tools npx -y @modelcontextprotocol/server-filesystem .
  plimsoll tools node server.js --json
  plimsoll tools https://mcp.example.com/mcp
  plimsoll tools saved/tools.json --json
  plimsoll tools saved/tools.json --hosts
  plimsoll tools ./server.ts                        a project of the kit
  plimsoll tools .mcp.json                          every server of a host
  plimsoll tools .mcp.json --server notes           one of them
  plimsoll tools --save tools.json npx -y @modelcontextprotocol/server-memory
  plimsoll tools --review --server notes -- npx -y @modelcontextprotocol/server-memory`;

export function toolsCommand(
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Command {
  return new Command('tools')
    .description('show what the tools of a server do, and which ones ask')
    .argument(
      '<source...>',
      "a command that starts the server, its URL, a saved tools/list, a host's configuration, or a project of the kit",
    )
    .option('--json', 'print JSON')
    .option('--hosts', 'show the hints, and what each host does with each tool')
    .option('--review', 'go through the tools that are not certain, and pin what you say of them')
    .option(
      '--server <name>',
      'one server of a configuration; with --review: its name at the gate',
      toServerName,
    )
    .option('--save <file>', 'also write the list as the server sent it, for check, pin and diff')
    .option('--lock <file>', 'with --review: the lock file (default: your own for this folder)')
    .option('--as <name>', 'with --review: who reviews (default: the current user)')
    .passThroughOptions()
    .addHelpText('after', EXAMPLES)
    .action((words: readonly string[], _, command: Command) => {
      const source = takeFlags(words, command);
      return run(source, command.opts<ToolsFlags>(), terminal);
    });
}

const OWN_FLAGS: readonly string[] = ['--json', '--hosts', '--review'];

/** Options may come behind the source as well: after a command only those that no server is likely to have. */
function takeFlags(words: readonly string[], command: Command): ToolSource {
  const [first = '', ...rest] = words;
  const alone = readToolSource([first]);
  const hasArguments = rest[0]?.startsWith('-') === false && !isNoProgram(first);
  if (alone.kind === 'command' || hasArguments) {
    const end = words.findLastIndex((word) => !OWN_FLAGS.includes(word)) + 1;
    command.parseOptions(words.slice(end));
    return readToolSource(words.slice(0, end));
  }
  const { operands, unknown } = command.parseOptions(rest);
  const [odd] = [...operands, ...unknown];
  if (odd === undefined) return alone;
  const what = alone.kind === 'url' ? 'a URL' : 'a file';
  throw new CliError(
    `${showText(first)} is ${what}, so that ${showText(odd)} behind it has no meaning; name one source, and see plimsoll tools --help for the options`,
  );
}

interface ToolsFlags {
  readonly json?: boolean;
  readonly hosts?: boolean;
  readonly review?: boolean;
  readonly save?: string;
  readonly server?: string;
  readonly lock?: string;
  readonly as?: string;
}

async function run(source: ToolSource, flags: ToolsFlags, terminal: Terminal): Promise<void> {
  const servers = await listServers(source, flags.server);
  if (flags.save !== undefined) await saveListing(onlyServer(servers, '--save'), flags.save);
  if (flags.review === true) {
    const { tools, configured } = onlyServer(servers, '--review');
    const file = flags.lock ?? ownLock(process.cwd());
    const target = toPinTarget(source, flags, configured);
    const { server, isNamed } = target;
    const reviewed = tools.map((tool) => toReviewed(tool, tools));
    suggestPresets(tools, target);
    await reviewTools(reviewed, { file, server, by: flags.as }, terminal);
    if (!loadLock(file).servers.has(server)) return; // nothing was pinned
    return warnOfOtherGate({ server, file, isDerived: !isNamed });
  }
  const shown = servers.map(({ name, tools }) => ({
    name,
    tools: tools.map((tool) => toReviewed(tool, tools)),
    hosts: flags.hosts === true ? toSubject(name, tools) : undefined,
  }));
  process.stdout.write(flags.json === true ? toJson(shown) : toText(shown));
  if (flags.json === true) return;
  for (const { tools, configured } of servers)
    suggestPresets(tools, toPinTarget(source, flags, configured));
}

interface ShownServer {
  readonly name: string;
  readonly tools: readonly ReviewedTool[];
  readonly hosts: ServerSubject | undefined;
}

function toJson(servers: readonly ShownServer[]): string {
  const rows = servers.map(({ name, tools, hosts }) => ({ name, tools: toRows(tools, hosts) }));
  const all = rows.length === 1 ? { tools: rows[0]?.tools } : { servers: rows };
  return `${JSON.stringify(all)}\n`;
}

function toText(servers: readonly ShownServer[]): string {
  const texts = servers.map(({ name, tools, hosts }) => {
    const head = servers.length > 1 ? `server ${showText(name)}\n` : '';
    return `${head}${hosts === undefined ? toTable(tools) : toToolDetails(hosts)}`;
  });
  return texts.join('\n');
}

function toRows(tools: readonly ReviewedTool[], hosts?: ServerSubject): readonly object[] {
  if (hosts === undefined) return tools.map(toRow);
  const more = toHostRows(hosts).map(({ answers }, index) => ({
    hints: saidHints(hosts.tools[index]?.raw),
    hosts: Object.fromEntries(answers.map(({ host, answer }) => [host.id, answer])),
  }));
  return tools.map((tool, index) => ({ ...toRow(tool), ...more[index] }));
}

function toReviewed(tool: unknown, list: readonly unknown[]): ReviewedTool {
  const inferred = inferEffect(tool, {}, list);
  const name = nameOf(tool);
  const facts: CallFacts = {
    server: 'server',
    trusted: false,
    tool: name,
    effect: gravestEffect(inferred.effect),
    confidence: inferred.confidence,
    reasons: inferred.reasons,
    principal: { id: 'anyone', scopes: [] },
    mode: DEFAULT_POLICY.mode,
    arguments: {},
    quarantined: false,
    declared: true,
    repeated: false,
  };
  const { kind, rule } = decide(DEFAULT_POLICY, facts);
  const asks = kind === 'ask';
  const first = decide(DEFAULT_POLICY, { ...facts, declared: inferred.isDeclared });
  const firstUse = !asks && first.kind === 'ask';
  const because = asks && !TIERS[facts.effect.tier].asks ? groundOf(rule, facts) : undefined;
  return { name, definition: tool, inferred, asks, firstUse, because };
}

/** Why a default rule asks about what its tier lets run. */
function groundOf(rule: string, facts: CallFacts): string | undefined {
  return DEFAULT_RULES.find(({ name }) => name === rule)?.ground(facts);
}

function toRow({ name, asks, firstUse, because, inferred }: ReviewedTool): object {
  const { effect, reasons } = inferred;
  return {
    name,
    tier: effect.tier,
    act: effect.act,
    asks,
    firstUse,
    ...(because !== undefined && { because }),
    reasons,
  };
}

/** The gravest first. */
function toTable(tools: readonly ReviewedTool[]): string {
  const width = Math.max(4, ...tools.map(({ name }) => name.length));
  const graveness = ({ inferred }: ReviewedTool): number => TIERS[inferred.effect.tier].severity;
  const rows = tools
    .toSorted((a, b) => graveness(b) - graveness(a))
    .map(({ name, asks, firstUse, because, inferred: { effect, reasons } }) =>
      [
        showText(name).padEnd(width),
        effect.tier.padEnd(14),
        effect.act.padEnd(9),
        (asks ? 'asks' : firstUse ? 'first use' : '').padEnd(9),
        [showText(reasons[0]?.text ?? ''), because].filter(Boolean).join('; asks since '),
      ].join('  '),
    );
  const head = ['tool'.padEnd(width), 'tier'.padEnd(14), 'act'.padEnd(9), 'asks'.padEnd(9), 'why'];
  return [head.join('  '), ...rows].map((row) => `${row.trimEnd()}\n`).join('');
}

function nameOf(tool: unknown): string {
  if (typeof tool !== 'object' || tool === null || !('name' in tool)) return '';
  return typeof tool.name === 'string' ? tool.name : '';
}
