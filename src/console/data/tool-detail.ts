/** One tool with everything that is known about it: inferred effect, claims, hosts, parameters, pin. */
import { findEstimate } from '../../effect/infer/find-estimate.ts';
import { readStamp } from '../../effect/read-stamp.ts';
import type { StampReading } from '../../effect/read-stamp.ts';
import { TIERS } from '../../effect/tier.ts';
import type { ToolHosts } from '../../check/hosts/host-table.ts';
import { toHostRows } from '../../check/hosts/host-table.ts';
import { toSubject } from '../../check/subject.ts';
import type { KnownTool } from '../../gate/tools/tool-book.ts';
import type { ToolCheck } from '../../gate/tools/pins.ts';
import type { Parameter } from '../../gate/tools/compare-parameters.ts';
import { listParameters } from '../../gate/tools/compare-parameters.ts';
import type { PinEntry } from '../../gate/tools/lock.ts';
import type { ConsoleServices, ServerView } from '../console-services.ts';
import { listToolsView } from './tools-view.ts';
import type { ToolView } from './tools-view.ts';
import { findKnownTool } from './what-if.ts';

export interface ToolDetail {
  readonly server: ServerView;
  readonly view: ToolView;
  readonly tool: KnownTool;
  readonly stamp: StampReading;
  readonly parameters: readonly Parameter[];
  readonly hosts: ToolHosts | undefined;
  /** The tool that estimates the price, where money moves. */
  readonly estimate?: string;
  readonly pin?: PinEntry;
  readonly check?: ToolCheck;
}

type Sources = Pick<ConsoleServices, 'servers' | 'policy' | 'pins'>;

export function toolDetail(
  services: Sources,
  serverName: string,
  name: string,
): ToolDetail | undefined {
  const { pins } = services;
  const server = services.servers().find((each) => each.name === serverName);
  if (server === undefined) return undefined;
  const views = listToolsView({ ...services, servers: () => [server] });
  const view = views.find((each) => each.name === name);
  const tool = findKnownTool(server, name, pins);
  if (view === undefined || tool === undefined) return undefined;
  const { definition } = tool;
  const pin = pins?.pinOf(serverName, name);
  const check = pins?.check(serverName, server.tools).get(name);
  const estimate = TIERS[view.tier].needsRepeatContract
    ? findEstimate(server.tools, definition)
    : undefined;
  return {
    server,
    view,
    tool,
    stamp: readStamp(definition),
    parameters: [...listParameters(definition['inputSchema']).values()],
    hosts: toHostRows(toSubject(serverName, [definition]))[0],
    ...(estimate !== undefined && { estimate }),
    ...(pin !== undefined && { pin }),
    ...(check !== undefined && { check }),
  };
}
