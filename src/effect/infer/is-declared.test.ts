import { describe, expect, it } from 'vitest';
import { META_KEYS } from '../meta-keys.ts';
import { inferEffect } from './infer-effect.ts';
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
    expect([undefined, null, 'tool', []].map((tool) => isDeclared(tool))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a server that calls its writes destructive by habit', () => {
  interface Listed {
    readonly name: string;
    readonly annotations: object;
  }
  const WARNED = { destructiveHint: true };
  const toTools = (annotations: object): readonly Listed[] => [
    { name: 'API-get-user', annotations: { readOnlyHint: true } },
    { name: 'API-update-a-block', annotations },
    { name: 'API-update-page-markdown', annotations },
    { name: 'API-patch-page', annotations },
    { name: 'API-update-a-data-source', annotations },
    { name: 'API-delete-a-block', annotations },
  ];
  const declared = (list: readonly Listed[]): readonly string[] =>
    list.filter((tool) => inferEffect(tool, {}, list).isDeclared).map(({ name }) => name);

  it.each([[WARNED], [{ ...WARNED, readOnlyHint: false }]])(
    'has declared none of them by %j',
    (annotations) => {
      expect(declared(toTools(annotations))).toEqual(['API-get-user']);
    },
  );

  it('has declared them all by a hint that it does not discard', () => {
    const list = toTools({ destructiveHint: false });
    expect(declared(list)).toEqual(list.map(({ name }) => name));
    expect(inferEffect({ name: 'update_page', annotations: WARNED }).isDeclared).toBe(true);
  });

  it('has declared the one that it gives a tier', () => {
    const tiered = { name: 'API-move-page', annotations: WARNED, _meta: { [tier]: 'compute' } };
    expect(declared([...toTools(WARNED), tiered])).toEqual(['API-get-user', 'API-move-page']);
  });
});
