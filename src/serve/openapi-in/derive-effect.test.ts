import { describe, expect, it } from 'vitest';
import {
  documentOf,
  endings,
  project,
  projectOne,
  takes,
} from '../../../test/support/openapi-documents.ts';

describe('deriveEffect', () => {
  it.each(['get', 'head'])('takes %s for a read when nothing else is said', (method) => {
    expect(projectOne({}, { method }).effect).toMatchObject({ act: 'read', tier: 'read' });
  });

  it.each(['post', 'put', 'patch', 'delete'])('refuses %s without a stated tier', (method) => {
    const { operations, refused } = project(
      documentOf({ '/things': { [method]: { operationId: 'one' } } }),
    );
    expect(operations).toEqual([]);
    expect(refused).toMatchObject([{ operation: 'one', code: 'tier-missing' }]);
    expect(refused[0]?.sentence).toContain('"x-side-effect": one of read, compute');
  });

  it.each([
    ['post', 'read', 'read'],
    ['post', 'compute', 'create'],
    ['put', 'compute', 'put'],
    ['patch', 'compute', 'update'],
    ['delete', 'compute', 'delete'],
    ['get', 'compute', 'compute'],
    ['get', 'share_export', 'share'],
    ['post', 'external_spend', 'spend'],
    ['post', 'destructive', 'delete'],
  ])('%s of tier %s is the act %s', (method, tier, act) => {
    expect(projectOne({ 'x-side-effect': tier }, { method }).effect).toMatchObject({ tier, act });
  });

  it('refuses a tier that there is not, and an act that cannot have the tier', () => {
    const post = { operationId: 'one', 'x-side-effect': 'dangerous' };
    expect(endings(project(documentOf({ '/a': { post } })))).toEqual({ one: 'tier-unknown' });
    const overlay = { one: { sideEffect: 'read', act: 'create' } } as const;
    expect(endings(project(documentOf({ '/a': { post } }), { overlay }))).toEqual({
      one: 'tier-against-act',
    });
  });

  it.each([
    [[], 'key-required, opaque'],
    [[{ name: 'Idempotency-Key', in: 'header', required: true }], 'key-required, dedup'],
    [[{ name: 'idempotency-key', in: 'header' }], 'key-optional, dedup'],
  ])('a spend with %j runs under a key: %s', (parameters, wanted) => {
    const made = projectOne({ parameters, 'x-side-effect': 'external_spend' }, { method: 'post' });
    const { repeat } = made.effect;
    expect(`key-${'need' in repeat && repeat.need}, ${made.partner.class}`).toBe(wanted);
  });

  it('takes a field of the body for the key, and leaves it to the kit', () => {
    const made = projectOne(
      {
        'x-side-effect': 'external_spend',
        ...takes({
          type: 'object',
          required: ['idempotency_key', 'amount'],
          properties: { idempotency_key: { type: 'string' }, amount: { type: 'integer' } },
        }),
      },
      { method: 'post' },
    );
    expect(made).toMatchObject({ addsKeyArgument: true, partner: { class: 'dedup' } });
    expect(made.inputSchema).toMatchObject({ required: ['amount'] });
  });

  it('a key that may be left out changes nothing where a repeat is harmless anyway', () => {
    const parameters = [{ name: 'Idempotency-Key', in: 'header' }];
    const made = projectOne({ parameters, 'x-side-effect': 'compute' }, { method: 'put' });
    expect(made.effect.repeat).toEqual({ kind: 'end-state', result: 'same' });
  });

  it('carries scopes, products and the estimate', () => {
    const { operations, refused } = project(
      documentOf({
        '/orders': {
          post: {
            operationId: 'orders.place',
            'x-side-effect': 'external_spend',
            'x-required-scope': 'orders:write billing:spend',
            'x-produces': ['order'],
            'x-estimate': 'orders.estimate',
          },
        },
        '/orders/estimate': { post: { operationId: 'orders.estimate', 'x-side-effect': 'read' } },
      }),
    );
    expect(refused).toEqual([]);
    expect(operations[0]).toMatchObject({
      scopes: ['orders:write', 'billing:spend'],
      produces: ['order'],
      effect: { money: { moves: 'charge', estimate: 'orders.estimate' } },
    });
  });

  it('refuses an estimate that gets no tool, or that is none', () => {
    const spend = { 'x-side-effect': 'external_spend', 'x-estimate': 'price' };
    const document = documentOf({
      '/a': { post: { operationId: 'a', ...spend } },
      '/b': { post: { operationId: 'b', ...spend, 'x-side-effect': 'compute' } },
      '/c': { post: { operationId: 'c', ...spend, 'x-estimate': 'd' } },
      '/d': { post: { operationId: 'd', 'x-side-effect': 'compute' } },
    });
    expect(endings(project(document))).toEqual({
      a: 'estimate-missing',
      b: 'estimate-without-spend',
      c: 'estimate-missing',
      d: 'kept',
    });
  });

  it.each([
    ['x-required-scope', { any: 'notes:read' }],
    ['x-produces', 7],
    ['x-estimate', false],
  ])('refuses %s of %j, which would otherwise guard nothing', (key, value) => {
    const get = { operationId: 'one', [key]: value };
    expect(endings(project(documentOf({ '/a': { get } })))).toEqual({ one: 'extension-invalid' });
  });
});
