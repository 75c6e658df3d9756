/** Orders and transactions as data, and how they are read from their rows. */
import type { Row } from './database.ts';
import type { PageQuery, PageSource } from './page.ts';

type OrderStatus =
  | 'pending'
  | 'succeeded'
  | 'failed'
  | 'partially_refunded'
  | 'refunded'
  | 'voided';

export interface OrderDetails {
  readonly items: readonly {
    readonly product_id: string;
    readonly quantity: number;
    readonly amount: number;
  }[];
  readonly description?: string | undefined;
  readonly coupon_code?: string | undefined;
  readonly code_id?: string | undefined;
  readonly shipping_address?: unknown;
  readonly shipping_address_id?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The first of the orders that failed before this one. */
  readonly retry_of?: string | undefined;
  /** The customer was made for this order: if it fails, there is no such customer. */
  readonly for_new_customer?: true;
}

export interface Order extends OrderDetails {
  readonly id: string;
  readonly object: 'order';
  readonly customer_id: string;
  readonly payment_method_id: string;
  readonly subscription_id: string | null;
  readonly cycle: number | null;
  readonly status: OrderStatus;
  /** To be paid, after the discount. */
  readonly amount: number;
  readonly discount: number;
  readonly refunded: number;
  readonly currency: string;
  readonly created_at: string;
}

export interface Transaction {
  readonly id: string;
  readonly object: 'transaction';
  readonly order_id: string;
  readonly customer_id: string;
  readonly payment_method_id: string;
  readonly type: 'sale' | 'refund';
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amount: number;
  readonly currency: string;
  /** At the processor. */
  readonly card: string;
  readonly processor_id: string | null;
  readonly failure_code: string | null;
  readonly created_at: string;
  readonly settled_at: string | null;
}

export interface NewOrder extends OrderDetails {
  readonly customer_id: string;
  readonly payment_method_id: string;
  readonly card: string;
  readonly subscription_id?: string;
  readonly cycle?: number;
  readonly amount: number;
  readonly discount: number;
  readonly currency: string;
}

export interface PaymentQuery extends PageQuery {
  readonly customer_id?: string | undefined;
  readonly order_id?: string | undefined;
  readonly status?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly amount_gte?: number | undefined;
  readonly amount_lte?: number | undefined;
  readonly sort?: string | undefined;
}

const SORTS = ['amount', 'status', 'created_at'];

/** The direction of a list; the field goes into its source. */
export function toQuery(query: PaymentQuery): PageQuery {
  return { ...query, direction: query.sort?.includes('asc') === true ? 'asc' : 'desc' };
}

export function toSource(
  table: 'orders' | 'transactions',
  account: string,
  query: PaymentQuery,
): PageSource {
  const where = ['account = :account'];
  const values: Record<string, string | number> = { account };
  const add = (condition: string, name: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    where.push(condition);
    values[name] = value;
  };
  add('customer_id = :customer', 'customer', query.customer_id);
  add('order_id = :order', 'order', query.order_id);
  add('amount >= :least', 'least', query.amount_gte);
  add('amount <= :most', 'most', query.amount_lte);
  add('created_at >= :after', 'after', query.created_after && toIso(query.created_after));
  add('created_at < :before', 'before', query.created_before && toIso(query.created_before));
  const among = (column: string) => `${column} IN (SELECT value FROM json_each(:${column}s))`;
  add(among('status'), 'statuss', query.status && JSON.stringify(query.status));
  add(among('type'), 'types', query.type && JSON.stringify(query.type));
  const field = SORTS.find((name) => query.sort?.startsWith(name)) ?? 'created_at';
  return { table, where, values, sort: field === 'created_at' ? 'seq' : field };
}

function toIso(text: string): string {
  return new Date(text).toISOString();
}

export function orderFromRow(row: Row): Order {
  const { seq: _, account: _a, data, ...columns } = row;
  const details = JSON.parse(String(data)) as OrderDetails;
  return Object.freeze({ object: 'order', ...columns, ...details }) as unknown as Order; // by the schema
}

export function transactionFromRow(row: Row): Transaction {
  const { seq: _, account: _a, ...columns } = row;
  return Object.freeze({ object: 'transaction', ...columns }) as unknown as Transaction; // by the schema
}
