/** Billing as a server under the epd convention, assembled from its parts by server.ts. */
import type { Authenticate, Ledger, PlimsollServer } from 'plimsoll/server';
import { createServer, epd } from 'plimsoll/server';
import type { ProcessorClient } from '../payment-processor/processor-client.ts';
import { authenticateBy } from './authenticate.ts';
import { billingOperations } from './operations.ts';
import type { Shop } from './operations/declare.ts';
import type { OutboundOptions } from './outbound.ts';
import type { Bucket } from './rate-limit.ts';
import { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';

export interface BillingParts {
  readonly store: Store;
  readonly processor: ProcessorClient;
  readonly ledger: Ledger;
  readonly authenticate?: Authenticate | undefined;
  readonly now?: () => Date;
  /** Where webhooks may go. Default: the public internet only. */
  readonly outbound?: OutboundOptions;
  /** Default: those of EPD. */
  readonly buckets?: readonly Bucket[];
  /** Receives the causes of failures. Default: standard error. */
  readonly report?: (message: string, cause: unknown) => void;
}

export interface Billing {
  readonly server: PlimsollServer;
  /** What the worker needs too. */
  readonly shop: Shop;
}

export function createBilling(parts: BillingParts): Billing {
  const { store, processor, ledger, now = () => new Date(), outbound = {} } = parts;
  const shop: Shop = { store, processor, now, outbound, limiter: new RateLimiter(parts.buckets) };
  const server = createServer({
    name: 'billing',
    version: '1.0.0',
    convention: epd,
    operations: billingOperations(shop),
    authenticate: authenticateBy(store, parts.authenticate),
    ledger,
    mcp: {
      instructions:
        'Amounts are in cents. Ask before you refund, cancel or delete anything, above all when ping says live. Make one idempotency key for each intention and send the same one when you retry.',
    },
    now,
    ...(parts.report !== undefined && { report: parts.report }),
  });
  return { server, shop };
}
