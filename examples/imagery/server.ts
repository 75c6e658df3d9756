/**
 * The imagery shop. `IMAGERY_DB` names its database file; without it the shop is in memory.
 * `IMAGERY_PROCESSOR` is the address of the payment processor; without it a sandbox one is started for
 * the first charge, as a separate process, and exits with this one. `IMAGERY_PORT` is the port of the
 * shop's own HTTP server; without it that takes any free port when the first link is made.
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
  const port = process.env['IMAGERY_PORT'];
  const { server, web } = createImagery({
    store,
    processor,
    ledger: context.ledger ?? (await openLedger(`sqlite:${beside(database, 'ledger')}`)),
    // The starter of the server decides who may sign in besides the shop's own API keys.
    authenticate: context.authenticate,
    webPort: port === undefined ? undefined : Number(port),
  });
  // Links that were made before must lead somewhere at once.
  if (port !== undefined) await web();
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
