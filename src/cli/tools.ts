/** `plimsoll tools`: shows what the tools of any server do, and which ones a person is asked about. */
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { saidHints } from '../check/hosts/decide-host.ts';
import { toHostRows } from '../check/hosts/host-table.ts';
import { toToolDetails } from '../check/hosts/listed-tools.ts';
import { listSources } from '../check/sources/list-sources.ts';
import type { ServerSubject } from '../check/subject.ts';
import { toSubject } from '../check/subject.ts';
import { gravestEffect } from '../effect/effect.ts';
import type { InferredEffect } from '../effect/infer/infer-effect.ts';
import { inferEffect } from '../effect/infer/infer-effect.ts';
import { TIERS } from '../effect/tier.ts';
import { showText } from '../gate/approvals/show-text.ts';
import { decide } from '../gate/policy/decide.ts';
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import type { ToolSource } from '../gate/tools/list-tools.ts';
import { listTools, readToolSource } from '../gate/tools/list-tools.ts';
import { CliError, CliFailure } from './cli-error.ts';
import { loadProject } from './project.ts';

const EXAMPLES = `
The server is not trusted: its promises about its tools are ignored, its warnings are not. "asks"
means that the default policy asks a person, unless the arguments make the call milder.

Examples:
  plimsoll tools npx -y @modelcontextprotocol/server-filesystem .
  plimsoll tools node server.js --json
  plimsoll tools https://mcp.example.com/mcp
  plimsoll tools saved/tools.json --json
  plimsoll tools saved/tools.json --hosts
  plimsoll tools .mcp.json                          every server of a host
  plimsoll tools --save tools.json npx -y @modelcontextprotocol/server-memory`;

interface ReadTool {
  readonly name: string;
  readonly inferred: InferredEffect;
  readonly asks: boolean;
}

export function toolsCommand(): Command {
  return new Command('tools')
    .description('show what the tools of a server do, and which ones ask')
    .argument(
      '<source...>',
      "a command that starts the server, its URL, a saved tools/list, or a host's configuration",
    )
    .option('--json', 'print JSON')
    .option('--hosts', 'show the hints, and what each host does with each tool')
    .option('--server <name>', 'only this server of a configuration')
    .option('--save <file>', 'also write the list as the server sent it, for check, pin and diff')
    .passThroughOptions()
    .addHelpText('after', EXAMPLES)
    .action(run);
}

const OWN_FLAGS: readonly string[] = ['--json', '--hosts'];

interface ToolsFlags {
  readonly json?: boolean;
  readonly hosts?: boolean;
  readonly server?: string;
  readonly save?: string;
}

async function run(words: readonly string[], flags: ToolsFlags): Promise<void> {
  // After all the words of a command, these flags are ours.
  const end = words.findLastIndex((word) => !OWN_FLAGS.includes(word)) + 1;
  const behind = words.slice(end);
  const json = flags.json ?? behind.includes('--json');
  const showsHosts = flags.hosts ?? behind.includes('--hosts');
  const servers = await listAll(readToolSource(words.slice(0, end)), flags.server);
  if (flags.save !== undefined) await save(servers, flags.save);
  const shown = servers.map(({ name, tools: listed }) => ({
    name,
    tools: listed.map((tool) => toReadTool(tool, listed)),
    hosts: showsHosts ? toSubject(name, listed) : undefined,
  }));
  const [only] = shown;
  if (json) {
    const rows = shown.map(({ name, tools, hosts }) => ({ name, tools: toRows(tools, hosts) }));
    const all = rows.length === 1 ? { tools: rows[0]?.tools } : { servers: rows };
    process.stdout.write(`${JSON.stringify(all)}\n`);
    return;
  }
  for (const each of shown) {
    if (each !== only || shown.length > 1) process.stdout.write(`server ${showText(each.name)}\n`);
    const { tools, hosts } = each;
    process.stdout.write(hosts === undefined ? toTable(tools) : toToolDetails(hosts));
  }
}

/** A configuration has several servers; what cannot be listed of it does not hide the others. */
async function listAll(
  source: ToolSource,
  wanted: string | undefined,
): Promise<readonly Listing[]> {
  const { listings, failures } =
    source.kind === 'file'
      ? await listSources([source], { loadProject, environment: process.env })
      : { listings: [{ name: 'server', tools: await listOne(source) }], failures: [] };
  const isWanted = ({ name }: { readonly name: string }): boolean =>
    wanted === undefined || source.kind !== 'file' || name === wanted;
  const found = listings.filter(isWanted);
  const failed = failures.filter(isWanted);
  const details = failed.map(({ name, detail }) => `${showText(name)}: ${showText(detail)}`);
  if (found.length === 0) {
    const why = details.join('; ') || `there is no server ${showText(wanted ?? '')} in it`;
    throw new CliError(`the tools cannot be listed: ${why}`);
  }
  for (const detail of details) process.stderr.write(`plimsoll: cannot be listed: ${detail}\n`);
  if (failed.length > 0) process.exitCode = 1;
  return found;
}

type Listing = { readonly name: string; readonly tools: readonly unknown[] };

async function listOne(source: ToolSource): Promise<readonly unknown[]> {
  try {
    return await listTools(source);
  } catch (error) {
    throw new CliFailure(`the tools cannot be listed: ${(error as Error).message}`);
  }
}

async function save(servers: readonly Listing[], file: string): Promise<void> {
  const [only] = servers;
  if (only === undefined || servers.length > 1) {
    const names = servers.map(({ name }) => showText(name)).join(', ');
    throw new CliError(`--save writes the list of one server; name it with --server: ${names}`);
  }
  const text = `${JSON.stringify({ tools: only.tools }, null, 2)}\n`;
  await writeFile(file, text).catch((error: unknown) => {
    throw new CliFailure(`${file} cannot be written: ${(error as Error).message}`);
  });
}

function toRows(tools: readonly ReadTool[], hosts?: ServerSubject): readonly object[] {
  if (hosts === undefined) return tools.map(toRow);
  const more = toHostRows(hosts).map(({ answers }, index) => ({
    hints: saidHints(hosts.tools[index]?.raw),
    hosts: Object.fromEntries(answers.map(({ host, answer }) => [host.id, answer])),
  }));
  return tools.map((tool, index) => ({ ...toRow(tool), ...more[index] }));
}

function toReadTool(tool: unknown, list: readonly unknown[]): ReadTool {
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
  return { name, inferred, asks: verdict.kind === 'ask' };
}

function toRow({ name, asks, inferred: { effect, reasons } }: ReadTool): object {
  return { name, tier: effect.tier, act: effect.act, asks, reasons };
}

/** The gravest first. */
function toTable(tools: readonly ReadTool[]): string {
  const width = Math.max(4, ...tools.map(({ name }) => name.length));
  const graveness = ({ inferred }: ReadTool): number => TIERS[inferred.effect.tier].severity;
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
