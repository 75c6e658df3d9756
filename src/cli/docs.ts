/** `plimsoll docs`: writes a server's tool tables between markers in a Markdown file, or checks them. */
import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { toSafetyTable, toToolTable } from '../serve/to-tool-tables.ts';
import { CliError } from './cli-error.ts';
import { fillMarkers } from './fill-markers.ts';
import { loadServer } from './load-server.ts';

const EXAMPLES = `
In the file, the tables stand between these markers:
  <!-- plimsoll:tools --> … <!-- /plimsoll:tools -->
  <!-- plimsoll:safety --> … <!-- /plimsoll:safety -->

Examples:
  plimsoll docs examples/catalog
  plimsoll docs examples/catalog --write examples/catalog/README.md
  plimsoll docs examples/catalog --check examples/catalog/README.md`;

interface DocsFlags {
  readonly write?: string;
  readonly check?: string;
}

export function docsCommand(): Command {
  return new Command('docs')
    .description("print a server's tables of tools, or keep them right in a Markdown file")
    .argument('<server>', 'a module, or a folder whose package.json has "main"')
    .option('--write <file>', 'put the tables between the markers of this file')
    .option('--check <file>', 'fail when the tables in this file are stale')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(path: string, { write, check }: DocsFlags): Promise<void> {
  const server = await loadServer(path, {});
  const tables = { tools: toToolTable(server), safety: toSafetyTable(server) };
  const file = write ?? check;
  if (file === undefined) {
    process.stdout.write(`${tables.tools}\n\n${tables.safety}\n`);
    return;
  }
  const before = await readFile(file, 'utf8');
  const after = fillMarkers(before, tables);
  if (after === undefined) throw new CliError(`${file} has no plimsoll markers; see --help`);
  if (check !== undefined && after !== before) {
    process.stderr.write(`${file} is stale; run plimsoll docs ${path} --write ${file}\n`);
    process.exitCode = 1;
  }
  if (write !== undefined && after !== before) await writeFile(file, after);
}
