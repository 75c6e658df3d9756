/**
 * An approval as the API returns it and the pages show it: the question, its state, and how its tool
 * drifted.
 */
import type { Approval, CallerState } from '../../gate/approvals/approval.ts';
import { callerState } from '../../gate/approvals/approval.ts';
import type { ToolDrift } from '../../gate/tools/pins.ts';
import type { ConsoleServices } from '../console-services.ts';

export interface ApprovalView extends Approval {
  /** Milliseconds until it expires; zero afterwards. */
  readonly leftMs: number;
  /** What becomes of a yes; after the answer: what did. */
  readonly caller: CallerState;
  /** How the tool differs from its pin; absent where there are no pins or the tool is not known here. */
  readonly drift?: ToolDrift;
}

export function toApprovalView(approval: Approval, services: ConsoleServices): ApprovalView {
  const drift = driftOf(approval, services);
  const left = approval.state === 'PENDING' ? approval.expiresAt - services.now() : 0;
  const caller = callerState(approval, services.now());
  return { ...approval, leftMs: Math.max(0, left), caller, ...(drift !== undefined && { drift }) };
}

function driftOf({ binding }: Approval, { pins, servers }: ConsoleServices): ToolDrift | undefined {
  const { server, tool } = binding;
  const { tools = [] } = servers().find(({ name }) => name === server) ?? {};
  const definition = tools.find((each) => nameOf(each) === tool);
  if (pins === undefined || definition === undefined) return undefined;
  return pins.checkTool(server, tool, definition).drift;
}

function nameOf(tool: unknown): unknown {
  return typeof tool === 'object' && tool !== null && 'name' in tool ? tool.name : undefined;
}
