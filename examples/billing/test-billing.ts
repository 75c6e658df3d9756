/** Billing for tests: a store, a real processor process, a ledger, real HTTP, and a clock that tests move. */
import { randomUUID } from 'node:crypto';
import type { HttpServer, OpenLedger, PlimsollServer, Receipt } from 'plimsoll/server';
import { openHttp, openLedger } from 'plimsoll/server';
import { post } from '../../test/support/post.ts';
import type { ProcessorChild } from '../payment-processor/processor-child.ts';
import { openProcessorChild } from '../payment-processor/processor-child.ts';
import { processorClient } from '../payment-processor/processor-client.ts';
import { issueKey } from './authenticate.ts';
import { createBilling } from './create-billing.ts';
import type { Shop } from './operations/declare.ts';
import type { Bucket } from './rate-limit.ts';
import { LIVE_ACCOUNT, TEST_ACCOUNT } from './seed.ts';
import { Store } from './store.ts';
import { workOnce } from './worker.ts';

export type Json = Record<string, unknown>;

interface Called {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface CallOptions {
  /** Default: a new one, where the tool takes keys. `null` sends none. */
  readonly key?: string | null;
  /** Whose API key. Default: the sandbox one. `null` sends none. */
  readonly as?: string | null;
}

export interface TestBilling extends AsyncDisposable {
  readonly shop: Shop;
  readonly store: Store;
  readonly server: PlimsollServer;
  readonly http: HttpServer;
  readonly ledger: OpenLedger;
  readonly processor: ProcessorChild;
  readonly receipts: readonly Receipt[];
  readonly reports: readonly string[];
  readonly keys: { readonly test: string; readonly live: string; readonly restricted: string };
  call(name: string, args?: object, options?: CallOptions): Promise<Called>;
  /** Advances the clock and does what is due. */
  pass(ms: number): Promise<void>;
  now(): Date;
}

/** So many calls that no test meets a limit by accident. */
const WIDE: readonly Bucket[] = [{ name: 'global', most: 1_000_000, perMs: 1000 }];

export async function openTestBilling(
  options: { readonly buckets?: readonly Bucket[]; readonly start?: string } = {},
): Promise<TestBilling> {
  let time = Date.parse(options.start ?? '2026-07-01T09:00:00Z');
  const now = () => new Date(time);
  const store = new Store(':memory:');
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
  const { server, shop } = createBilling({
    store,
    ledger,
    processor: processorClient(processor.url),
    now,
    outbound: { allowLoopback: true, timeoutMs: 2000 },
    buckets: options.buckets ?? WIDE,
    report: (message, cause) => void reports.push(`${message}: ${String(cause)}`),
  });
  const http = await openHttp(server);
  const keys = {
    test: issueKey(store, TEST_ACCOUNT),
    live: issueKey(store, LIVE_ACCOUNT),
    restricted: issueKey(store, TEST_ACCOUNT, true),
  };
  return {
    shop,
    store,
    server,
    http,
    ledger,
    processor,
    receipts,
    reports,
    keys,
    now,
    async call(name, args = {}, { key, as = keys.test } = {}) {
      const takesKey = server.operations.get(name)?.effect.repeat.kind === 'key';
      const sent = key === undefined && takesKey ? randomUUID() : key;
      const answer = await post(`${http.url}/op/${name}`, JSON.stringify(args), {
        ...(as !== null && { authorization: `Bearer ${as}` }),
        ...(sent != null && { 'idempotency-key': sent }),
      });
      return { ...answer, body: JSON.parse(answer.text) as Json };
    },
    async pass(ms) {
      time += ms;
      await workOnce(shop);
    },
    [Symbol.asyncDispose]: async () => {
      await http[Symbol.asyncDispose]();
      await inner[Symbol.asyncDispose]();
      await processor[Symbol.asyncDispose]();
      store[Symbol.dispose]();
    },
  };
}

/** What a card form in a browser does: a token for one of the processor's test cards. */
export async function captureCard(processorUrl: string, card = 'card_visa'): Promise<string> {
  const { token } = (await ask(processorUrl, '/captures', { card })) as { token: string };
  return token;
}

/** The bank changes its mind about a card on file. */
export async function changeCard(processorUrl: string, id: string, card: string): Promise<void> {
  await ask(processorUrl, '/cards/change', { id, card });
}

async function ask(processorUrl: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(new URL(path, processorUrl), {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return response.json();
}

export interface Books {
  readonly charges: readonly {
    readonly id: string;
    readonly key: string;
    readonly amount_cents: number;
  }[];
  readonly refunds: readonly {
    readonly id: string;
    readonly key: string;
    readonly amount_cents: number;
  }[];
}

export async function readBooks(processorUrl: string): Promise<Books> {
  return (await (await fetch(new URL('/books', processorUrl))).json()) as Books;
}

/** In cents. */
export function totals({ charges, refunds }: Books): {
  readonly sales: number;
  readonly refunds: number;
} {
  const add = (rows: Books['charges']) =>
    rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return { sales: add(charges), refunds: add(refunds) };
}

/** What the receipts say that calls moved: the cents of each call, by tool. */
export function centsByTool(receipts: readonly Receipt[]): Record<string, readonly number[]> {
  const moved = receipts.filter(({ amount }) => amount !== undefined);
  const byTool = Map.groupBy(moved, ({ operation }) => operation);
  return Object.fromEntries(
    [...byTool].map(([name, all]) => [name, all.map(({ amount = 0 }) => amount)]),
  );
}

export const DAY = 86_400_000;

let people = 0;

/** Somebody new: nobody has their address or number. */
export function someone(): Json & { email: string } {
  people += 1;
  const number = String(people).padStart(7, '0');
  return {
    email: `buyer${number}-${randomUUID().slice(0, 8)}@harbour.example`,
    first_name: 'Mara',
    last_name: `Quay ${people}`,
    phone: `+1555${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}${number.slice(-4)}`,
  };
}

export const ADDRESS = {
  name: 'Mara Quay',
  line1: '1 Pier Road',
  city: 'Portland',
  state: 'ME',
  postal_code: '04101',
  country: 'US',
};
