/** A call that needs a yes, and what is asked about it, with whatever a test wants changed. */
import type { Question } from '../../src/gate/approvals/approval.ts';
import type { Answer } from '../../src/gate/approvals/approval-machine.ts';
import type { CardInit } from '../../src/gate/approvals/card.ts';
import { toCard } from '../../src/gate/approvals/card.ts';
import type { Binding } from '../../src/gate/approvals/binding.ts';
import { digestArguments } from '../../src/gate/approvals/binding.ts';

export const ARGUMENTS = '{"to":"alice","amount":12.5}';

export function toTestBinding(changes: Partial<Binding> = {}): Binding {
  return {
    tenant: 'acme',
    principal: 'agent',
    session: 's1',
    server: 'shop',
    tool: 'place_order',
    tier: 'external_spend',
    mode: 'live',
    definition: 'd'.repeat(64),
    arguments: digestArguments(Buffer.from(ARGUMENTS)),
    policy: 'p1',
    ...changes,
  };
}

export function toTestCardInit(changes: Partial<CardInit> = {}): CardInit {
  return {
    server: 'shop',
    tool: 'place_order',
    title: 'Place an order',
    tier: 'external_spend',
    why: 'It moves money.',
    reasons: [{ code: 'verb', source: 'name', text: 'The name says "order".' }],
    price: { amount: '12.50', unit: 'EUR', from: 'estimate_order' },
    argumentsText: ARGUMENTS,
    principal: 'agent',
    session: 's1',
    mode: 'live',
    channels: ['elicitation', 'console', 'terminal', 'webhook'],
    scopes: ['call', 'arguments', 'session'],
    ...changes,
  };
}

/** A question about a call that the text of its arguments tells from others. */
export function toTestQuestion(
  argumentsText: string = ARGUMENTS,
  changes: Partial<CardInit> = {},
): Question {
  const init = toTestCardInit({ argumentsText, ...changes });
  const { server, tool, tier, principal, session, mode } = init;
  return {
    binding: toTestBinding({
      server,
      tool,
      tier,
      principal,
      session,
      mode,
      arguments: digestArguments(Buffer.from(argumentsText)),
    }),
    card: toCard(init),
    expirySeconds: 600,
  };
}

export function toTestAnswer(display: string, changes: Partial<Answer> = {}): Answer {
  return { kind: 'approve', approver: 'mia', channel: 'terminal', display, ...changes };
}
