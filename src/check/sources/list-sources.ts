/**
 * Lists the tools of every source: saved answers, servers that are started or reached, projects of the
 * kit, and all servers of a configuration. One that fails does not stop the others.
 */
import { readTextFile } from '../../lib/read-text-file.ts';
import type { ToolSource } from '../../gate/tools/list-tools.ts';
import { listTools } from '../../gate/tools/list-tools.ts';
import type { SourceFailure } from '../check-server.ts';
import type { ConfiguredServers, Reach } from './configured-servers.ts';
import { readGateServers, readHostServers } from './configured-servers.ts';
import type { Listing, Listings, Source } from './source.ts';
import { toLineOf, toSavedList } from './saved-list.ts';
import { nameOf } from './source.ts';

export interface Listers {
  /** Loads a project of the kit and lists its tools. */
  readonly loadProject: (path: string) => Promise<Project>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What a command gets of the environment: its name there, and the variable's name here. */
  readonly passEnv?: Readonly<Record<string, string>>;
  /** The name of the server, if one was given. */
  readonly name?: string;
  /** The one server of a configuration to start. Default: all of them. */
  readonly only?: string;
}

export interface Project {
  readonly name: string;
  readonly tools: readonly unknown[];
}

/** Servers that are started at the same time. */
const AT_ONCE = 4;

type Job = { readonly name: string; readonly list: () => Promise<Listing> };

export async function listSources(sources: readonly Source[], listers: Listers): Promise<Listings> {
  const failures: SourceFailure[] = [];
  const others: string[] = [];
  const attempt = async <T>(name: string, act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (error) {
      const detail = error instanceof Error ? error.message : 'it failed';
      failures.push({ name, detail });
      return undefined;
    }
  };
  const jobs: Job[] = [];
  for (const source of sources) {
    const name = listers.name !== undefined && sources.length === 1 ? listers.name : nameOf(source);
    const found = await attempt(name, () => toJobs(source, name, listers, { failures, others }));
    jobs.push(...(found ?? []));
  }
  const listings: Listing[] = [];
  for (let at = 0; at < jobs.length; at += AT_ONCE) {
    const batch = jobs.slice(at, at + AT_ONCE);
    const listed = await Promise.all(batch.map(({ name, list }) => attempt(name, list)));
    listings.push(...listed.filter((listing) => listing !== undefined));
  }
  return { listings: withOwnNames(listings), failures, others };
}

async function toJobs(
  source: Source,
  name: string,
  listers: Listers,
  { failures, others }: { readonly failures: SourceFailure[]; readonly others: string[] },
): Promise<readonly Job[]> {
  if (source.kind === 'project') return [{ name, list: () => listProject(source.path, listers) }];
  const { passEnv = {}, only } = listers;
  if (source.kind === 'command')
    return [{ name, list: () => listServer(name, { ...source, passEnv }) }];
  if (source.kind === 'url') return [{ name, list: () => listServer(name, source) }];
  const { path } = source;
  const text = await readTextFile(path);
  const read = readText(text, path, name, listers);
  if ('tools' in read) return [{ name, list: () => Promise.resolve(read) }];
  const isWanted = (one: { readonly name: string }): boolean =>
    only === undefined || one.name === only;
  failures.push(...read.failures.filter(isWanted));
  const all = [...read.servers, ...read.failures];
  others.push(...all.filter((one) => !isWanted(one)).map((one) => one.name));
  return read.servers.filter(isWanted).map((server) => ({
    name: server.name,
    list: () => listServer(server.name, server.reach),
  }));
}

function readText(
  text: string,
  path: string,
  name: string,
  { environment }: Listers,
): Listing | ConfiguredServers {
  const isYaml = /\.ya?ml$/i.test(path);
  const saved = isYaml ? undefined : toSavedList(parse(text));
  if (saved !== undefined) {
    const { tools } = saved;
    return { name, tools, origin: 'saved', file: { path, lineOf: toLineOf(text, saved.path) } };
  }
  const configured = readHostServers(text, path, environment);
  if (configured !== undefined) return configured;
  if (!isYaml)
    throw new Error(`${path} is neither a saved tools/list answer nor a host's configuration`);
  const read = readGateServers(text, path, environment);
  if ('faults' in read) throw new Error(read.faults.join('; '));
  return read;
}

async function listServer(name: string, reach: Reach | ToolSource): Promise<Listing> {
  return { name, tools: await listTools(reach), origin: 'server' };
}

async function listProject(path: string, { loadProject, name }: Listers): Promise<Listing> {
  const project = await loadProject(path);
  const { tools } = project;
  return { name: name ?? project.name, tools, origin: 'project', file: { path } };
}

/** Two servers with one name would be merged in every report. */
function withOwnNames(listings: readonly Listing[]): readonly Listing[] {
  const taken = new Set<string>();
  return listings.map((listing) => {
    let { name } = listing;
    for (let count = 2; taken.has(name); count += 1) name = `${listing.name}-${count}`;
    taken.add(name);
    return { ...listing, name };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // perhaps JSON with comments
  }
}
