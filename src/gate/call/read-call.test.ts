import { describe, expect, it } from 'vitest';
import type { CallParts } from './read-call.ts';
import { readCallerKey } from './read-call.ts';
import type { KeySlot } from '../tools/key-slot.ts';

const KEY = 'a-key-of-the-caller-1';
const META = 'dev.plimsoll/idempotency-key';
const ARGUMENT: KeySlot = { kind: 'argument', name: 'client_token' };
const HEADER: KeySlot = { kind: 'header', name: 'x-request-key' };

function codeOf(call: CallParts, slot?: KeySlot): string {
  const found = readCallerKey(call, slot);
  return found.kind === 'refused' ? found.problem.code : found.kind;
}

describe('the key of a caller', () => {
  it('is found in the slot, in _meta and in a header', () => {
    const found = { kind: 'key', key: KEY };
    expect(readCallerKey({ arguments: { client_token: KEY } }, ARGUMENT)).toEqual(found);
    expect(readCallerKey({ _meta: { [META]: KEY } }, undefined)).toEqual(found);
    expect(readCallerKey({ headers: { 'idempotency-key': `"${KEY}"` } }, undefined)).toEqual(found);
    expect(readCallerKey({ headers: { 'x-request-key': KEY } }, HEADER)).toEqual(found);
  });

  it('may be the same in several places, and must not differ', () => {
    const both = { arguments: { client_token: KEY }, _meta: { [META]: KEY } };
    expect(codeOf(both, ARGUMENT)).toBe('key');
    expect(codeOf({ ...both, _meta: { [META]: `${KEY}2` } }, ARGUMENT)).toBe('key-mismatch');
    const headers = { 'idempotency-key': `${KEY}2` };
    expect(codeOf({ ...both, headers }, ARGUMENT)).toBe('key-mismatch');
  });

  it('is no argument that only looks like the slot of another tool', () => {
    expect(codeOf({ arguments: { client_token: KEY } })).toBe('none');
    expect(codeOf({ arguments: { client_token: KEY } }, HEADER)).toBe('none');
  });

  it('has the form that the server wants in its own slot, and ours in ours', () => {
    expect(codeOf({ arguments: { client_token: 'order 1' } }, ARGUMENT)).toBe('key');
    expect(codeOf({ _meta: { [META]: 'order 1' } })).toBe('key-invalid');
    expect(codeOf({ headers: { 'idempotency-key': 'short' } })).toBe('key-invalid');
    for (const odd of [7, {}, 'x'.repeat(1025)]) {
      expect(codeOf({ arguments: { client_token: odd } }, ARGUMENT)).toBe('key-invalid');
    }
  });

  it('is absent where nothing, null or an empty text stands', () => {
    for (const empty of [undefined, null, '']) {
      const call = { arguments: { client_token: empty }, _meta: { [META]: empty } };
      expect(codeOf(call, ARGUMENT)).toBe('none');
    }
    expect(codeOf({ arguments: [KEY], _meta: 'x' }, ARGUMENT)).toBe('none');
    expect(codeOf({ _meta: Object.create({ [META]: KEY }) })).toBe('none');
  });
});
