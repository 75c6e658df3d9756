/** Orders: what a list of items costs, and paying for it. Prices come from the catalogue, never from a caller. */
import { NotSentError } from 'plimsoll/server';
import type { Paid, Till } from './charging.ts';
import { complete } from './charging.ts';
import { readCoupon, redeem } from './coupons.ts';
import type { PaymentMethod } from './documents.ts';
import { invalid, refuse } from './refusals.ts';
import type { NewOrder, Order, OrderDetails, Transaction } from './store/payment-rows.ts';
import type { Store } from './store.ts';

export interface Basket extends Omit<OrderDetails, 'items'> {
  readonly items: readonly { readonly product_id: string; readonly quantity: number }[];
  readonly currency?: string | undefined;
}

/** Writes the order with its pending charge; joins the transaction that it is called in. */
export function placeOrder(
  store: Store,
  account: string,
  method: PaymentMethod,
  { items, currency = 'usd', coupon_code, ...details }: Basket,
  at: Date,
): Order {
  const lines = items.map(({ product_id, quantity }, index) => {
    const product = store.objects.find(account, 'product', product_id);
    if (product === undefined)
      return invalid(`items/${index}`, `There is no product ${product_id}.`);
    if (product.pricing.currency !== currency) {
      invalid(`items/${index}`, `It is sold in ${product.pricing.currency}, not in ${currency}.`);
    }
    if (product.availability === 'out_of_stock') invalid(`items/${index}`, 'It is out of stock.');
    if (product.requires_shipping && !hasAddress(store, account, method.customer_id, details)) {
      invalid('shipping_address', 'It needs an address: send one, or give the customer one.');
    }
    return { product_id, quantity, amount: product.pricing.amount * quantity };
  });
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  refuseAbove(total, 'items');
  const discount = { amount: 0, code_id: undefined as string | undefined };
  if (coupon_code !== undefined) {
    const product_ids = lines.map(({ product_id }) => product_id);
    const purchase = { amount: total, currency, product_ids, at };
    const reading = readCoupon(store, account, coupon_code, purchase, method.customer_id);
    if (reading.kind === 'refused') invalid('coupon_code', `The code is ${reading.reason}.`);
    else {
      discount.amount = reading.discount;
      discount.code_id = reading.code.id;
    }
  }
  const wanted: NewOrder = {
    ...details,
    items: lines,
    customer_id: method.customer_id,
    payment_method_id: method.id,
    card: method.card,
    amount: total - discount.amount,
    discount: discount.amount,
    currency,
    ...(discount.code_id !== undefined && { coupon_code, code_id: discount.code_id }),
  };
  const order = store.payments.open(account, at, wanted);
  redeem(store, account, order, at);
  return order;
}

const MOST_CENTS = 99_999_999;

export function refuseAbove(cents: number, argument: string): void {
  if (cents > MOST_CENTS) invalid(argument, `Together it is above ${MOST_CENTS} cents.`);
}

function hasAddress(
  store: Store,
  account: string,
  customerId: string,
  details: Pick<Basket, 'shipping_address' | 'shipping_address_id'>,
): boolean {
  if (details.shipping_address !== undefined || details.shipping_address_id !== undefined)
    return true;
  const customer = store.objects.get(account, 'customer', customerId);
  return customer.shipping !== undefined;
}

/** Brings the order's pending transaction to its end; what nobody knows is thrown, so that the key stays open. */
export async function pay(
  till: Till,
  account: string,
  orderId: string,
): Promise<{ readonly order: Order; readonly transaction?: Transaction }> {
  const { payments } = till.store;
  const [pending] = payments.pendingOf(orderId);
  const transaction =
    pending === undefined
      ? payments.transactionsOf(orderId).at(-1)
      : settledOf(await complete(till, account, pending));
  const order = payments.order(account, orderId);
  return transaction === undefined ? { order } : { order, transaction };
}

function settledOf(paid: Paid): Transaction {
  switch (paid.kind) {
    case 'settled':
      return paid.transaction;
    case 'not-sent':
      throw new NotSentError('the payment processor cannot be reached');
    case 'in-doubt':
      // The kit keeps the key; the same call can be sent again, and the worker finds out otherwise.
      throw new Error(`the card may or may not have been charged: ${paid.because}`);
  }
}

/** Nothing is charged twice for one purchase, whichever tool tries it again. */
export function refuseBoughtInstead(store: Store, account: string, order: Order): void {
  const other = store.payments.boughtInstead(account, order);
  if (other === undefined) return;
  refuse('invalid_state', `Order ${other.id} was made instead of it and is ${other.status}.`);
}

/** How much is given back, after all that could be wrong with it. */
export function refundAmount(store: Store, order: Order, wanted: number | undefined): number {
  const left = store.payments.refundable(order.id);
  if (left === 0) {
    refuse(
      'invalid_state_transition',
      `Order ${order.id} is ${order.status}; nothing is left to refund.`,
    );
  }
  if (wanted !== undefined && wanted > left) {
    invalid('amount', `At most ${left} cents can be given back.`);
  }
  return wanted ?? left;
}

/** Gives back what the caller's transaction has begun. */
export async function giveBackNow(
  till: Till,
  account: string,
  refundId: string,
): Promise<{ readonly order: Order; readonly transaction: Transaction }> {
  const begun = till.store.payments.transactionById(refundId);
  const transaction =
    begun.status === 'pending' ? settledOf(await complete(till, account, begun)) : begun;
  return { order: till.store.payments.order(account, begun.order_id), transaction };
}
