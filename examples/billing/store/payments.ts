/**
 * Orders and their transactions. An order is written with its pending charge before the processor is asked,
 * and each transaction is settled once; the database refuses refunds above what was paid.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';
import { cutPage } from './page.ts';
import type { NewOrder, Order, PaymentQuery, Transaction } from './payment-rows.ts';
import { orderFromRow, toQuery, toSource, transactionFromRow } from './payment-rows.ts';

export class Payments {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The order and, unless it costs nothing, its pending charge. */
  open(account: string, at: Date, wanted: NewOrder): Order {
    const { customer_id, payment_method_id, card, subscription_id = null, cycle = null } = wanted;
    const { amount, discount, currency, ...rest } = wanted;
    const { customer_id: _c, payment_method_id: _p, card: _k, ...more } = rest;
    const { subscription_id: _s, cycle: _y, ...details } = more;
    const id = randomUUID();
    this.#db.insert('orders', {
      id,
      account,
      customer_id,
      payment_method_id,
      subscription_id,
      cycle,
      status: amount === 0 ? 'succeeded' : 'pending',
      amount,
      discount,
      currency,
      data: JSON.stringify(details),
      created_at: at.toISOString(),
    });
    if (amount > 0) this.#begin(account, id, 'sale', amount, card, at);
    return this.order(account, id);
  }

  /** Another try to charge an order whose charge failed. */
  chargeAgain(account: string, orderId: string, card: string, method: string, at: Date): void {
    this.#db.update('orders', orderId, { status: 'pending', payment_method_id: method });
    this.#begin(account, orderId, 'sale', this.order(account, orderId).amount, card, at);
  }

  /** The database refuses more than was paid. */
  beginRefund(account: string, orderId: string, amount: number, at: Date): Transaction {
    const sale = this.saleOf(orderId);
    return this.#begin(account, orderId, 'refund', amount, sale?.card ?? '', at);
  }

  settle(id: string, at: Date, end: { processorId: string } | { failure: string }): Transaction {
    return this.#db.atomically(() => {
      const before = this.transactionById(id);
      if (before.status !== 'pending') return before;
      const isPaid = 'processorId' in end;
      this.#db.update('transactions', id, {
        status: isPaid ? 'succeeded' : 'failed',
        processor_id: isPaid ? end.processorId : null,
        failure_code: isPaid ? null : end.failure,
        settled_at: at.toISOString(),
      });
      const { order_id, type, amount } = before;
      if (type === 'sale')
        this.#db.update('orders', order_id, { status: isPaid ? 'succeeded' : 'failed' });
      else if (isPaid) {
        this.#db.run(
          `UPDATE orders SET refunded = refunded + :amount,
             status = CASE WHEN refunded + :amount = amount THEN 'refunded' ELSE 'partially_refunded' END
           WHERE id = :id`,
          { id: order_id, amount },
        );
      }
      return this.transactionById(id);
    });
  }

  findOrder(account: string, id: string): Order | undefined {
    const row = this.#db.get('SELECT * FROM orders WHERE id = :id AND account = :account', {
      id,
      account,
    });
    return row === undefined ? undefined : orderFromRow(row);
  }

  order(account: string, id: string): Order {
    const order = this.findOrder(account, id);
    if (order === undefined) throw new Error(`order ${id} has disappeared from the store`);
    return order;
  }

  orderOfCycle(subscriptionId: string, cycle: number): Order | undefined {
    const row = this.#db.get(
      'SELECT * FROM orders WHERE subscription_id = :subscriptionId AND cycle = :cycle',
      { subscriptionId, cycle },
    );
    return row === undefined ? undefined : orderFromRow(row);
  }

  /** Whether the customer bought anything, or is about to. */
  hasOrders(account: string, customerId: string): boolean {
    return (
      this.#db.get(
        `SELECT id FROM orders WHERE account = :account AND customer_id = :customerId
         AND status NOT IN ('failed', 'voided') LIMIT 1`,
        { account, customerId },
      ) !== undefined
    );
  }

  /** What was bought instead of an order that failed: the order that is paid, or about to be. */
  boughtInstead(account: string, { id, retry_of = id }: Order): Order | undefined {
    const row = this.#db.get(
      `SELECT * FROM orders WHERE account = :account AND id <> :id AND status NOT IN ('failed', 'voided')
       AND (id = :first OR json_extract(data, '$.retry_of') = :first)`,
      { account, id, first: retry_of },
    );
    return row === undefined ? undefined : orderFromRow(row);
  }

  findTransaction(account: string, id: string): Transaction | undefined {
    const row = this.#db.get('SELECT * FROM transactions WHERE id = :id AND account = :account', {
      id,
      account,
    });
    return row === undefined ? undefined : transactionFromRow(row);
  }

  transactionById(id: string): Transaction {
    const row = this.#db.get('SELECT * FROM transactions WHERE id = :id', { id });
    if (row === undefined) throw new Error(`transaction ${id} has disappeared from the store`);
    return transactionFromRow(row);
  }

  /** Oldest first. */
  transactionsOf(orderId: string): readonly Transaction[] {
    return this.#db
      .all('SELECT * FROM transactions WHERE order_id = :orderId ORDER BY seq', { orderId })
      .map(transactionFromRow);
  }

  pendingOf(orderId: string): readonly Transaction[] {
    return this.transactionsOf(orderId).filter(({ status }) => status === 'pending');
  }

  /** The charge that went through. */
  saleOf(orderId: string): Transaction | undefined {
    return this.transactionsOf(orderId).find(
      ({ type, status }) => type === 'sale' && status === 'succeeded',
    );
  }

  /** What can still be given back: refunds on their way count as given. */
  refundable(orderId: string): number {
    const all = this.transactionsOf(orderId).filter(({ status }) => status !== 'failed');
    const sum = (type: string) =>
      all.filter((one) => one.type === type).reduce((total, { amount }) => total + amount, 0);
    return this.saleOf(orderId) === undefined ? 0 : sum('sale') - sum('refund');
  }

  /** Pending since before then, whoever began them. */
  pendingBefore(until: Date): readonly (Transaction & { readonly account: string })[] {
    return this.#db
      .all(`SELECT * FROM transactions WHERE status = 'pending' AND created_at <= :until`, {
        until: until.toISOString(),
      })
      .map((row) => ({ ...transactionFromRow(row), account: String(row['account']) }));
  }

  listOrders(account: string, query: PaymentQuery) {
    const cut = cutPage(this.#db, toSource('orders', account, query), toQuery(query));
    return cut.kind === 'rows' ? { ...cut, rows: cut.rows.map(orderFromRow) } : cut;
  }

  listTransactions(account: string, query: PaymentQuery) {
    const cut = cutPage(this.#db, toSource('transactions', account, query), toQuery(query));
    return cut.kind === 'rows' ? { ...cut, rows: cut.rows.map(transactionFromRow) } : cut;
  }

  /** Of settled transactions, in cents by type, for each currency; `to` is exclusive. */
  totals(account: string, where: { customerId?: string; from?: string; to?: string }) {
    const rows = this.#db.all(
      `SELECT currency,
              coalesce(sum(CASE type WHEN 'sale' THEN amount END), 0) AS sales,
              coalesce(sum(CASE type WHEN 'refund' THEN amount END), 0) AS refunds,
              count(*) AS count
       FROM transactions WHERE account = :account AND status = 'succeeded'
         AND (:customerId IS NULL OR customer_id = :customerId)
         AND (:from IS NULL OR created_at >= :from) AND (:to IS NULL OR created_at < :to)
       GROUP BY currency ORDER BY currency`,
      {
        account,
        customerId: where.customerId ?? null,
        from: where.from ?? null,
        to: where.to ?? null,
      },
    );
    return rows.map((row) => ({
      currency: String(row['currency']),
      sales: Number(row['sales']),
      refunds: Number(row['refunds']),
      count: Number(row['count']),
    }));
  }

  #begin(
    account: string,
    orderId: string,
    type: 'sale' | 'refund',
    amount: number,
    card: string,
    at: Date,
  ): Transaction {
    const { customer_id, payment_method_id, currency } = this.order(account, orderId);
    const id = randomUUID();
    this.#db.insert('transactions', {
      id,
      account,
      order_id: orderId,
      customer_id,
      payment_method_id,
      type,
      status: 'pending',
      amount,
      currency,
      card,
      created_at: at.toISOString(),
    });
    return this.transactionById(id);
  }
}
