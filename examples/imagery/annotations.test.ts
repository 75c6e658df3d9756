/** What the shop tells hosts, tool by tool against what Geopera publishes. */
import { readFileSync } from 'node:fs';
import { stamp, TIER_NAMES } from 'plimsoll';
import { geopera, openLedger } from 'plimsoll/server';
import { describe, expect, it } from 'vitest';
import { fillMarkers } from '../../src/cli/docs.ts';
import { toTableTools, toToolTables } from '../../src/serve/to-tool-tables.ts';
import record from '../../test/fixtures/geopera.json' with { type: 'json' };
import { createImagery } from './create-imagery.ts';
import { processorClient } from '../payment-processor/processor-client.ts';
import { openStore } from './store.ts';

const { server } = createImagery({
  store: openStore(':memory:'),
  ledger: await openLedger('sqlite::memory:'),
  processor: processorClient('http://127.0.0.1:9'),
});
const operations = [...server.operations.values()];
const recorded = new Map(record.operations.map((each) => [each.operation, each]));

describe('the pages', () => {
  it.each(['README.md', 'scopes.md'])('%s has the tables of these operations', (page) => {
    const text = readFileSync(new URL(page, import.meta.url), 'utf8');
    expect(fillMarkers(text, { ...toToolTables(toTableTools(server)) })).toBe(text);
  });
});

describe('every operation', () => {
  it('is one that Geopera has a tool for; there are enough, of every tier', () => {
    expect(operations.length).toBeGreaterThanOrEqual(45);
    expect(operations.filter(({ name }) => recorded.get(name)?.excluded !== null)).toEqual([]);
    expect(new Set(operations.map(({ effect }) => effect.tier))).toEqual(new Set(TIER_NAMES));
  });

  it.each(operations)('$name has the recorded tier, scope, products and hints', (operation) => {
    const { annotations, _meta } = stamp(operation, geopera);
    const expected = recorded.get(operation.name);
    expect(operation.scopes).toEqual([expected?.scope]);
    expect(annotations).toEqual(expected?.hints);
    expect(_meta).toMatchObject({
      'x-side-effect': expected?.tier,
      'x-required-scope': expected?.scope,
      'x-produces': expected?.produces,
    });
  });

  it('names its estimate where one is recorded', () => {
    const pairs: Readonly<Record<string, string>> = record.estimatePairs;
    for (const { name, effect } of operations) {
      expect([name, effect.money?.estimate]).toEqual([name, pairs[name]]);
    }
  });

  it('says why there is no estimate, wherever money moves without one', () => {
    const silent = operations
      .filter(({ effect }) => effect.tier === 'external_spend')
      .filter(({ effect }) => effect.money?.estimate === undefined);
    expect(silent.map(({ name }) => name)).toEqual([
      'orders.cancel',
      'billing.topup',
      'billing.approvals.approve',
    ]);
    for (const { description } of silent) expect(description).toMatch(/There is no estimate[,:] /);
  });

  it('takes a key as an argument, and keeps it for ever, exactly where money moves', () => {
    const keyed = operations.filter(({ inputSchema }) =>
      Object.hasOwn(inputSchema['properties'] ?? {}, 'idempotency_key'),
    );
    const spending = operations.filter(({ effect }) => effect.tier === 'external_spend');
    expect(keyed.map(({ name }) => name)).toEqual(spending.map(({ name }) => name));
    for (const { partner } of keyed) expect(partner.class).toBe('dedup');
  });
});
