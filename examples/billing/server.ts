/**
 * The billing server. `BILLING_DB` names its database file; without it everything is in memory.
 * `BILLING_PROCESSOR` is the address of the payment processor; without it a sandbox one is started for the first
 * charge. `BILLING_CLOCK` names a file that holds the time, for tests; `BILLING_LOOPBACK=1` lets webhooks go to
 * this machine.
 */
import { readFileSync } from 'node:fs';
import type { PlimsollServer, ServeContext } from 'plimsoll/server';
import { openLedger } from 'plimsoll/server';
import type { ProcessorChild } from '../payment-processor/processor-child.ts';
import { openProcessorChild } from '../payment-processor/processor-child.ts';
import { processorClient } from '../payment-processor/processor-client.ts';
import { createBilling } from './create-billing.ts';
import { Store } from './store.ts';
import { openWorker } from './worker.ts';

const MEMORY = ':memory:';

export default async function serveBilling(context: ServeContext = {}): Promise<PlimsollServer> {
  const database = process.env['BILLING_DB'] ?? MEMORY;
  const clock = process.env['BILLING_CLOCK'];
  const now = clock === undefined ? () => new Date() : () => new Date(readFileSync(clock, 'utf8'));
  const { server, shop } = createBilling({
    store: new Store(database),
    processor: processorClient(process.env['BILLING_PROCESSOR'] ?? sandboxProcessor(database)),
    ledger: context.ledger ?? (await openLedger(`sqlite:${beside(database, 'ledger')}`)),
    // The starter of the server decides who may sign in besides the merchant's API keys.
    authenticate: context.authenticate,
    now,
    outbound: { allowLoopback: process.env['BILLING_LOOPBACK'] === '1' },
  });
  openWorker(shop, server.report, Number(process.env['BILLING_WORK_MS'] ?? '1000'));
  return server;
}

/** The address of a processor that is started on first use. */
function sandboxProcessor(database: string): () => Promise<string> {
  let child: Promise<ProcessorChild> | undefined;
  return async () => {
    child ??= openProcessorChild({ database: beside(database, 'processor') });
    return (await child).url;
  };
}

function beside(database: string, what: string): string {
  return database === MEMORY ? MEMORY : `${database}.${what}`;
}
