import { describe, expect, it } from 'vitest';
import { findEstimate } from './find-estimate.ts';
import { inferEffect } from './infer-effect.ts';

const named = (...names: readonly string[]): readonly { readonly name: string }[] =>
  names.map((name) => ({ name }));

describe('the tool that tells the price', () => {
  it.each([
    ['create_order', 'get_order_quote', ['list_orders', 'get_order_quote', 'cancel_order']],
    ['swapTokens', 'quoteSwap', ['getBalance', 'quoteSwap', 'swapTokens']],
    [
      'acme_place_order',
      'acme_preview_order',
      ['acme_list_orders', 'acme_preview_order', 'acme_place_order'],
    ],
    ['create_project', 'get_cost', ['get_cost', 'list_projects', 'create_project']],
    ['book_flight', 'estimate_flight_price', ['estimate_flight_price', 'estimate_hotel_price']],
  ])('of %s is %s', (name, estimate, list) => {
    expect(findEstimate(named(...list), { name })).toBe(estimate);
    expect(findEstimate(named(...list.toReversed()), { name })).toBe(estimate);
  });

  it.each([
    ['create_order', ['list_orders', 'get_weather', 'create_order_quote']],
    ['create_order', ['get_flight_price', 'preview_page']],
    ['create_order', []],
  ])('of %s is none among %j', (name, list) => {
    expect(findEstimate(named(...list), { name })).toBeUndefined();
  });

  it('stands in the effect of a spend that is read with its list', () => {
    const list = named('create_order', 'get_order_quote');
    expect(inferEffect(list[0], {}, list).effect.money).toMatchObject({
      estimate: 'get_order_quote',
    });
    expect(inferEffect(list[0]).effect.money).not.toHaveProperty('estimate');
  });

  it('is found in a long list without comparing every pair anew', () => {
    const of = (verb: string): readonly string[] =>
      Array.from({ length: 2000 }, (_, at) => `${verb}_order_${at}`);
    const list = named(...of('pay'), ...of('estimate'));
    const from = performance.now();
    for (const tool of list) findEstimate(list, tool);
    expect(performance.now() - from).toBeLessThan(2000);
  });

  it('is looked for in any list', () => {
    expect(findEstimate([null, 4, {}, { name: 7 }], { name: 'pay' })).toBeUndefined();
    expect(findEstimate(named('get_price'), undefined)).toBe('get_price');
  });
});
