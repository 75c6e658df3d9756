import { describe, expect, it } from 'vitest';

import { readGtin } from './gtin.ts';
import { SCOPES } from './rule.ts';
import { makeCatalogue } from './seed.ts';

const catalogue = makeCatalogue();
const { organisations, brands, products, rules } = catalogue;

describe('makeCatalogue', () => {
  it('makes the same catalogue every time', () => {
    expect(makeCatalogue()).toEqual(catalogue);
  });

  it('has a few hundred products of a dozen organisations and thirty brands', () => {
    expect(organisations).toHaveLength(12);
    expect(brands).toHaveLength(30);
    expect(products.length).toBeGreaterThan(300);
    expect(products.length).toBeLessThan(500);
    for (const brand of brands) {
      expect(products.some(({ brandId }) => brandId === brand.id)).toBe(true);
    }
  });

  it('gives every product a valid GTIN in normal form, and none twice', () => {
    for (const { gtin } of products) {
      expect(readGtin(gtin)).toMatchObject({ kind: 'valid', gtin14: gtin });
    }
    expect(new Set(products.map(({ gtin }) => gtin)).size).toBe(products.length);
  });

  it('has GTINs of every format', () => {
    const formats = products.map(({ gtin }) => {
      const reading = readGtin(gtin);
      return reading.kind === 'valid' ? reading.format : reading.code;
    });
    expect(new Set(formats)).toEqual(new Set(['GTIN-8', 'GTIN-12', 'GTIN-13', 'GTIN-14']));
  });

  it('keeps to the prefix for demonstrations, apart from the samples and their cases', () => {
    const samples = ['00614141123452', '00012345678905', '09506000134352'];
    const others = products.filter(({ gtin }) => !/^[01]0*952/.test(gtin));
    expect(others.map(({ gtin }) => gtin)).toEqual(expect.arrayContaining(samples));
    for (const { gtin } of others) {
      expect(samples.map((sample) => sample.slice(1, -1))).toContain(gtin.slice(1, -1));
    }
  });

  it('names every product once, and no address that somebody could own', () => {
    expect(new Set(products.map((each) => each.product_name)).size).toBe(products.length);
    const urls = JSON.stringify(catalogue).match(/https?:\/\/[^/"?]+/g) ?? [];
    expect(urls.filter((url) => !url.endsWith('.example'))).toEqual([]);
  });

  it('states confidence for exactly the fields that are known', () => {
    const bookkeeping = /^(gtin|brand|brandId|manufacturer|confidence_.*|field_.*|.*claim.*)$/;
    for (const product of products) {
      const known = Object.entries(product)
        .filter(([field, value]) => value !== null && !bookkeeping.test(field))
        .map(([field]) => field);
      expect(Object.keys(product.field_confidence).toSorted()).toEqual(known.toSorted());
      expect(product.confidence_score).toBeGreaterThanOrEqual(0);
      expect(product.confidence_score).toBeLessThanOrEqual(1);
    }
  });

  it('has every claim status, and claims only what is pending or verified', () => {
    const claims = products.map((each) => `${each.claim_verification_status} ${each.is_claimed}`);
    expect(new Set(claims)).toEqual(
      new Set(['verified true', 'pending true', 'rejected false', 'unclaimed false']),
    );
  });

  it.each(SCOPES)('has several rules of scope %s, and an order within each thing', (scope) => {
    const own = rules.filter((rule) => rule.scope === scope);
    expect(own.length).toBeGreaterThan(10);
    expect(new Set(own.map(({ orderIndex }) => orderIndex)).size).toBeGreaterThan(1);
    const places = own.map((rule) =>
      [rule.organisationId, rule.brandId, rule.gtin14, rule.qualifier, rule.orderIndex].join(' '),
    );
    expect(new Set(places).size).toBe(own.length);
  });

  it('uses every kind of time criterion and both ways to be down', () => {
    const kinds = rules.flatMap(({ when }) => Object.keys(when));
    expect(new Set(kinds)).toEqual(new Set(['absolute', 'annual', 'days', 'hours']));
    const down = rules.flatMap(({ destination }) =>
      destination.type === 'CUSTOM_URL' && destination.isDown ? [destination.whenDown] : [],
    );
    expect(new Set(down)).toEqual(new Set(['skip', 'hosted']));
  });

  it('shows every scope at once on one sample', () => {
    const sample = products.find(({ gtin }) => gtin === '09506000134352');
    const brand = brands.find(({ id }) => id === sample?.brandId);
    const own = rules.filter(
      (rule) =>
        rule.gtin14 === sample?.gtin ||
        rule.brandId === brand?.id ||
        rule.organisationId === brand?.organisationId,
    );
    expect(new Set(own.map(({ scope }) => scope))).toEqual(new Set(SCOPES));
  });
});
