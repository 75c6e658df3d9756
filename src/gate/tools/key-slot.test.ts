import { describe, expect, it } from 'vitest';
import { creates, spends } from '../../effect/acts.ts';
import { withKeyArgument } from '../../effect/idempotency-key.ts';
import { findKeySlot } from './key-slot.ts';

const META = { kind: 'meta', name: 'dev.plimsoll/idempotency-key' };

function withArgument(
  name: string,
  schema: unknown = { type: 'string' },
): { inputSchema: unknown } {
  return { inputSchema: { type: 'object', properties: { amount: {}, [name]: schema } } };
}

describe('the slot of a key', () => {
  it.each(['idempotency_key', 'idempotencyKey', 'client_token', 'clientToken'])(
    'is the argument %s',
    (name) => {
      expect(findKeySlot(withArgument(name))).toEqual({ kind: 'argument', name });
      expect(findKeySlot(withArgument(name, {}))).toEqual({ kind: 'argument', name });
      expect(findKeySlot(withArgument(name, { type: ['string', 'null'] }))).toBeDefined();
      expect(findKeySlot(withArgument(name, { type: 'integer' }))).toBeUndefined();
      expect(findKeySlot(withArgument(name, true))).toBeUndefined();
    },
  );

  it('is request_id only when its description speaks of keys', () => {
    const described = (description: string) =>
      findKeySlot(withArgument('request_id', { type: 'string', description }));
    expect(described('Send the same value when you retry.')).toEqual({
      kind: 'argument',
      name: 'request_id',
    });
    expect(described('Makes the call idempotent')).toBeDefined();
    expect(described('The request to look up')).toBeUndefined();
    expect(findKeySlot(withArgument('request_id'))).toBeUndefined();
  });

  it('is _meta where the declared effect has a key, in the base or in a variation', () => {
    const declared = (effect: unknown) => findKeySlot({ _meta: { 'dev.plimsoll/effect': effect } });
    expect(declared(spends('credits'))).toEqual(META);
    const when = { argument: 'charge', is: [true] };
    const varied = { ...creates('x'), varies: [{ when, effect: spends('x') }] };
    expect(declared(varied)).toEqual(META);
    expect(declared({ ...creates('x'), varies: [{ when, effect: varied }] })).toEqual(META);
    expect(declared(creates('note'))).toBeUndefined();
    expect(findKeySlot({ _meta: { 'dev.plimsoll/idempotency-key': true } })).toEqual(META);
  });

  it('is _meta before an argument, so that the arguments stay as they are', () => {
    const inputSchema = withKeyArgument({ type: 'object', properties: {} });
    const _meta = { 'dev.plimsoll/effect': spends('credits') };
    expect(findKeySlot({ inputSchema, _meta })).toEqual(META);
    expect(findKeySlot({ inputSchema })).toEqual({ kind: 'argument', name: 'idempotency_key' });
  });

  it('is a header only when whoever runs the gate says so, and what they say goes first', () => {
    const tool = withArgument('idempotency_key');
    expect(findKeySlot(tool, { header: 'Idempotency-Key' })).toEqual({
      kind: 'header',
      name: 'idempotency-key',
    });
    expect(findKeySlot(tool, { argument: 'nonce' })).toEqual({ kind: 'argument', name: 'nonce' });
    expect(findKeySlot(tool, { meta: true })).toEqual(META);
    expect(findKeySlot(tool, {})).toEqual({ kind: 'argument', name: 'idempotency_key' });
  });

  it('is nowhere in a tool that is not what it should be', () => {
    const odd = [
      {},
      { inputSchema: null, _meta: null },
      { inputSchema: 'x', _meta: [] },
      { inputSchema: { properties: [] }, _meta: { 'dev.plimsoll/effect': { varies: [1, null] } } },
      { inputSchema: { properties: Object.create({ idempotency_key: {} }) } },
    ];
    for (const tool of odd) expect(findKeySlot(tool)).toBeUndefined();
  });
});
