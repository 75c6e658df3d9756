/**
 * The catalogue as a server under the closient convention. `CATALOG_DB` names a file to keep what users
 * did; without it the catalogue lives in memory and begins anew.
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
    // Who may sign in is for whoever starts the server to say; until then, nobody may.
    authenticate: context.authenticate ?? (() => undefined),
    ...(context.ledger !== undefined && { ledger: context.ledger }),
  });
}
