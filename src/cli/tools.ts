/** `plimsoll tools`: reads a saved tools/list answer and tells what each tool does and which ones ask. */
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { Reading } from '../effect/reading/read-tool.ts';
import { readTool } from '../effect/reading/read-tool.ts';
import { TIERS } from '../effect/tier.ts';
import { CliError } from './cli-error.ts';

const EXAMPLES = `
The file is an object with "tools", or the JSON-RPC answer to tools/list. The server is not trusted: what
it promises about its tools is not believed, what it warns of is.

Examples:
  plimsoll tools saved/tools.json
  plimsoll tools saved/tools.json --json`;

interface ReadTool {
  readonly name: string;
  readonly reading: Reading;
}

export function toolsCommand(): Command {
  return new Command('tools')
    .description('tell what the tools of a saved tools/list answer do, and which ones ask')
    .argument('<file>', 'a saved tools/list answer')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(file: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  const tools = (await loadTools(file)).map((tool) => ({
    name: nameOf(tool),
    reading: readTool(tool),
  }));
  process.stdout.write(json ? `${JSON.stringify({ tools: tools.map(toRow) })}\n` : toTable(tools));
}

async function loadTools(file: string): Promise<readonly unknown[]> {
  let answer: unknown;
  try {
    answer = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CliError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  const tools = member(answer, 'tools') ?? member(member(answer, 'result'), 'tools');
  if (!Array.isArray(tools)) throw new CliError(`${file} has no "tools"; save a tools/list answer`);
  return tools as readonly unknown[];
}

function toRow({ name, reading: { effect, asks, reasons } }: ReadTool): object {
  return { name, tier: effect.tier, act: effect.act, asks, reasons };
}

/** The gravest first. */
function toTable(tools: readonly ReadTool[]): string {
  const width = Math.max(4, ...tools.map(({ name }) => name.length));
  const graveness = ({ reading }: ReadTool): number => TIERS[reading.effect.tier].severity;
  const rows = tools
    .toSorted((a, b) => graveness(b) - graveness(a))
    .map(({ name, reading: { effect, asks, reasons } }) =>
      [
        name.padEnd(width),
        effect.tier.padEnd(14),
        effect.act.padEnd(9),
        asks ? 'asks' : '    ',
        reasons[0]?.text ?? '',
      ].join('  '),
    );
  // Control characters in a foreign name would steer the terminal.
  return rows.map((row) => `${row.trimEnd().replaceAll(/\p{Cc}/gu, '\uFFFD')}\n`).join('');
}

function nameOf(tool: unknown): string {
  const name = member(tool, 'name');
  return typeof name === 'string' ? name : '';
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
