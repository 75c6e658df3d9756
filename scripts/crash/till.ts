/**
 * A till as a program that can be killed: pays through the sandbox processor under a ledger. Run by
 * the crash test, which gives it everything in the environment. Prints its address.
 */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  defineOperation,
  NotSentError,
  openHttp,
  openLedger,
  ProblemError,
  spends,
} from 'plimsoll/server';
import * as z from 'zod';
import { processorClient } from '../../examples/payment-processor/processor-client.ts';

const { LEDGER = '', LEDGER_KEY = '', PROCESSOR = '' } = process.env;

const processor = processorClient(PROCESSOR, 3000);

async function charge(key: string, amountCents: number): Promise<{ charge: string }> {
  const outcome = await processor.charge({ key, card: 'card_ok', amountCents });
  switch (outcome.kind) {
    case 'charged':
      return { charge: outcome.chargeId };
    case 'refused':
      throw new ProblemError('payment-required', `The processor refused: ${outcome.reason}.`);
    case 'not-sent':
      throw new NotSentError('the processor was not reached');
    case 'in-doubt':
      throw new Error(outcome.because);
  }
}

const words = { description: 'Pays an amount through the processor.' };
const input = z.object({ amount: z.int().positive().describe('Cents, unlike any other payment') });
const output = z.object({ charge: z.string() });
const effect = spends('AUD cents', { reach: 'third-party' });

const payDedup = defineOperation({
  ...words,
  name: 'pay_dedup',
  title: 'Pay with a Key',
  input,
  output,
  effect,
  partner: { class: 'dedup' },
  run: ({ amount }, { key = '' }) => charge(key, amount),
});

/** The processor gets a new key each time, so only the key record prevents a second charge. */
const payOpaque = defineOperation({
  ...words,
  name: 'pay_opaque',
  title: 'Pay without a Key',
  input,
  output,
  effect,
  partner: { class: 'opaque' },
  run: ({ amount }) => charge(randomUUID(), amount),
});

const ledger = await openLedger(LEDGER, {
  key: Buffer.from(LEDGER_KEY, 'base64'),
  keyRules: { leaseMs: 400 },
  // While its ledger is away it cannot start; it is started again until it can.
}).catch(() => process.exit(1));
const server = createServer({
  name: 'till',
  version: '1.0.0',
  operations: [payDedup, payOpaque],
  ledger,
});
const http = await openHttp(server);
process.stdout.write(`${http.url}\n`);
process.stdin.once('end', () => process.exit(0)).resume();
