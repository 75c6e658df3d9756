/** The transcript in the README, done for real by an MCP client. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestShop } from './test-shop.ts';
import { openTestShop, SAMPLE_CAPTURE } from './test-shop.ts';

const README = readFileSync(new URL('./README.md', import.meta.url), 'utf8');

let shop: TestShop;
let client: Client;

beforeAll(async () => {
  shop = await openTestShop();
  client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(shop.http.mcpUrl), {
      requestInit: { headers: { authorization: 'Bearer mara' } },
    }),
  );
});

afterAll(async () => {
  await client.close();
  await shop[Symbol.asyncDispose]();
});

async function call(name: string, args: object): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: { ...args } });
  expect(result.isError).not.toBe(true);
  return result.structuredContent as Record<string, unknown>;
}

describe('estimate, ask, place', () => {
  it('R181: the README shows it, with the tiers and the price that the tools really have', async () => {
    const steps = [...README.matchAll(/^agent +([\w]+\.[\w.]+) +(\w+)/gm)].map(
      ([, name, tier]) => ({
        name,
        tier,
      }),
    );
    const { tools } = await client.listTools();
    const tierOf = (name: string | undefined) =>
      tools.find((tool) => tool.name === name)?._meta?.['x-side-effect'];
    expect(steps.map(({ name }) => name)).toEqual([
      'catalog.search',
      'orders.archive.estimate',
      'orders.archive.place',
    ]);
    for (const { name, tier } of steps) expect([name, tierOf(name)]).toEqual([name, tier]);
    const estimate = await call('orders.archive.estimate', { captures: [SAMPLE_CAPTURE] });
    const price = String(estimate['total_credits']);
    expect(README).toContain(`runs at once: ${price} credits`);
    expect(README).toContain(`These scenes cost ${price} credits. Order them?`);
  });

  it('R191: docs/conventions.md shows one tool to the letter as the shop lists it', async () => {
    const page = readFileSync(new URL('../../docs/conventions.md', import.meta.url), 'utf8');
    const [, shown = ''] = /## What an agent sees[^]*?```json\n([^]*?)```/.exec(page) ?? [];
    const entry = JSON.parse(shown) as { readonly name: string };
    const { tools } = await client.listTools();
    expect(entry).toEqual(tools.find(({ name }) => name === entry.name));
    expect(entry).toMatchObject({
      description: expect.any(String),
      inputSchema: { type: 'object' },
      annotations: expect.any(Object),
    });
  });

  it('happens as it is written: one price from the search to the charge, one order for one key', async () => {
    const found = await call('catalog.search', {
      host_name: 'kestrel',
      bbox: SAMPLE_CAPTURE.bbox,
      datetime: '2026-06-14',
      query: { 'eo:cloud_cover': { lte: 5 } },
    });
    const [scene] = found['features'] as readonly { id: string }[];
    const captures = [{ ...SAMPLE_CAPTURE, id: scene?.id }];
    const estimate = await call('orders.archive.estimate', { captures });
    const before = shop.store.credits.balance('org_reef').available;
    const place = {
      project_id: 'prj_reef',
      captures,
      expected_credits: estimate['total_credits'],
      idempotency_key: randomUUID(),
    };
    const first = await call('orders.archive.place', place);
    const retried = await call('orders.archive.place', place);
    expect(retried).toEqual(first);
    expect(first['credits']).toBe(estimate['total_credits']);
    expect(shop.store.credits.balance('org_reef').available).toBe(before - 240);
  });
});
