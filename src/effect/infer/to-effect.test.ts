import { describe, expect, it } from 'vitest';
import type { Reach } from '../effect.ts';
import { narrowEffect } from '../narrow-effect.ts';
import type { Repeat } from '../repeat.ts';
import type { Tier } from '../tier.ts';
import { inferEffect } from './infer-effect.ts';
import type { Trust } from './trust.ts';

function reachOf(name: string, properties: object = {}, annotations = {}, trusted = false): Reach {
  return inferEffect({ name, annotations, inputSchema: { properties } }, { trusted }).effect.reach;
}

describe('reach', () => {
  it('of what is delivered or shared is other people', () => {
    expect(reachOf('send_email', { to: {} })).toBe('third-party');
    expect(reachOf('create_share_link')).toBe('third-party');
    expect(reachOf('create_note', { webhook_url: {} })).toBe('third-party');
    expect(reachOf('transfer_funds', { to_address: {} })).toBe('third-party');
  });

  it('of a read that takes an address is that address', () => {
    expect(reachOf('fetch_page', { url: {} })).toBe('user-url');
  });

  it('of public data is the vendor, and of the rest the account', () => {
    expect(reachOf('web_search', { query: {} })).toBe('vendor-data');
    expect(reachOf('get_note', {}, { openWorldHint: true })).toBe('vendor-data');
    expect(reachOf('get_note')).toBe('own-account');
    expect(reachOf('update_note')).toBe('own-account');
  });

  it('is drawn in by a hint of a trusted server only', () => {
    const closed = { openWorldHint: false };
    expect(reachOf('web_search', { query: {} }, closed)).toBe('vendor-data');
    expect(reachOf('web_search', { query: {} }, closed, true)).toBe('own-account');
  });
});

function repeatOf(name: string, schema: object = {}, more: object = {}, trusted = false): Repeat {
  return inferEffect({ name, inputSchema: schema, ...more }, { trusted }).effect.repeat;
}

describe('a second equal call', () => {
  it('goes by a key where the schema has a place for one', () => {
    const properties = { amount: {}, idempotency_key: {} };
    expect(repeatOf('create_payment', { properties })).toEqual({ kind: 'key', need: 'optional' });
    expect(repeatOf('create_payment', { properties, required: ['idempotency_key'] })).toEqual({
      kind: 'key',
      need: 'required',
    });
    expect(repeatOf('createOrder', { properties: { clientRequestToken: {} } }).kind).toBe('key');
  });

  it('pays again where no key can be given', () => {
    expect(repeatOf('create_payment').kind).toBe('fresh');
    expect(repeatOf('refund_order').kind).toBe('fresh');
  });

  it('goes by a version where one is taken, for what alters', () => {
    const schema = { properties: { id: {}, if_match: {} }, required: ['if_match'] };
    expect(repeatOf('update_note', schema)).toEqual({ kind: 'version', need: 'required' });
    expect(repeatOf('update_note', { properties: { etag: {} } })).toEqual({
      kind: 'version',
      need: 'optional',
    });
    expect(repeatOf('create_note', schema).kind).toBe('fresh');
  });

  it('leaves the same state for what sets and removes, and adds for what creates', () => {
    expect(repeatOf('set_volume').kind).toBe('end-state');
    expect(repeatOf('delete_note').kind).toBe('end-state');
    expect(repeatOf('append_line').kind).toBe('fresh');
    expect(repeatOf('get_note')).toEqual({ kind: 'end-state', result: 'same' });
  });

  it('a hint that warns counts from anyone, one that promises from the trusted', () => {
    const promise = { annotations: { idempotentHint: true } };
    const warning = { annotations: { idempotentHint: false } };
    expect(repeatOf('set_volume', {}, warning).kind).toBe('fresh');
    expect(repeatOf('create_note', {}, promise).kind).toBe('fresh');
    expect(repeatOf('create_note', {}, promise, true).kind).toBe('end-state');
  });
});

