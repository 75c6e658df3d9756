/** Lists the tools of a project built with the kit, all of them, whoever may see them. */
import type { Project } from '../check/sources/list-sources.ts';
import { toTool } from '../serve/to-tool.ts';
import { loadServer } from './load-server.ts';

export async function loadProject(path: string): Promise<Project> {
  const { name, operations, house } = await loadServer(path, {});
  const tools = [...operations.values()].map((operation) => toTool(operation, house));
  // Through text, so that it is what the wire would carry.
  return { name, tools: JSON.parse(JSON.stringify(tools)) as readonly unknown[] };
}
