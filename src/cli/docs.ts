/** `plimsoll docs`: writes a server's tool tables between markers in a Markdown file, or checks them. */
import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { toListedTools } from '../check/hosts/listed-tools.ts';
import type { Source } from '../check/sources/source.ts';
import { readSource } from '../check/sources/source.ts';
import { toSubject } from '../check/subject.ts';
import { listTools } from '../gate/tools/list-tools.ts';
import type { TableTool } from '../serve/to-tool-tables.ts';
import { toTableTools, toToolTables } from '../serve/to-tool-tables.ts';
import { describeFileError } from '../lib/describe-file-error.ts';
import { CliError } from './cli-error.ts';
import { readServer } from './load-server.ts';

const EXAMPLES = `
In the file, the tables go between these markers:
  <!-- plimsoll:tools --> … <!-- /plimsoll:tools -->
  <!-- plimsoll:safety --> … <!-- /plimsoll:safety -->
  <!-- plimsoll:classes --> … <!-- /plimsoll:classes -->
  <!-- plimsoll:scopes --> … <!-- /plimsoll:scopes -->

With --check: exits with 1 when the file is stale. Exits with 2 when the tables cannot be made.

Examples:
  plimsoll docs examples/catalog
  plimsoll docs examples/catalog --write examples/catalog/README.md
  plimsoll docs examples/catalog --check examples/catalog/README.md
  plimsoll docs "node server.js" --write README.md
  plimsoll docs https://mcp.example.com/mcp
  plimsoll docs saved/tools.json`;

interface DocsFlags {
  readonly write?: string;
  readonly check?: string;
}

export function docsCommand(): Command {
  return new Command('docs')
    .description("print a server's tool tables, or keep them up to date in a Markdown file")
    .argument('<server>', 'a project of the kit, a command in quotes, a URL or a saved tools/list')
    .option('--write <file>', 'put the tables between the markers of this file')
    .option('--check <file>', 'fail when the tables in this file are stale')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(path: string, { write, check }: DocsFlags): Promise<void> {
  const tables = { ...toToolTables(await readTools(path)) };
  const file = write ?? check;
  if (file === undefined) {
    process.stdout.write(`${Object.values(tables).join('\n\n')}\n`);
    return;
  }
  const before = await readPage(file);
  const after = fillMarkers(before, tables);
  if (after === undefined) throw new CliError(`${file} has no plimsoll markers; see --help`);
  if (check !== undefined && after !== before) {
    process.stderr.write(`${file} is stale; run plimsoll docs ${path} --write ${file}\n`);
    process.exitCode = 1;
  }
  if (write !== undefined && after !== before) await writeFile(file, after);
}

async function readPage(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be used: ${describeFileError(error)}`);
  }
}

async function readTools(path: string): Promise<readonly TableTool[]> {
  const source = readSource(path);
  // One word that is not a file is more likely a mistyped path than a program.
  const isMissing = source.kind === 'command' && source.args.length === 0;
  if (source.kind === 'project' || isMissing) return readServer(path, toTableTools);
  return toListedTools(toSubject(path, await list(source)));
}

async function list(source: Exclude<Source, { kind: 'project' }>): Promise<readonly unknown[]> {
  try {
    return await listTools(source);
  } catch (error) {
    throw new CliError(`the tools cannot be listed: ${(error as Error).message}`);
  }
}

/** Replaces the text between `<!-- plimsoll:name -->` markers; `undefined` when there are none. */
export function fillMarkers(
  text: string,
  parts: Readonly<Record<string, string>>,
): string | undefined {
  let filled = text;
  let found = false;
  for (const [name, part] of Object.entries(parts)) {
    const open = `<!-- plimsoll:${name} -->`;
    const close = `<!-- /plimsoll:${name} -->`;
    const start = filled.indexOf(open);
    const end = filled.indexOf(close, start);
    if (start === -1 || end === -1) continue;
    found = true;
    filled = `${filled.slice(0, start + open.length)}\n\n${part}\n\n${filled.slice(end)}`;
  }
  return found ? filled : undefined;
}
