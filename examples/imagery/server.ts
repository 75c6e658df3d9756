/**
 * The imagery shop. `IMAGERY_DB` names its database file; without it the shop is in memory.
 * `IMAGERY_PROCESSOR` is the address of the payment processor; without it a sandbox one is started for
 * the first charge, as a separate process, and exits with this one.
 */
import type { PlimsollServer, ServeContext } from 'plimsoll/server';
import { openLedger } from 'plimsoll/server';
import { createImagery } from './create-imagery.ts';
import type { ProcessorChild } from '../payment-processor/processor-child.ts';
import { openProcessorChild } from '../payment-processor/processor-child.ts';
import { processorClient } from '../payment-processor/processor-client.ts';
import { openStore } from './store.ts';
import { openWorker } from './worker.ts';

const MEMORY = ':memory:';

export default async function createShop(context: ServeContext = {}): Promise<PlimsollServer> {
  const database = process.env['IMAGERY_DB'] ?? MEMORY;
  const store = openStore(database);
  const processor = processorClient(process.env['IMAGERY_PROCESSOR'] ?? sandboxProcessor(database));
  const { server } = createImagery({
    store,
    processor,
    ledger: context.ledger ?? (await openLedger(`sqlite:${beside(database, 'ledger')}`)),
    // The starter of the server decides who may sign in besides the shop's own API keys.
    authenticate: context.authenticate,
  });
  openWorker({ store, processor, now: () => new Date(), report: server.report });
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
