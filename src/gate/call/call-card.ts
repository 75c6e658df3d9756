/** What a person is shown of a call, what their yes is bound to, and what the caller is told meanwhile. */
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Approval } from '../approvals/approval.ts';
import { toShortId } from '../approvals/approval.ts';
import type { Waiting } from '../approvals/waiting-text.ts';
import { toHoldingText, toWaitingText } from '../approvals/waiting-text.ts';
import type { Binding } from '../approvals/binding.ts';
import { digestArguments, toBoundDefinition } from '../approvals/binding.ts';
import type { CardInit } from '../approvals/card.ts';
import type { BoundTool } from '../approvals/grants.ts';
import { toCard } from '../approvals/card.ts';
import type { GateContext } from '../gate-services.ts';
import type { Ask, AskChannel } from '../policy/verdict.ts';
import { toBesides } from './own-state.ts';
import type { GateCall } from './read-call.ts';
import { argumentsTextOf } from './read-call.ts';

/** What a yes to this call is bound to. */
export function toCallBinding(call: GateCall, { server, services }: GateContext): Binding {
  const { principal, session } = call.caller;
  return {
    tenant: principal.tenant ?? '',
    principal: principal.id,
    session,
    server: server.name,
    tool: call.tool.name,
    tier: call.effect.tier,
    mode: server.mode,
    definition: toBoundDefinition(call.tool.hash, server.address),
    arguments: digestArguments(argumentsTextOf(call), toBesides(call, { server, services })),
    policy: services.policy.version,
  };
}

/** What a grant must cover: one for a session is one for a tier, and covers no call that has several. */
export function toGrantBinding(call: GateCall, context: GateContext): Binding {
  const binding = toCallBinding(call, context);
  return call.effect.also === undefined ? binding : { ...binding, session: '' };
}

/** What the definition in its binding is made from. */
export function toBoundTool({ tool }: GateCall, { server }: GateContext): BoundTool {
  return { definition: tool.definition, address: server.address };
}

export function toCallCard(
  call: GateCall,
  { does, why, asking }: Ask,
  { server, services }: GateContext,
  { price, earlier, change }: Pick<CardInit, 'price' | 'earlier' | 'change'>,
): ReturnType<typeof toCard> {
  const { tool, caller, effect, reasons } = call;
  const title = tool.definition['title'];
  return toCard({
    server: server.name,
    tool: tool.name,
    ...(typeof title === 'string' && { title }),
    tier: effect.tier,
    does,
    why,
    reasons,
    ...(price !== undefined && { price }),
    ...(earlier !== undefined && { earlier }),
    ...(change !== undefined && { change }),
    argumentsText: argumentsTextOf(call),
    besidesText: toBesides(call, { server, services }),
    principal: caller.principal.id,
    session: caller.session,
    mode: server.mode,
    channels: asking.channels.length === 0 ? QUEUE : asking.channels,
    scopes: asking.grants,
    grantMinutes: asking.grantMinutes,
  });
}

/** Where nobody is told of a question, it waits for whoever looks. */
const QUEUE: readonly AskChannel[] = ['console', 'terminal'];

const SEND_AGAIN_SECONDS = 5;

/** `inHost`: the host shows its form again when the call is sent again. */
export function toPendingProblem(
  { tool }: GateCall,
  { does, why, asking: { channels } }: Ask,
  { id, expiresAt }: Approval,
  { inHost, heldSeconds }: Pick<Waiting, 'inHost' | 'heldSeconds'>,
  { server, services }: GateContext,
): Problem {
  const detail = toWaitingText({
    ...toPlaces(id, channels, services),
    server: server.name,
    tool: tool.name,
    why: `${does} ${why}`,
    inHost,
    heldSeconds,
    expiresInSeconds: Math.max(0, Math.round((expiresAt - services.now()) / 1000)),
  });
  return toProblem('approval-pending', detail, { retryAfter: SEND_AGAIN_SECONDS, reference: id });
}

/** For the progress of a call that is held; a console may begin to run meanwhile. */
export function toHoldingMessage(
  id: string,
  channels: readonly AskChannel[],
  { services }: GateContext,
): string {
  return toHoldingText(toPlaces(id, channels, services));
}

function toPlaces(
  id: string,
  channels: readonly AskChannel[],
  { approvalUrl, ledgerHint }: GateContext['services'],
): Parameters<typeof toHoldingText>[0] {
  const consoleUrl = channels.includes('console') ? approvalUrl?.(id) : undefined;
  return {
    shortId: toShortId(id),
    ...(consoleUrl !== undefined && { consoleUrl }),
    atTerminal: channels.includes('terminal'),
    atConsole: channels.includes('console'),
    byWebhook: channels.includes('webhook'),
    ...(ledgerHint !== undefined && { ledgerHint }),
  };
}
