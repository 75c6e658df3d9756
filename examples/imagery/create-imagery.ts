/** The shop as a server under the geopera convention, assembled from its parts by server.ts. */
import type { Authenticate, Ledger, PlimsollServer } from 'plimsoll/server';
import { createServer, geopera } from 'plimsoll/server';
import { authenticateBy } from './authenticate.ts';
import type { Downloads } from './downloads.ts';
import { openDownloads } from './downloads.ts';
import { fromExportSubject } from './operations/assets.ts';
import { imageryOperations } from './operations.ts';
import type { ProcessorClient } from '../payment-processor/processor-client.ts';
import { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';

export interface ImageryParts {
  readonly store: Store;
  readonly processor: ProcessorClient;
  readonly ledger: Ledger;
  readonly authenticate?: Authenticate | undefined;
  readonly now?: () => Date;
  /** Receives the causes of failures. Default: standard error. */
  readonly report?: (message: string, cause: unknown) => void;
}

export interface Imagery extends AsyncDisposable {
  readonly server: PlimsollServer;
}

export function createImagery(parts: ImageryParts): Imagery {
  const { store, processor, ledger, now = () => new Date() } = parts;
  let downloads: Promise<Downloads> | undefined;
  const server = createServer({
    name: 'imagery',
    version: '1.0.0',
    convention: geopera,
    operations: imageryOperations({
      store,
      processor,
      limiter: new RateLimiter(() => now().getTime()),
      now,
      // Opened on the first export: most servers never need it.
      downloads: async () => {
        downloads ??= openDownloads({ redeem, report: (...told) => server.report(...told) });
        return (await downloads).url;
      },
    }),
    authenticate: authenticateBy(store, parts.authenticate),
    ledger,
    mcp: {
      instructions:
        'Before you place an order or run a process, call its estimate, show the price and ask. Then place it once with one idempotency key, and send the same key again if you must retry.',
    },
    now,
    ...(parts.report !== undefined && { report: parts.report }),
  });

  async function redeem(secret: string) {
    const opened = await ledger.secrets?.issuerFor(undefined).redeem(secret);
    const exportId = opened === undefined ? undefined : fromExportSubject(opened.subject);
    return exportId === undefined ? undefined : store.exports.assetOf(exportId);
  }

  return {
    server,
    [Symbol.asyncDispose]: async () => (await downloads)?.[Symbol.asyncDispose](),
  };
}
