/** The shop as a server under the geopera convention, assembled from its parts by server.ts. */
import { randomBytes } from 'node:crypto';
import type { Authenticate, Ledger, PlimsollServer } from 'plimsoll/server';
import { createServer, geopera } from 'plimsoll/server';
import { authenticateBy } from './authenticate.ts';
import { fromExportSubject } from './operations/assets.ts';
import type { Shop } from './operations/declare.ts';
import { imageryOperations } from './operations.ts';
import type { ProcessorClient } from '../payment-processor/processor-client.ts';
import { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';
import { downloadOfExport, usageReport } from './web/files.ts';
import { thumbnailOfItem, tileOfItem } from './web/images.ts';
import { officeOperations, reconcile, workDue } from './web/office.ts';
import type { Web } from './web/open-web.ts';
import { openWeb } from './web/open-web.ts';
import { sharedHandlers } from './web/shared.ts';
import { jobsAsEvents, scenesAsLines } from './web/streams.ts';
import { deleteItems, runGraph } from './web/untyped.ts';

export interface ImageryParts {
  readonly store: Store;
  readonly processor: ProcessorClient;
  readonly ledger: Ledger;
  readonly authenticate?: Authenticate | undefined;
  readonly now?: () => Date;
  /** Receives the causes of failures. Default: standard error. */
  readonly report?: (message: string, cause: unknown) => void;
  /** Of the shop's own HTTP server. Default: any free one. */
  readonly webPort?: number | undefined;
}

export interface Imagery extends AsyncDisposable {
  readonly server: PlimsollServer;
  /** The address of the shop's own HTTP server, which is opened on first use. */
  readonly web: () => Promise<string>;
}

export function createImagery(parts: ImageryParts): Imagery {
  const { store, processor, ledger, now = () => new Date() } = parts;
  let opened: Promise<Web> | undefined;
  const signingKey = randomBytes(32);
  const shop: Shop = {
    store,
    processor,
    limiter: new RateLimiter(() => now().getTime()),
    now,
    web,
    signingKey,
  };
  const common = {
    version: '1.0.0',
    convention: geopera,
    authenticate: authenticateBy(store, parts.authenticate),
    ledger,
    now,
    ...(parts.report !== undefined && { report: parts.report }),
  };
  const server = createServer({
    ...common,
    name: 'imagery',
    operations: imageryOperations(shop),
    mcp: {
      instructions:
        'Before you place an order or run a process, call its estimate, show the price and ask. Then place it once with one idempotency key, and send the same key again if you must retry.',
    },
  });
  const office = createServer({
    ...common,
    name: 'imagery-office',
    operations: officeOperations(shop),
  });

  async function web(): Promise<string> {
    const shared = sharedHandlers(shop);
    opened ??= openWeb({
      servers: [server, office],
      report: server.report,
      port: parts.webPort,
      handlers: {
        'items.tile.render': tileOfItem,
        'items.thumbnail': thumbnailOfItem,
        'share.tile.render': shared.tile,
        'share.open': shared.page,
        'share.asset.download': shared.file,
        'exports.download': downloadOfExport({ redeem, signingKey, now }),
        'reports.generate': usageReport,
        'catalog.search_stream': scenesAsLines,
        'processing.jobs.watch': jobsAsEvents,
        'billing.reconciliation.run': reconcile,
        'orders.deliver_due': workDue,
        'items.bulk_delete': deleteItems,
        'processing.create_and_dispatch': runGraph,
      },
    });
    return (await opened).url;
  }

  async function redeem(secret: string) {
    const found = await ledger.secrets?.issuerFor(undefined).redeem(secret);
    const exportId = found === undefined ? undefined : fromExportSubject(found.subject);
    return exportId === undefined ? undefined : store.exports.find(exportId);
  }

  return {
    server,
    web,
    [Symbol.asyncDispose]: async () => (await opened)?.[Symbol.asyncDispose](),
  };
}
