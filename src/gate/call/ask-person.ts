/**
 * Gets a person's answer to a call: from an earlier yes, from the client's own form, or from the queue
 * that console, terminal and webhook answer. It never runs anything; it gives permit, or the reason why not.
 */
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Approval } from '../approvals/approval.ts';
import { toCard } from '../approvals/card.ts';
import { fromElicitation, toElicitation } from '../approvals/elicitation.ts';
import { sealState } from '../approvals/seal.ts';
import type { Ask } from '../policy/verdict.ts';
import type { CallPort, GateCall, Permit, PermitBasis } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import { holdCall } from './hold-call.ts';
import type { OwnState } from './own-state.ts';
import { QUESTION, readOwnState } from './own-state.ts';
import type { SiblingTools } from './ask-price.ts';
import { askPrice, toMoney } from './ask-price.ts';
import { toResultAnswer } from './to-answer.ts';
import { eraOf } from '../protocol/envelope.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import type { Binding } from '../approvals/binding.ts';
import { digestArguments } from '../approvals/binding.ts';

type Asked =
  | { readonly kind: 'permit'; readonly permit: Permit }
  | {
      readonly kind: 'no';
      readonly approval: string;
      readonly problem: Problem;
      readonly answer?: undefined;
    }
  | {
      readonly kind: 'form';
      readonly approval: string;
      readonly answer: Frame;
      readonly problem?: undefined;
    };

const COME_BACK_SECONDS = 5;

export async function askPerson(
  call: GateCall,
  verdict: Ask,
  port: CallPort,
  context: GateContext,
  tools: SiblingTools,
): Promise<Asked> {
  const { approvals, sealKey, now, ledger, tellPeople } = context.services;
  const binding = toCallBinding(call, context);
  const price = await askPrice(call, port, tools);
  const give = (by: PermitBasis, bytes?: Uint8Array): Asked => {
    const { rule, terms } = verdict;
    const sent = bytes === undefined ? {} : { bytes };
    return { kind: 'permit', permit: { rule, terms, by, ...toMoney(price), ...sent } };
  };
  const state = readOwnState(call, sealKey, now());
  if (state?.continuation !== undefined) {
    const { approval: id, continuation, bytes } = state;
    return give({ kind: 'continuation', id, continuation }, bytes);
  }
  const grant = await ledger.store.transaction((tx) => approvals.useGrant(tx, binding));
  if (grant !== undefined) return give({ kind: 'grant', id: grant.id }, state?.bytes);
  if (state?.answer !== undefined && maySay(verdict)) await takeAnswer(state, call, context);
  const question = {
    binding,
    card: toCallCard(call, verdict, context, price),
    expirySeconds: verdict.asking.expirySeconds,
  };
  const declined = await approvals.findDeclined(binding);
  if (declined !== undefined) return no(declined, 'approval-declined', toRefusalText(declined));
  const known = await approvals.request(question);
  if (known.state === 'APPROVED') return give({ kind: 'approval', id: known.id }, state?.bytes);
  tellPeople(known);
  const form = await askInClient(known, verdict, call, port, context);
  if (form !== undefined) return form;
  const decided = await holdCall(known, verdict.asking.holdSeconds, call, port, context);
  switch (decided.state) {
    case 'APPROVED':
      return give({ kind: 'approval', id: decided.id }, state?.bytes);
    case 'DECLINED':
      return no(decided, 'approval-declined', toRefusalText(decided));
    case 'EXPIRED':
    case 'USED':
      return no(decided, 'approval-expired', 'Nobody answered in time.');
    case 'PENDING': {
      const fields = { retryAfter: COME_BACK_SECONDS, reference: decided.id };
      const detail = `${call.tool.name} waits for a person.`;
      const problem = toProblem('approval-pending', detail, fields);
      return { kind: 'no', approval: decided.id, problem };
    }
  }
}

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
    definition: call.tool.hash,
    arguments: digestArguments(Buffer.from(call.argumentsText)),
    policy: services.policy.version,
  };
}

function toCallCard(
  call: GateCall,
  { why, asking }: Ask,
  { server }: GateContext,
  price: Awaited<ReturnType<typeof askPrice>>,
): ReturnType<typeof toCard> {
  const { tool, caller, effect } = call;
  const title = tool.definition['title'];
  return toCard({
    server: server.name,
    tool: tool.name,
    ...(typeof title === 'string' && { title }),
    tier: effect.tier,
    why,
    reasons: tool.inferred.reasons,
    ...(price !== undefined && { price }),
    argumentsText: call.argumentsText,
    principal: caller.principal.id,
    session: caller.session,
    mode: server.mode,
    scopes: asking.grants,
    grantMinutes: asking.grantMinutes,
  });
}

/** The host may put the question before a person only where the policy trusts it to. */
function maySay({ asking }: Ask): boolean {
  return asking.channels.includes('elicitation');
}

async function askInClient(
  approval: Approval,
  verdict: Ask,
  call: GateCall,
  port: CallPort,
  context: GateContext,
): Promise<Asked | undefined> {
  const { sealKey, approvalUrl } = context.services;
  if (approval.card === undefined) return undefined;
  const inForm = maySay(verdict) && port.canElicit.form;
  const byUrl = port.canElicit.url && verdict.asking.channels.includes('console');
  const url = byUrl && !inForm ? approvalUrl?.(approval.id) : undefined;
  if (!inForm && url === undefined) return undefined;
  const request = toElicitation(approval.card, approval.id, url === undefined ? {} : { url });
  if (eraOf(call.frame.message) === 'modern') {
    const expires = approval.expiresAt;
    const requestState = sealState(sealKey, { approval: approval.id, expires });
    const inputRequests = { [QUESTION]: request as unknown as JsonObject }; // plain data
    const result = { resultType: 'input_required', inputRequests, requestState };
    return { kind: 'form', approval: approval.id, answer: toResultAnswer(call, result) };
  }
  if (!inForm) return undefined;
  const answer = await port.elicit(request.params);
  if (answer === undefined) return undefined;
  const state = { approval: approval.id, answer, bytes: call.frame.bytes };
  await takeAnswer(state, call, context);
  return undefined;
}

/** What the person said in the client's form. Whatever is no clear yes or no leaves the question open. */
async function takeAnswer(
  { approval: id, answer }: OwnState,
  call: GateCall,
  { services }: GateContext,
): Promise<void> {
  const said = fromElicitation(answer);
  if (said.kind === 'none') return;
  const asked = await services.approvals.find(id);
  if (asked === undefined) return;
  await services.approvals.answer(id, {
    kind: said.kind,
    approver: call.caller.principal.id,
    channel: 'elicitation',
    display: asked.display,
    ...(said.kind === 'approve' && { grant: said.grant }),
  });
}

function toRefusalText({ reason }: Approval): string {
  // Quoted: where it ends, nobody must have to guess.
  return reason === '' ? 'There was no reason given.' : `The reason: ${JSON.stringify(reason)}.`;
}

function no(
  { id }: Approval,
  code: 'approval-declined' | 'approval-expired',
  detail: string,
): Asked {
  return { kind: 'no', approval: id, problem: toProblem(code, detail, { reference: id }) };
}
