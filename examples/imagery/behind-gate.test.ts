/** The running shop behind the gate, as an agent and the person who is asked see it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Approval, Approvals, PolicyInit } from 'plimsoll/gate';
import { cardToText, gateTransport, openApprovals, openLedger, toPolicy } from 'plimsoll/gate';
import type { OpenLedger, Problem, Receipt } from 'plimsoll/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toTableTools, toToolTables } from '../../src/serve/to-tool-tables.ts';
import { toAssetAddress } from './asset-address.ts';
import { withoutMeta } from './test-support.ts';
import type { TestShop } from './test-shop.ts';
import { deliveredItem, openTestShop, SAMPLE_CAPTURE } from './test-shop.ts';

let shop: TestShop;
let itemId: string;
let assetId: string;

let client: Client;
let ledger: OpenLedger;
let approvals: Approvals;

beforeAll(async () => {
  shop = await openTestShop();
  ({ itemId, assetId } = await deliveredItem(shop));
});

afterAll(() => shop[Symbol.asyncDispose]());

interface Setting {
  /** Whose token; default: `mara` of org_reef. */
  readonly as?: string;
  readonly policy?: PolicyInit;
  /** Takes `_meta` from the lists of the shop. */
  readonly strips?: boolean;
}

async function open({ as = 'mara', policy = {}, strips = false }: Setting = {}): Promise<void> {
  ledger = await openLedger('sqlite::memory:');
  approvals = openApprovals(ledger.store);
  client = new Client({ name: 'agent', version: '1' });
  const http = new StreamableHTTPClientTransport(new URL(shop.http.mcpUrl), {
    requestInit: { headers: { authorization: `Bearer ${as}` } },
  });
  await client.connect(
    gateTransport(strips ? withoutMeta(http) : http, {
      server: 'imagery',
      ledger,
      trusted: true,
      mode: 'sandbox',
      policy: toPolicy({ asking: { holdSeconds: 0 }, ...policy }),
    }),
  );
}

afterEach(async () => {
  await client.close();
  await ledger[Symbol.asyncDispose]();
});

type Hints = NonNullable<Awaited<ReturnType<Client['listTools']>>['tools'][number]['annotations']>;

interface Called {
  readonly value: Record<string, unknown>;
  readonly code: string | undefined;
}

async function call(name: string, args: object = {}): Promise<Called> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const problem = result._meta?.['dev.plimsoll/problem'] as Problem | undefined;
  const value = (result.structuredContent ?? {}) as Record<string, unknown>;
  return { value, code: problem?.code };
}

async function question(): Promise<Approval> {
  const [asked, ...others] = await approvals.listPending();
  if (asked === undefined || others.length > 0) throw new Error('not one question waits');
  return asked;
}

async function sayYes({ id, display }: Approval): Promise<void> {
  await approvals.answer(id, { kind: 'approve', approver: 'mara', channel: 'terminal', display });
}

async function receipts(): Promise<readonly Receipt[]> {
  await ledger.flush();
  const rows = await ledger.store.transaction((tx) =>
    tx.list('receipts', { orderBy: 'seq', limit: 1000 }),
  );
  return rows.map(({ body }) => JSON.parse(body) as Receipt);
}

const PLACE = { project_id: 'prj_reef', captures: [SAMPLE_CAPTURE] };
const RASTER = () => ({
  cog_url: toAssetAddress(assetId),
  bbox: [151.2, -33.9, 151.3, -33.8],
  max_size: 64,
  formula: 'nir - red',
});

