/** Which servers of a configuration share a gate for `plimsoll wrap --together`: those whose tools no other one names. */
import type { TogetherServer } from '../gate/config/together-file.ts';
import type { JoinableServer, JoinGroup } from '../gate/hosts/join-servers.ts';
import { listJoinable } from '../gate/hosts/wrap-file.ts';
import { listTools } from '../gate/tools/list-tools.ts';
import { checkServerNames } from '../gate/upstream/aggregate/names.ts';
import { CliError } from './cli-error.ts';
import { visible } from './wrap-report.ts';

export interface Joining {
  readonly groups: readonly JoinGroup<TogetherServer>[];
  /** Why a server gets a gate of its own, in a sentence each. */
  readonly notes: readonly string[];
}

/** Starts each of the servers once, to see the names of its tools. */
export async function planJoining(file: string): Promise<Joining> {
  const found = listJoinable(file);
  if ('kind' in found) throw new CliError(`${file}: ${found.faults.join('; ')}`);
  const notes: string[] = [];
  const groups: JoinGroup<TogetherServer>[] = [];
  for (const { path, servers } of found) {
    const faults = new Map(
      checkServerNames(servers.map(({ name }) => name)).map((fault) => [
        fault.server,
        fault.detail,
      ]),
    );
    const listed = await Promise.all(
      servers.map((server) => listNames(server, faults.get(server.name), notes)),
    );
    const able = listed.filter((server) => server !== undefined);
    refuseConflicts(file, able);
    if (able.length > 1) groups.push({ path, servers: able });
  }
  if (groups.length === 0) {
    notes.push('fewer than two servers can share a gate, so each gets one of its own');
  }
  return { groups, notes };
}

async function listNames(
  server: JoinableServer,
  fault: string | undefined,
  notes: string[],
): Promise<TogetherServer | undefined> {
  if (fault !== undefined) {
    notes.push(`${server.name} gets a gate of its own: ${fault}`);
    return undefined;
  }
  try {
    const { command, args, env } = server;
    const tools = await listTools({ kind: 'command', command, args, env });
    return { ...server, tools: tools.flatMap(nameOf) };
  } catch (error) {
    const why = (error as Error).message;
    notes.push(`${server.name} gets a gate of its own: its tools cannot be listed (${why})`);
    return undefined;
  }
}

function nameOf(tool: unknown): readonly string[] {
  const isNamed = typeof tool === 'object' && tool !== null && 'name' in tool;
  return isNamed && typeof tool.name === 'string' ? [tool.name] : [];
}

/** With one gate the host sees one list, and a call could reach the wrong server. */
function refuseConflicts(file: string, servers: readonly TogetherServer[]): void {
  const owners = new Map<string, string>();
  for (const { name, tools } of servers) {
    for (const tool of new Set(tools)) {
      const other = owners.get(tool);
      if (other !== undefined) {
        throw new CliError(
          visible(
            `${file}: ${other} and ${name} both have a tool named ${tool}, so they cannot share a gate; nothing was written. Wrap the file without --together.`,
          ),
        );
      }
      owners.set(tool, name);
    }
  }
}
