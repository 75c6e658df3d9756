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
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import { ownLock } from '../gate/tools/lock.ts';
import { listTools, readToolSource } from '../gate/tools/list-tools.ts';
import type { Terminal } from './answer-at-terminal.ts';
import { CliError, CliFailure } from './cli-error.ts';
import { serverNameOf } from './lock-access.ts';
import type { ReviewedTool } from './review-tools.ts';
import { reviewTools } from './review-tools.ts';
import { toServerName } from './option-values.ts';

const EXAMPLES = `
The server is not trusted: its promises about its tools are ignored, its warnings are not. "asks"
means that the default policy asks a person, unless the arguments make the call milder.

Examples:
  plimsoll tools npx -y @modelcontextprotocol/server-filesystem .
  plimsoll tools node server.js --json
  plimsoll tools https://mcp.example.com/mcp
  plimsoll tools saved/tools.json --json
  plimsoll tools saved/tools.json --hosts
  plimsoll tools --review --server notes -- npx -y @modelcontextprotocol/server-memory`;

export function toolsCommand(
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Command {
  return new Command('tools')
    .description('show what the tools of a server do, and which ones ask')
    .argument('<source...>', 'a command that starts the server, its URL, or a saved tools/list')
    .option('--json', 'print JSON')
    .option('--hosts', 'show the hints, and what each host does with each tool')
    .option('--review', 'go through the tools that are not certain, and pin what you say of them')
    .option('--server <name>', 'with --review: the name of the server at the gate', toServerName)
    .option('--lock <file>', 'with --review: the lock file (default: your own for this folder)')
    .option('--as <name>', 'with --review: who reviews (default: the current user)')
    .passThroughOptions()
    .addHelpText('after', EXAMPLES)
    .action((words: readonly string[], flags: ToolsFlags) => run(words, flags, terminal));
}

const OWN_FLAGS: readonly string[] = ['--json', '--hosts', '--review'];

interface ToolsFlags {
  readonly json?: boolean;
  readonly hosts?: boolean;
  readonly review?: boolean;
  readonly server?: string;
  readonly lock?: string;
  readonly as?: string;
}

async function run(words: readonly string[], flags: ToolsFlags, terminal: Terminal): Promise<void> {
  // After all the words of a command, these flags are ours.
  const end = words.findLastIndex((word) => !OWN_FLAGS.includes(word)) + 1;
  const behind = words.slice(end);
  const source = readToolSource(words.slice(0, end));
  const json = flags.json ?? behind.includes('--json');
  const showsHosts = flags.hosts ?? behind.includes('--hosts');
  let listed: readonly unknown[];
  try {
    listed = await listTools(source);
  } catch (error) {
    const text = `the tools cannot be listed: ${(error as Error).message}`;
    throw source.kind === 'file' ? new CliError(text) : new CliFailure(text);
  }
  const tools = listed.map((tool) => toReviewed(tool, listed));
  if (flags.review ?? behind.includes('--review')) {
    const file = flags.lock ?? ownLock(process.cwd());
    const server = flags.server ?? serverNameOf(source);
    return reviewTools(tools, { file, server, by: flags.as }, terminal);
  }
  const hosts = showsHosts ? toSubject('server', listed) : undefined;
  if (json) process.stdout.write(`${JSON.stringify({ tools: toRows(tools, hosts) })}\n`);
  else process.stdout.write(hosts === undefined ? toTable(tools) : toToolDetails(hosts));
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
  const verdict = decide(DEFAULT_POLICY, {
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
    repeated: false,
  });
  return { name, definition: tool, inferred, asks: verdict.kind === 'ask' };
}

function toRow({ name, asks, inferred: { effect, reasons } }: ReviewedTool): object {
  return { name, tier: effect.tier, act: effect.act, asks, reasons };
}

/** The gravest first. */
function toTable(tools: readonly ReviewedTool[]): string {
  const width = Math.max(4, ...tools.map(({ name }) => name.length));
  const graveness = ({ inferred }: ReviewedTool): number => TIERS[inferred.effect.tier].severity;
  const rows = tools
    .toSorted((a, b) => graveness(b) - graveness(a))
    .map(({ name, asks, inferred: { effect, reasons } }) =>
      [
        showText(name).padEnd(width),
        effect.tier.padEnd(14),
        effect.act.padEnd(9),
        asks ? 'asks' : '    ',
        showText(reasons[0]?.text ?? ''),
      ].join('  '),
    );
  return rows.map((row) => `${row.trimEnd()}\n`).join('');
}

function nameOf(tool: unknown): string {
  if (typeof tool !== 'object' || tool === null || !('name' in tool)) return '';
  return typeof tool.name === 'string' ? tool.name : '';
}
