import { afterAll, describe, expect, it } from 'vitest';

import { resolve } from './resolve.ts';
import { makeCatalogue } from './seed.ts';
import { openStore } from './store.ts';

const GTIN = '09506000134352';
const store = openStore(':memory:');

afterAll(() => store.close());

describe('findRules', () => {
  it.each([{}, { lot: 'LOT42' }, { serial: 'SN-0001' }, { lot: 'LOT42', serial: 'SN-0001' }])(
    'finds the rules of every product, its brand and its organisation, and no others: %o',
    (qualifiers) => {
      const { brands, products, rules } = makeCatalogue();
      for (const { gtin, brandId } of products) {
        const organisationId = brands.find(({ id }) => id === brandId)?.organisationId;
        const expected = rules
          .filter(
            (rule) =>
              (rule.scope === 'organisation' && rule.organisationId === organisationId) ||
              (rule.scope === 'brand' && rule.brandId === brandId) ||
              (rule.scope === 'product' && rule.gtin14 === gtin) ||
              (rule.scope === 'batch' &&
                rule.gtin14 === gtin &&
                rule.qualifier === qualifiers.lot) ||
              (rule.scope === 'serial' &&
                rule.gtin14 === gtin &&
                rule.qualifier === qualifiers.serial),
          )
          .map(({ organisationId: _o, brandId: _b, gtin14: _g, ...rule }) => rule);
        const found = store.findRules({ gtin14: gtin, ...qualifiers });
        expect(byId(found)).toEqual(byId(expected));
      }
    },
  );

  it.each([
    ['winter', {}, '2026-12-24T12:00:00Z', 'product', '/winter'],
    ['summer', {}, '2026-07-15T12:00:00Z', 'product', `/${GTIN}`],
    [
      'a recalled lot',
      { lot: 'LOT42', linkType: 'gs1:recallStatus' },
      '2026-07-15T12:00:00Z',
      'batch',
      '/LOT42',
    ],
    [
      'another lot',
      { lot: 'LOT43', linkType: 'gs1:recallStatus' },
      '2026-07-15T12:00:00Z',
      'organisation',
      '/recalls',
    ],
    [
      'one item',
      { serial: 'SN-0001', linkType: 'gs1:certificationInfo' },
      '2026-07-15T12:00:00Z',
      'serial',
      '/SN-0001',
    ],
    ['recipes', { linkType: 'gs1:instructions' }, '2026-07-15T12:00:00Z', 'brand', '/recipes'],
    ['support by day', { linkType: 'gs1:support' }, '2026-07-15T12:00:00Z', 'product', '/call'],
    [
      'support by night',
      { linkType: 'gs1:support' },
      '2026-07-15T22:00:00Z',
      'default',
      `/${GTIN}`,
    ],
  ])('leads the sample somewhere else for %s', (_what, asked, now, scope, end) => {
    const request = { gtin14: GTIN, ...asked };
    const { scope: found, url } = resolve(store.findRules(request), request, new Date(now));
    expect(found).toBe(scope);
    expect(url.endsWith(end)).toBe(true);
  });

  it('leads the sample whose page is down to the hosted page', () => {
    const request = { gtin14: '00614141123452' };
    expect(
      resolve(store.findRules(request), request, new Date('2026-07-15T12:00:00Z')),
    ).toMatchObject({
      scope: 'product',
      destinationType: 'HOSTED_PAGE',
    });
  });
});

function byId<T extends { readonly id: string }>(list: readonly T[]): readonly T[] {
  return list.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}
