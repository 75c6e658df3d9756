import { describe, expect, it } from 'vitest';
import { META_KEYS } from '../meta-keys.ts';
import { isDeclared } from './is-declared.ts';

const tier = META_KEYS.sideEffect.key;

describe('a write whose server says what it does', () => {
  it.each([
    [{ annotations: { readOnlyHint: false } }],
    [{ annotations: { readOnlyHint: true } }],
    [{ annotations: { destructiveHint: false } }],
    [{ annotations: { destructiveHint: true } }],
    [{ annotations: { readOnlyHint: false, destructiveHint: false } }],
    [{ _meta: { [tier]: 'compute' } }],
  ])('%j', (said) => {
    expect(isDeclared({ name: 'set_dns_record', ...said })).toBe(true);
  });
});

describe('a write whose server says nothing about it', () => {
  it.each([
    [{}],
    [{ annotations: {} }],
    [{ annotations: null }],
    [{ annotations: { title: 'Set a record' } }],
    [{ annotations: { openWorldHint: false, idempotentHint: true } }],
    [{ annotations: { readOnlyHint: true, destructiveHint: true } }],
    [{ annotations: { readOnlyHint: 'false' } }],
    [{ annotations: { destructiveHint: 'false' } }],
    [{ _meta: { [tier]: 'harmless' } }],
    [{ _meta: { other: 'compute' } }],
  ])('%j', (said) => {
    expect(isDeclared({ name: 'set_dns_record', ...said })).toBe(false);
  });

  it('is not a tool at all', () => {
    expect([undefined, null, 'tool', []].map(isDeclared)).toEqual([false, false, false, false]);
  });
});
