/** The tools of what `plimsoll tools` names: one server, or every server of a host's configuration. */
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Source } from '../check/sources/source.ts';
import { readSource } from '../check/sources/source.ts';
import { showText } from '../gate/approvals/show-text.ts';
import type { ToolSource } from '../gate/tools/list-tools.ts';
import { listTools } from '../gate/tools/list-tools.ts';
import { describeFileError } from '../lib/describe-file-error.ts';
import { CliError, CliFailure } from './cli-error.ts';

export interface ToolListing {
  readonly name: string;
  /** As the server sent them. */
  readonly tools: readonly unknown[];
  /** Its name in a host's configuration, which is its name at the gate as well. */
  readonly configured?: string;
}

/** What cannot be listed of a configuration does not hide the others. `wanted` names one server of it. */
export async function listServers(
  source: ToolSource,
  wanted: string | undefined,
): Promise<readonly ToolListing[]> {
  const files = toFiles(source);
  if (files === undefined) return [{ name: 'server', tools: await listOne(source) }];
  // Loaded for files only: they bring the YAML reader and the schema library.
  const { listSources } = await import('../check/sources/list-sources.ts');
  const { loadProject } = await import('./project.ts');
  const { listings, failures, others } = await listSources([files], {
    loadProject,
    environment: process.env,
    ...(wanted !== undefined && { only: wanted }),
  });
  const [first] = listings;
  if (first !== undefined && first.origin !== 'server')
    return [{ name: first.name, tools: first.tools }];
  const details = failures.map(({ name, detail }) => `${showText(name)}: ${showText(detail)}`);
  if (first === undefined) {
    const why = details.join('; ') || toMissing(wanted, others);
    throw new CliError(`the tools cannot be listed: ${why}`);
  }
  for (const detail of details) process.stderr.write(`plimsoll: cannot be listed: ${detail}\n`);
  if (failures.length > 0) process.exitCode = 1;
  return listings.map((listing) => ({ ...listing, configured: listing.name }));
}

/** A saved list, a configuration or a project of the kit; undefined for what is started or reached. */
function toFiles(source: ToolSource): Source | undefined {
  if (source.kind === 'file') {
    const read = readSource(source.path);
    return read.kind === 'project' ? read : source;
  }
  if (source.kind === 'url' || source.args.length > 0) return undefined;
  // A module that can be run may be a server of any kind, which is started.
  const isPath = /[\\/]|^\.{1,2}$/.test(source.command);
  const isFolder = statSync(source.command, { throwIfNoEntry: false })?.isDirectory() === true;
  return isPath && isFolder ? readSource(source.command) : undefined;
}

function toMissing(wanted: string | undefined, others: readonly string[]): string {
  if (wanted === undefined || others.length === 0) return 'there is no server in it';
  return `there is no server ${showText(wanted)} in it; it has ${others.map(showText).join(', ')}`;
}

async function listOne(source: ToolSource): Promise<readonly unknown[]> {
  try {
    return await listTools(source);
  } catch (error) {
    const sentence = `the tools cannot be listed: ${(error as Error).message}`;
    const isWrong = source.kind === 'url' && !URL.canParse(source.url);
    throw isWrong ? new CliError(sentence) : new CliFailure(sentence);
  }
}

/** The one server that an option is about. */
export function onlyServer(servers: readonly ToolListing[], option: string): ToolListing {
  const [only] = servers;
  if (only !== undefined && servers.length === 1) return only;
  const names = servers.map(({ name }) => showText(name)).join(', ');
  throw new CliError(`${option} is about one server; name it with --server: ${names}`);
}

export async function saveListing({ tools }: ToolListing, file: string): Promise<void> {
  await writeFile(file, `${JSON.stringify({ tools }, null, 2)}\n`).catch((error: unknown) => {
    throw new CliFailure(`${file} cannot be written: ${describeFileError(error)}`);
  });
}
