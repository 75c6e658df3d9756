import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../protocol/frame.ts';
import { readPrice, toAmount, toMoney } from './read-price.ts';

function priceOf(body: JsonObject, usual?: string): string | undefined {
  const price = readPrice({ structuredContent: body }, 'estimate', usual);
  return price && `${price.amount} ${price.unit}`.trim();
}

describe('a price', () => {
  it.each<[string, JsonObject, string]>([
    ['the total, not its parts', { fee: 1, total: 5000 }, '5000'],
    ['the total, in whatever order', { total: 5000, fee: 1 }, '5000'],
    ['the total of the items', { items: [{ price: 1 }, { price: 4999 }], total: 5000 }, '5000'],
    ['the largest of what contradicts', { total: 1, price: 5000 }, '5000'],
    ['an amount in its own object', { price: { value: 12, currency: 'EUR' } }, '12 EUR'],
    ['equal amounts under two names', { cost: 12, amount: '12.00', currency: 'EUR' }, '12 EUR'],
    ['a text with a symbol', { total: '$12' }, '12 USD'],
    ['a text with a unit', { total: '1,200.50 EUR' }, '1200.50 EUR'],
    ['a unit in the name', { total_usd: 12 }, '12 usd'],
    ['cents of a currency', { amountDueCents: 1250, currency: 'USD' }, '1250 USD cents'],
    ['a unit around it', { currency: 'EUR', quote: { total: 3 } }, '3 EUR'],
    ['the total of many', { price: 1, quantity: 5, total: 5 }, '5'],
    ['the total with its tax', { total: 12, tax: 2, subtotal: 10 }, '12'],
    ['one of one', { price: 7, quantity: 1, discount_amount: 90 }, '7'],
    ['not what is left', { total: 3, remaining_amount: 1000 }, '3'],
    ['the largest total, however deep', { total: 1, a: [[[[[[[{ total: 5000 }]]]]]]] }, '5000'],
  ])('is %s', (_, body, price) => {
    expect(priceOf(body)).toBe(price);
  });

  it.each<[string, JsonObject]>([
    ['parts contradict without a total', { price: 10, fee: 2 }],
    ['items have no total', { items: [{ price: 3000 }, { price: 2000 }] }],
    ['units differ', { total: 1, unit: 'credits', other: { price: 5000, currency: 'USD' } }],
    ['the total cannot be read', { total: 'five thousand', fee: 1 }],
    ['the total is left open', { total: null, fee: 1 }],
    ['a number is spelled in a way that two readers read differently', { total: '1.200,50' }],
    ['it is below zero', { total: -5 }],
    ['it is too large to be added up', { total: 1.2e308 }],
    ['it is a text that is too large', { total: '9'.repeat(400) }],
    ['its unit is no name', { total: 5, currency: 'x'.repeat(12_000) }],
    ['its unit has line breaks', { total: 5, currency: 'EUR\nfree' }],
    ['nothing is told', { note: 'cheap' }],
    ['equal items have no total', { items: [{ price: 40 }, { price: 40 }] }],
    ['it is paid for each of many', { price: 1, quantity: 5000 }],
    ['it is paid every month', { price: 10, months: 12 }],
    ['something else is paid, too', { price: 1, shipping: 4 }],
    ['another name of money has more', { price: 1, order_total: 5000 }],
    ['the subtotal is above the total', { total: 1, subtotal: 5000 }],
    ['it is the least of a range', { price: 1, max_price: 5000 }],
    ['a word makes it another number', { total: '5 thousand' }],
    ['a total far inside contradicts in its unit', { total: 1, a: [[[[[[[{ total: '$5' }]]]]]]] }],
  ])('is unknown where %s', (_, body) => {
    expect(priceOf(body)).toBeUndefined();
  });

  it('has the usual unit where none is stated', () => {
    expect(priceOf({ total: 3 }, 'credits')).toBe('3 credits');
  });

  it('is never read from an error or from prose', () => {
    expect(readPrice({ isError: true, structuredContent: { total: 1 } }, 'e')).toBeUndefined();
    expect(readPrice({ content: [{ type: 'text', text: 'It costs 12.' }] }, 'e')).toBeUndefined();
  });
});

describe('money', () => {
  const price = (amount: string, unit: string): Parameters<typeof toMoney>[0] => ({
    amount,
    unit,
    from: 'estimate',
  });

  it('is rounded up, so that a budget is not exceeded by parts', () => {
    expect(toMoney(price('12.01', 'EUR'))).toBe(13);
    expect(toAmount(price('12.01', 'EUR'))).toBe(12.01);
  });

  it('is counted in the unit of the budget only', () => {
    expect(toMoney(price('12', 'eur'), 'EUR')).toBe(12);
    expect(toMoney(price('1250', 'USD cents'), 'USD')).toBe(13);
    expect(toMoney(price('12', 'credits'), 'EUR')).toBeUndefined();
    expect(toMoney(price('12', ''), 'EUR')).toBeUndefined();
  });

  it.each(['', '$12', 'NaN', '-1', '1e400', '1e30'])('is unknown for %j', (amount) => {
    expect(toMoney(price(amount, 'EUR'))).toBeUndefined();
  });
});
