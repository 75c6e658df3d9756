/** One tool with everything that is known of it: reading, claims, hosts, parameters, pin. */
import { findEstimate } from '../../effect/reading/find-estimate.ts';
import { readStamp } from '../../effect/read-stamp.ts';
import type { StampReading } from '../../effect/read-stamp.ts';
import { TIERS } from '../../effect/tier.ts';
import type { ToolHosts } from '../../check/hosts/to-host-rows.ts';
import { toHostRows } from '../../check/hosts/to-host-rows.ts';
import { toSubject } from '../../check/subject.ts';
import type { KnownTool } from '../../gate/gate-call.ts';
import type { ToolCheck } from '../../gate/pins/check-pins.ts';
import type { Parameter } from '../../gate/pins/list-parameters.ts';
import { listParameters } from '../../gate/pins/list-parameters.ts';
import type { PinEntry } from '../../gate/pins/pin-entry.ts';
import type { ConsoleServices, ServerView } from '../console-services.ts';
import { findKnownTool } from './known-tools.ts';
import type { ToolView } from './list-tools-view.ts';
import { listToolsView } from './list-tools-view.ts';

export interface ToolDetail {
  readonly server: ServerView;
  readonly view: ToolView;
  readonly tool: KnownTool;
  readonly stamp: StampReading;
  readonly parameters: readonly Parameter[];
  readonly hosts: ToolHosts | undefined;
  /** The tool that tells the price, where money moves. */
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
