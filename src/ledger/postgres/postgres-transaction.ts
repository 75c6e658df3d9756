/**
 * One transaction on one connection to PostgreSQL, from its first statement to its commit. Receipts
 * are appended together with the commit, in one go: their counter is the one row that all writers
 * share, and it is never locked while the server waits for this process.
 */
import type pg from 'pg';
import { IS_EQUAL, NEWEST, toEqualValues } from '../equal-call.ts';
import { POSTGRES_SYNTAX, readSql } from '../read-sql.ts';
import { RECEIPT_COUNTER } from '../receipts/number-receipt.ts';
import type { Connection, Ran } from '../sql-tx.ts';
import { StoreUnavailableError } from '../store.ts';
import type { KeyRecordRow, UnnumberedReceipt } from '../tables.ts';

export class PostgresTransaction implements Disposable {
  readonly connection: Connection;
  readonly #client: pg.PoolClient;
  readonly #receipts: UnnumberedReceipt[] = [];
  #isLost = false;
  /** The first error of a statement that is not undone by itself. */
  #failure: unknown;
  /** Statements wait for each other, so that one which fails is undone before the next begins. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: pg.PoolClient) {
    this.#client = client;
    // A connection that breaks between two statements reports it nowhere else.
    client.on('error', this.#lose);
    const run: Connection['run'] = (text, parameters) =>
      this.#inTurn(() =>
        this.#query(text, parameters).catch((error: unknown) => {
          this.#failure ??= error;
          throw error;
        }),
      );
    this.connection = {
      syntax: POSTGRES_SYNTAX,
      run,
      attempt: (text, parameters) => this.#inTurn(() => this.#attempt(text, parameters)),
      append: async (receipts) => void this.#receipts.push(...receipts),
      findEqual: async (call, since) => {
        const { rows } = await run(EQUAL, toEqualValues(call, since));
        return rows[0] as KeyRecordRow | undefined; // a row of that table
      },
      now: async () => Number((await run(NOW, [])).rows[0]?.['now']),
      lock: async (name) => void (await run(LOCK, [name])),
    };
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  async commit(): Promise<void> {
    await this.#last.catch(() => {});
    const [appended, committed] = await Promise.allSettled(this.#sendCommit());
    if (committed.status === 'rejected') throw committed.reason;
    // A transaction in which a statement has failed answers a commit with a rollback.
    if (committed.value.command === 'COMMIT') return;
    throw appended.status === 'rejected' ? appended.reason : this.#failure;
  }

  /** A lost connection has been rolled back by the server. */
  async rollback(): Promise<void> {
    await this.#client.query('ROLLBACK').catch(this.#lose);
  }

  [Symbol.dispose](): void {
    this.#client.off('error', this.#lose);
  }

  /** In one write: a process that is stopped has sent both, or neither. */
  #sendCommit(): [Promise<unknown>, Promise<pg.QueryResult>] {
    const { stream } = this.#client.connection;
    stream.cork();
    try {
      const appending =
        this.#receipts.length === 0
          ? Promise.resolve()
          : this.#client.query(APPEND, toValues(this.#receipts));
      return [appending, this.#client.query('COMMIT')];
    } finally {
      stream.uncork();
    }
  }

  readonly #lose = (): void => void (this.#isLost = true);

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run, run);
    this.#last = turn;
    return turn;
  }

  async #attempt(text: string, parameters: readonly unknown[]): Promise<Ran> {
    const [, ran, released] = await Promise.allSettled([
      this.#query('SAVEPOINT attempt', []),
      this.#query(text, parameters),
      this.#query('RELEASE attempt', []),
    ]);
    if (ran.status === 'fulfilled' && released.status === 'fulfilled') return ran.value;
    await this.#query('ROLLBACK TO attempt; RELEASE attempt', []).catch(() => {});
    throw ran.status === 'rejected' ? ran.reason : (released as PromiseRejectedResult).reason;
  }

  async #query(text: string, parameters: readonly unknown[]): Promise<Ran> {
    try {
      const { rows, rowCount } = await this.#client.query<Record<string, unknown>>(text, [
        ...parameters,
      ]);
      return { rows, changes: rowCount ?? 0 };
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

const NOW = 'SELECT (extract(epoch from clock_timestamp()) * 1000)::bigint AS now';
const EQUAL = readSql(
  `SELECT * FROM key_records WHERE ${IS_EQUAL} ${NEWEST}`,
  POSTGRES_SYNTAX,
).text;
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

/** One parameter for each column: the values of all receipts. What `numberBody` does, on the server. */
const APPEND = `WITH counted AS (
    INSERT INTO counters (name, value) VALUES ('${RECEIPT_COUNTER}', $1)
    ON CONFLICT (name) DO UPDATE SET value = counters.value + excluded.value
    RETURNING value - $1 AS first
  )
  INSERT INTO receipt_log (seq, id, body, salt, args)
  SELECT first + position - 1, id, body_before || (first + position - 1) || body_after, salt, args
  FROM counted, unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    WITH ORDINALITY AS receipt (id, body_before, body_after, salt, args, position)`;

function toValues(receipts: readonly UnnumberedReceipt[]): unknown[] {
  return [
    receipts.length,
    receipts.map(({ id }) => id),
    receipts.map(({ body }) => body[0]),
    receipts.map(({ body }) => body[1]),
    receipts.map(({ salt }) => salt),
    receipts.map(({ args }) => args),
  ];
}

/**
 * SQLSTATEs that are about the server and not about the statement: connection (08), resources (53),
 * intervention and time limits (57), system (58), internal (XX); read-only; idle for too long;
 * serialization, deadlock and lock timeout.
 */
const UNAVAILABLE = /^(?:08|53|57|58|XX|25006|25P03|40001|40P01|55P03)/;

/** What makes a call fail with `unavailable` is an error of the store; anything else stays as it is. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const code = sqlStateOf(error);
  if (code === undefined ? isOfConnection(error) : UNAVAILABLE.test(code)) {
    return new StoreUnavailableError(`the ledger is unavailable: ${error.message}`, {
      cause: error,
    });
  }
  return error;
}

/** Whether a commit that failed with it was certainly not done: the server has said so, and goes on. */
export function isCertainFailure(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

function sqlStateOf(error: Error): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) ? code : undefined;
}

/** Socket errors carry a syscall; the client's own errors have nothing but a message. */
function isOfConnection(error: Error): boolean {
  if ('syscall' in error) return true;
  return /connection terminated|not queryable|read timeout|timeout expired/i.test(error.message);
}
