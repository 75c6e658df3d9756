/** What a new store holds: one merchant with a sandbox and a live account, and the plans of its portal. */
import type { Store } from './store.ts';

export const TEST_ACCOUNT = 'harbour_test';
export const LIVE_ACCOUNT = 'harbour_live';

const MERCHANT = { merchant_id: '5d0c1a52-7f0e-4a7c-9a40-1a3d4a5e8b11', name: 'Harbour Coffee' };
const OPENED_AT = new Date('2026-01-01T00:00:00Z');

/** Prices change in the merchant's portal, never by a tool. */
const PLANS = [
  { code: 'beans-monthly', name: 'Beans every month', amount: 3000, count: 1 },
  { code: 'beans-quarterly', name: 'Beans every quarter', amount: 8100, count: 3 },
  { code: 'office', name: 'Office supply', amount: 12_900, count: 1 },
] as const;

export function fillStore(store: Store): void {
  store.addAccount({ ...MERCHANT, id: TEST_ACCOUNT, environment: 'test', api_version: null });
  store.addAccount({
    ...MERCHANT,
    id: LIVE_ACCOUNT,
    environment: 'live',
    api_version: '2025-09-01',
  });
  for (const account of [TEST_ACCOUNT, LIVE_ACCOUNT]) {
    for (const { code, name, amount, count } of PLANS) {
      const product = store.objects.add(account, 'product', OPENED_AT, {
        name,
        description: `${name}, delivered.`,
        pricing: { amount, currency: 'usd' },
        requires_shipping: true,
        sku: code,
        availability: 'in_stock',
        category: 'subscriptions',
        metadata: {},
        images: ['front', 'back', 'label'].map((side) => ({
          id: `${code}-${side}`,
          url: `https://images.harbour.example/${code}-${side}.jpg`,
        })),
      });
      store.objects.add(account, 'plan', OPENED_AT, {
        product_id: product.id,
        name,
        code,
        description: `${name}, until cancelled.`,
        amount,
        currency: 'usd',
        interval: 'month',
        interval_count: count,
        active: code !== 'office',
      });
    }
  }
}