function tierOf(
  name: string,
  properties: object,
  args: Record<string, unknown>,
  trust: Trust = {},
): Tier {
  const reading = inferEffect({ name, inputSchema: { type: 'object', properties } }, trust);
  return narrowEffect(reading.effect, args).tier;
}

describe('a parameter that chooses the act', () => {
  const properties = { action: { enum: ['get', 'rename', 'delete', 'frobnicate'] }, id: {} };

  it('asks in the worst case, and a call is as grave as its value', () => {
    expect(inferEffect({ name: 'manage_note', inputSchema: { properties } }).asks).toBe(true);
    expect(tierOf('manage_note', properties, { action: 'get' })).toBe('read');
    expect(tierOf('manage_note', properties, { action: 'rename' })).toBe('compute');
    expect(tierOf('manage_note', properties, { action: 'delete' })).toBe('destructive');
  });

  it('missing, unlisted or unreadable, it counts as the worst', () => {
    for (const args of [
      {},
      { action: null },
      { action: 'GET' },
      { action: 'frobnicate' },
      { action: ['get'] },
    ])
      expect(tierOf('manage_note', properties, args)).toBe('destructive');
  });

  it('takes nothing away from what name or other parameters tell', () => {
    expect(tierOf('delete_note', properties, { action: 'get' })).toBe('destructive');
    const paid = { ...properties, payment_method: {} };
    expect(tierOf('manage_note', paid, { action: 'get' })).toBe('external_spend');
    const two = { ...properties, operation: { enum: ['list', 'purge'] } };
    expect(tierOf('manage_note', two, { action: 'get' })).toBe('destructive');
  });

  it('inside another argument it narrows nothing', () => {
    const nested = { options: { properties } };
    expect(tierOf('manage_note', nested, { options: { action: 'get' }, action: 'get' })).toBe(
      'destructive',
    );
  });

  it('narrows nothing while an argument is there in which another act can be chosen', () => {
    const batch = { type: 'array', items: { properties } };
    const all = { ...properties, batch };
    expect(tierOf('manage_note', all, { action: 'get' })).toBe('read');
    expect(tierOf('manage_note', all, { action: 'get', batch: [{ action: 'get' }] })).toBe(
      'destructive',
    );
  });

  it('is read in names of methods, too', () => {
    const methods = { method: { enum: ['get_run', 'rerun_run', 'delete_run_logs'] } };
    expect(tierOf('runs', methods, { method: 'get_run' })).toBe('read');
    expect(tierOf('runs', methods, { method: 'delete_run_logs' })).toBe('destructive');
  });

  it('a claim, a pin or evidence that set the tier is not narrowed', () => {
    const trust = { evidence: { tier: 'destructive', calls: 1 } } as const;
    const mild = { action: { enum: ['get', 'rename'] } };
    expect(tierOf('manage_note', mild, { action: 'get' })).toBe('read');
    expect(tierOf('manage_note', mild, { action: 'get' }, trust)).toBe('destructive');
    expect(
      tierOf('manage_note', properties, { action: 'get' }, { pin: { tier: 'destructive' } }),
    ).toBe('destructive');
  });
});

describe('switches', () => {
  const overwrite = { name: {}, overwrite: { type: 'boolean' } };

  it('count as on unless they are off', () => {
    expect(tierOf('create_page', overwrite, { overwrite: true })).toBe('destructive');
    expect(tierOf('create_page', overwrite, {})).toBe('destructive');
    expect(tierOf('create_page', overwrite, { overwrite: false })).toBe('compute');
  });

  it('a rehearsal is believed of a trusted server only', () => {
    const rehearsal = { id: {}, dry_run: { type: 'boolean' } };
    expect(tierOf('delete_note', rehearsal, { dry_run: true })).toBe('destructive');
    expect(tierOf('delete_note', rehearsal, { dry_run: true }, { trusted: true })).toBe('read');
    expect(tierOf('delete_note', rehearsal, { dry_run: false }, { trusted: true })).toBe(
      'destructive',
    );
    expect(tierOf('delete_note', rehearsal, {}, { trusted: true })).toBe('destructive');
  });
});