describe('a spend', () => {
  it('R119 R120 R128: is estimated first, then asked about with its price, and only then placed', async () => {
    await open();
    const before = shop.store.credits.balance('org_reef');
    expect((await call('orders.archive.place', PLACE)).code).toBe('approval-pending');
    expect(shop.store.credits.balance('org_reef')).toEqual(before);
    const asked = await question();
    expect(asked.card?.price).toEqual({
      amount: '240',
      unit: 'credits',
      from: 'orders.archive.estimate',
    });
    expect(asked.card && cardToText(asked.card)).toMatch(/price +240 credits/);
    const early = await receipts();
    expect(early.map(({ operation, request }) => [operation, request])).toContainEqual([
      'orders.archive.estimate',
      'estimate',
    ]);
    await sayYes(asked);
    const placed = await call('orders.archive.place', PLACE);
    expect(placed.value).toMatchObject({ status: 'placed', credits: 240 });
    expect(shop.store.credits.balance('org_reef').available).toBe(before.available - 240);
  });

  it('R96 R200: that cannot be paid comes back as the same 402, with its numbers', async () => {
    await open({ as: 'ines' });
    const args = { ...PLACE, project_id: 'prj_terra' };
    const direct = await shop.call('orders.archive.place', args, { as: 'ines' });
    expect(direct.status).toBe(402);
    await call('orders.archive.place', args);
    await sayYes(await question());
    const result = await client.callTool({ name: 'orders.archive.place', arguments: args });
    expect(result.isError).toBe(true);
    expect(result._meta?.['dev.plimsoll/problem']).toEqual(direct.body);
  });

  it('R213: estimates are reads, and nobody is asked about them', async () => {
    await open();
    const { tools } = await client.listTools();
    const estimates = tools.filter(({ name }) => name.endsWith('.estimate'));
    expect(estimates.map(({ _meta }) => _meta?.['x-side-effect'])).toEqual([
      'read',
      'read',
      'read',
    ]);
    expect(estimates.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const group = {
      sensor: 'kestrel-3',
      bbox: [151.1, -33.95, 151.2, -33.85],
      window_start: '2026-08-01T00:00:00Z',
      window_end: '2026-08-20T00:00:00Z',
    };
    const args: Readonly<Record<string, object>> = {
      'orders.archive.estimate': { captures: [SAMPLE_CAPTURE] },
      'orders.tasking.estimate': { groups: [group] },
      'processing.catalog.estimate': { process_id: 'pansharpen', inputs: { item_id: itemId } },
    };
    for (const { name } of estimates) {
      const { code, value } = await call(name, args[name]);
      expect([name, code]).toEqual([name, undefined]);
      expect(Number(value['total_credits'] ?? value['totalCredits'])).toBeGreaterThan(0);
    }
    expect(await approvals.listPending()).toEqual([]);
  });
});

describe('sharing', () => {
  const args = () => ({ item_id: itemId, asset_id: assetId });

  it('R124: asks because of the tier in `_meta`, which the booleans do not tell', async () => {
    await open();
    expect((await call('items.asset.download', args())).code).toBe('approval-pending');
    const { card } = await question();
    expect(card?.tier).toBe('share_export');
    expect(card?.reasons[0]).toBe('its _meta claims share_export');
    await client.close();
    await ledger[Symbol.asyncDispose]();
    // The same tool with the same booleans, and no tier.
    await open({ strips: true });
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'items.asset.download');
    expect(tool?.annotations).toMatchObject({ destructiveHint: false, openWorldHint: true });
    expect((await call('items.asset.download', args())).code).toBeUndefined();
  });
});

describe('compute', () => {
  it('R217: runs without a question until its budget is used up', async () => {
    const budget = { name: 'jobs', counts: 'calls', limit: 2, per: 'hour' } as const;
    await open({ policy: { budgets: [{ ...budget, match: { tier: 'compute' } }] } });
    const codes: (string | undefined)[] = [];
    for (let times = 0; times < 3; times += 1) {
      codes.push((await call('analytics.band_math', RASTER())).code);
    }
    expect(codes).toEqual([undefined, undefined, 'budget-exhausted']);
    expect(await approvals.listPending()).toEqual([]);
    // What only looks is not counted.
    expect((await call('billing.credits.balance')).code).toBeUndefined();
  });

  it('R217: is bounded by the shop itself as well, with a budget for each day', async () => {
    await open();
    const { value } = await call('usage.current', { organization_id: 'org_reef' });
    await call('analytics.band_math', RASTER());
    const after = await call('usage.current', { organization_id: 'org_reef' });
    expect(after.value['compute_seconds_today']).toBeGreaterThan(
      Number(value['compute_seconds_today']),
    );
    expect(after.value['compute_seconds_per_day']).toEqual(expect.any(Number));
  });
});

describe('before a call', () => {
  it('R130: an agent can tell of every tool how far it reaches, and a person sees it of the call', async () => {
    await open();
    const { tools } = await client.listTools();
    expect(tools.length).toBe(shop.server.operations.size);
    for (const { name, _meta } of tools) {
      const { effect, scopes, produces } = shop.server.operations.get(name) ?? {};
      expect([name, _meta]).toMatchObject([
        name,
        {
          'x-side-effect': effect?.tier,
          'x-required-scope': scopes?.join(' '),
          'x-produces': produces,
        },
      ]);
    }
    const { body } = await shop.call('projects.create', { name: 'Old' });
    const seen = shop.receipts.length;
    expect((await call('projects.delete', { project_id: body['id'] })).code).toBe(
      'approval-pending',
    );
    const { card } = await question();
    expect(card).toMatchObject({
      tier: 'destructive',
      meaning: 'It deletes something.',
      mode: 'sandbox',
    });
    expect(card && cardToText(card)).toContain(String(body['id']));
    // Nothing has reached the shop.
    expect(shop.receipts).toHaveLength(seen);
  });

  it('R132: the list can be grouped into reads, writes and deletes', async () => {
    await open();
    const { tools } = await client.listTools();
    const { safety } = toToolTables(toTableTools(shop.server));
    const groups = new Map(
      [...safety.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm)].map(
        ([, tier = '', names = '']) => [
          tier,
          names.split(', ').map((name) => name.replaceAll('`', '')),
        ],
      ),
    );
    const named = (is: (hints: Hints) => boolean) =>
      tools.filter(({ annotations = {} }) => is(annotations)).map(({ name }) => name);
    expect(groups.get('read')).toEqual(named(({ readOnlyHint }) => readOnlyHint === true));
    expect(groups.get('destructive')).toEqual(
      named(({ destructiveHint }) => destructiveHint === true),
    );
    const writes = ['compute', 'share_export', 'external_spend'].flatMap(
      (tier) => groups.get(tier) ?? [],
    );
    expect(writes.toSorted()).toEqual(
      named((hints) => hints.readOnlyHint === false && hints.destructiveHint === false).toSorted(),
    );
  });
});
