/** Asking a person while others wait for answers, and listing what waits. */
import { join } from 'node:path';
import { openLedger } from 'plimsoll/server';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import { digestArguments } from '../../src/gate/approvals/binding.ts';
import { toCard } from '../../src/gate/approvals/card.ts';
import { cpuOf, medianOf, print } from './cost.ts';

export async function measureQuestions(folder: string): Promise<void> {
  await using ledger = await openLedger(`sqlite:${join(folder, 'questions.sqlite')}`);
  const approvals = openApprovals(ledger.store);
  const made = { questions: 0 };
  const ask = (): Promise<unknown> => {
    made.questions += 1;
    return approvals.request(toQuestion(made.questions));
  };
  print('questions', 'ask µs', 'list µs');
  for (const count of [1, 10, 100, 1000]) {
    while (made.questions < count - 1) await ask();
    const cost = await cpuOf(ask);
    print(String(count), cost, await medianOf(() => approvals.listPending()));
  }
}

function toQuestion(index: number): Parameters<ReturnType<typeof openApprovals>['request']>[0] {
  const argumentsText = JSON.stringify({ order: index });
  const card = toCard({
    server: 'shop',
    tool: 'place_order',
    title: 'Place an order',
    tier: 'external_spend',
    why: 'It moves money.',
    reasons: [],
    argumentsText,
    principal: 'agent',
    session: 's1',
    mode: 'live',
    channels: ['console', 'terminal'],
    scopes: ['call'],
  });
  const binding = {
    tenant: '',
    principal: 'agent',
    session: 's1',
    server: 'shop',
    tool: 'place_order',
    tier: 'external_spend',
    mode: 'live',
    definition: 'd'.repeat(64),
    arguments: digestArguments(Buffer.from(argumentsText)),
    policy: 'p1',
  } as const;
  return { binding, card, expirySeconds: 900 };
}
