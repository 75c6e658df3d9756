/**
 * The catalogue as a server under the closient convention. `CATALOG_DB` names a file to store user
 * actions; without it the catalogue is in memory and starts fresh.
 */
import type { PlimsollServer, ServeContext } from 'plimsoll/server';
import { closient, createServer } from 'plimsoll/server';
import { catalogOperations } from './operations.ts';
import { openStore } from './store.ts';

export default function createCatalog(context: ServeContext = {}): PlimsollServer {
  const store = openStore(process.env['CATALOG_DB'] ?? ':memory:');
  return createServer({
    name: 'catalog',
    version: '1.0.0',
    convention: closient,
    mcpPath: '/mcp/http',
    operations: catalogOperations({ store, now: () => new Date(), linkHost: 'id.catalog.example' }),
    // The starter of the server decides who may sign in; by default nobody may.
    authenticate: context.authenticate ?? (() => undefined),
    ...(context.ledger !== undefined && { ledger: context.ledger }),
  });
}
