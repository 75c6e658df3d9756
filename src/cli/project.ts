/**
 * `plimsoll project`: shows which tools an OpenAPI document would become, and why some endpoints get
 * none.
 */
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { parse } from 'yaml';
import type { Project } from '../check/sources/list-sources.ts';
import { worstTier } from '../effect/effect.ts';
import type { Operation } from '../effect/operation.ts';
import type { Overlay } from '../serve/openapi-in/overlay.ts';
import type { Projection } from '../serve/openapi-in/project-openapi.ts';
import { projectOpenApi } from '../serve/openapi-in/project-openapi.ts';
import { toTool } from '../serve/tool-lists.ts';
import { describeFileError } from '../lib/describe-file-error.ts';
import { CliError } from './cli-error.ts';
import { readServer } from './load-server.ts';

const EXAMPLES = `
An overlay adds what the document does not state, by operationId (docs/openapi-in.md):
  orders.place: { sideEffect: external_spend, scope: orders:write, estimate: orders.estimate }
  notes.delete: { sideEffect: destructive, act: delete, object: note }

Exits with 1 when anything is refused, with 2 when the document cannot be read.

Examples:
  plimsoll project openapi.yaml
  plimsoll project openapi.json --overlay overlay.yaml --explain
  plimsoll project openapi.yaml --base-url https://api.example.com/v1 --json`;

interface ProjectFlags {
  readonly overlay?: string;
  readonly baseUrl?: string;
  readonly explain?: true;
  readonly json?: true;
}

/** Nothing is called here, so any address will do as a default. */
const NOWHERE = 'http://localhost';

export function projectCommand(): Command {
  return new Command('project')
    .description('show the tools that an OpenAPI document would become')
    .argument('<document>', 'an OpenAPI 3 document, as YAML or JSON')
    .option('--overlay <file>', 'what the document does not state, as YAML or JSON')
    .option('--base-url <url>', 'where the API is; checked, not called')
    .option('--explain', 'also show what gets no tool, and why')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(path: string, flags: ProjectFlags): Promise<void> {
  const document = await readData(path);
  const overlay = flags.overlay === undefined ? {} : await readData(flags.overlay);
  const projection = project(document, overlay, flags.baseUrl ?? NOWHERE);
  process.stdout.write(
    flags.json ? toJson(projection) : toText(projection, flags.explain ?? false),
  );
  if (projection.refused.length > 0) process.exitCode = 1;
}

async function readData(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new CliError(`${path} cannot be read: ${describeFileError(error)}`);
  }
  try {
    return (path.endsWith('.json') ? JSON.parse(text) : parse(text)) as unknown;
  } catch {
    const form = path.endsWith('.json') ? 'JSON' : 'YAML';
    throw new CliError(`${path} is not ${form}; pass an OpenAPI document`);
  }
}

function project(document: unknown, overlay: unknown, baseUrl: string): Projection {
  try {
    return projectOpenApi(document, { baseUrl, overlay: overlay as Overlay }); // checked inside
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(error.message);
    throw error;
  }
}

function toJson({ operations, excluded, refused }: Projection): string {
  const tools = operations.map(({ name, title, effect, scopes, produces }) => ({
    name,
    title,
    tier: worstTier(effect),
    act: effect.act,
    scopes,
    produces,
  }));
  return `${JSON.stringify({ tools, excluded, refused }, null, 2)}\n`;
}

function toText({ operations, excluded, refused }: Projection, explain: boolean): string {
  const counts = `tools: ${operations.length}, excluded: ${excluded.length}, refused: ${refused.length}`;
  const more = excluded.length + refused.length > 0 && !explain ? '; --explain says why' : '';
  const lines = [
    counts + more,
    ...toColumns(operations.map(toRow)),
    ...(explain ? [...toSection('Excluded', excluded), ...toSection('Refused', refused)] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function toRow({ name, effect, scopes }: Operation): readonly string[] {
  return [name, worstTier(effect), scopes.join(' ') || '-'];
}

function toSection(
  head: string,
  findings: Projection['excluded'] | Projection['refused'],
): readonly string[] {
  if (findings.length === 0) return [];
  const lines = findings.flatMap(({ operation, endpoint, code, sentence }) => [
    `  ${visible(operation)}${endpoint === undefined || endpoint === operation ? '' : ` (${visible(endpoint)})`}: ${code}`,
    `    ${visible(sentence)}`,
  ]);
  return ['', `${head}:`, ...lines];
}

function toColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const shown = rows.map((row) => row.map(visible));
  const widest = (column: number) =>
    shown.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0);
  const widths = [widest(0), widest(1)];
  return shown.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

/** A document is untrusted text; control characters must not reach the terminal. */
function visible(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\u{fffd}');
}

/** Lists all tools of a project built with the kit, whatever their scopes. */
export async function loadProject(path: string): Promise<Project> {
  return readServer(path, ({ name, operations, convention }) => {
    const tools = [...operations.values()].map((operation) => toTool(operation, convention));
    // Through JSON text, exactly as it would be sent.
    return { name, tools: JSON.parse(JSON.stringify(tools)) as readonly unknown[] };
  });
}
