import { describe, expect, it } from 'vitest';
import type { Repeat } from '../repeat.ts';
import { readTool } from './read-tool.ts';

function repeatOf(name: string, schema: object = {}, more: object = {}, trusted = false): Repeat {
  return readTool({ name, inputSchema: schema, ...more }, { trusted }).effect.repeat;
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
