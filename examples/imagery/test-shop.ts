/** The whole shop for tests: a store in memory, a real processor process, a ledger, and real HTTP. */
import type { HttpServer, OpenLedger, PlimsollServer, Receipt } from 'plimsoll/server';
import { openHttp, openLedger, staticTokens } from 'plimsoll/server';
import { post } from '../../test/support/post.ts';
import { createImagery } from './create-imagery.ts';
import type { ProcessorChild } from '../payment-processor/processor-child.ts';
import { openProcessorChild } from '../payment-processor/processor-child.ts';
import { processorClient } from '../payment-processor/processor-client.ts';
import type { Store } from './store.ts';
import { openStore } from './store.ts';
import { workOnce } from './worker.ts';

export interface Called {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
  readonly text: string;
}

interface CallOptions {
  /** Whose token; default: `mara` of org_reef. `null` sends none. */
  readonly as?: string | null;
  readonly key?: string;
}

export interface TestShop extends AsyncDisposable {
  readonly store: Store;
  readonly ledger: OpenLedger;
  readonly server: PlimsollServer;
  readonly http: HttpServer;
  /** The shop's own HTTP server. */
  readonly web: string;
  readonly processor: ProcessorChild;
  readonly receipts: readonly Receipt[];
  /** The causes of failures, which callers do not see. */
  readonly reports: readonly string[];
  call(name: string, args?: object, options?: CallOptions): Promise<Called>;
  /** Advances the clock and runs what is due. */
  pass(ms: number): void;
  now(): Date;
  charges(): Promise<number>;
}

/** A token is the name of its holder. */
const PEOPLE = staticTokens([
  { token: 'mara', principal: { id: 'mara', tenant: 'org_reef', scopes: ['*'] } },
  { token: 'tomas', principal: { id: 'tomas', tenant: 'org_reef', scopes: ['*'] } },
  { token: 'ines', principal: { id: 'ines', tenant: 'org_terra', scopes: ['*'] } },
  { token: 'reader', principal: { id: 'rita', tenant: 'org_reef', scopes: ['*:read'] } },
  { token: 'nobody', principal: { id: 'nell', tenant: 'org_reef', scopes: [] } },
  { token: 'stray', principal: { id: 'sam', scopes: ['*'] } },
]);

/** `database` is a file, for tests that read it directly. */
export async function openTestShop(database = ':memory:'): Promise<TestShop> {
  let time = Date.parse('2026-07-01T12:00:00Z');
  const now = () => new Date(time);
  const store = openStore(database);
  const processor = await openProcessorChild({ slowMs: 100 });
  const inner = await openLedger('sqlite::memory:');
  const receipts: Receipt[] = [];
  const ledger: OpenLedger = {
    ...inner,
    record: (entry, tx) => {
      receipts.push(entry.receipt);
      return inner.record(entry, tx);
    },
  };
  const reports: string[] = [];
  const imagery = createImagery({
    store,
    ledger,
    processor: processorClient(processor.url),
    authenticate: PEOPLE,
    now,
    report: (message, cause) => void reports.push(`${message}: ${String(cause)}`),
  });
  const { server } = imagery;
  const http = await openHttp(server);
  const web = await imagery.web();
  return {
    store,
    ledger,
    server,
    http,
    web,
    processor,
    receipts,
    reports,
    now,
    async call(name, args = {}, { as = 'mara', key } = {}) {
      const { status, headers, text } = await post(`${http.url}/op/${name}`, JSON.stringify(args), {
        ...(as !== null && { authorization: `Bearer ${as}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
      });
      return { status, headers, text, body: JSON.parse(text) as Record<string, unknown> };
    },
    pass(ms) {
      time += ms;
      workOnce(store, now());
    },
    async charges() {
      const response = await fetch(`${processor.url}/charges/count`);
      return ((await response.json()) as { count: number }).count;
    },
    [Symbol.asyncDispose]: async () => {
      await http[Symbol.asyncDispose]();
      await imagery[Symbol.asyncDispose]();
      await inner[Symbol.asyncDispose]();
      await processor[Symbol.asyncDispose]();
      store.close();
    },
  };
}

export const MINUTE = 60_000;

/** Twenty square kilometres of the sample scene, for 240 credits. */
export const SAMPLE_CAPTURE = { id: 'scn_sample_harbour', bbox: [151.2, -33.9, 151.2487, -33.86] };

/** An item with its raster, as an order delivers it. */
export async function deliveredItem(shop: TestShop): Promise<{ itemId: string; assetId: string }> {
  const placed = await shop.call('orders.archive.place', {
    project_id: 'prj_reef',
    captures: [SAMPLE_CAPTURE],
  });
  shop.pass(MINUTE);
  const order = String(placed.body['id']);
  const { body } = await shop.call('orders.list_assets', { order_id: order });
  const [asset] = body['assets'] as readonly { id: string; item_id: string }[];
  return { itemId: asset?.item_id ?? '', assetId: asset?.id ?? '' };
}
