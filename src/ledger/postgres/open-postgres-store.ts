/**
 * The store on a PostgreSQL primary, for more than one process. Reads and writes go to the one
 * server that the address names; a replica may lag and must not be used.
 */
import pg from 'pg';
import { checkVersion } from '../check-version.ts';
import { migrate, MIGRATION_MS, NEWEST_VERSION } from '../migrations.ts';
import { runWithin } from '../run-within.ts';
import type { Store, StoreLimits, StoreOpening, Tx } from '../store.ts';
import { CommitUnknownError, STORE_LIMITS, StoreUnavailableError } from '../store.ts';
import { PostgresTransaction, isCertainFailure, toStoreError } from './postgres-transaction.ts';

const INT8 = 20;
/** An arbitrary number, the same for every process that migrates. */
const MIGRATION_LOCK = 7_021_993;

const FIND_VERSIONS = "SELECT 1 WHERE to_regclass('ledger_version') IS NOT NULL";

const CONNECTIONS = 16;
const CONNECT_MS = 5000;
/** How much longer than its time limit the server gets to say that the time is up. */
const GRACE_MS = 1000;

export async function openPostgresStore(
  url: string,
  given: Partial<StoreLimits> = {},
  { migrates = true }: StoreOpening = {},
): Promise<Store> {
  const limits = { ...STORE_LIMITS, ...given };
  await using opening = new PostgresStore(url, { ...limits, totalMs: MIGRATION_MS });
  await opening.transaction(async (tx) => {
    const [state] = await tx.execute('SELECT pg_is_in_recovery() AS is_replica');
    if (state?.['is_replica'] === true) throw new Error('this is a replica; name the primary');
    if (!migrates) return checkVersion(tx, NEWEST_VERSION, FIND_VERSIONS);
    await tx.execute('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    return migrate(tx, 'BIGINT');
  });
  return new PostgresStore(url, limits);
}

function openPool(url: string, { totalMs }: StoreLimits): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    // For a server that no longer answers at all; one that does ends its statements by itself.
    query_timeout: totalMs + GRACE_MS,
    keepAlive: true,
    // What belongs together is sent at once, so that no lock waits for us in between.
    pipeline: true,
    types: { getTypeParser },
  });
  // A connection that breaks while idle is replaced; the next query fails if there is none.
  pool.on('error', () => {});
  // The same while it is in use: without its own listener, a broken connection would crash the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Counters and times stay far below 2^53, so they may be numbers. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8) return Number;
  const parserOf = pg.types.getTypeParser as (
    oid: number,
    format?: string,
  ) => (text: string) => unknown;
  return parserOf(oid, format);
}

class PostgresStore implements Store {
  readonly kind = 'postgres';
  readonly #pool: pg.Pool;
  readonly #limits: StoreLimits;
  readonly #begin: string;
  /**
   * Transactions waiting for a connection; the pool itself would count their wait as a failure to
   * connect.
   */
  readonly #waiting = new Set<PromiseWithResolvers<void>>();
  #inUse = 0;
  /** When a connection was last given back. */
  #freedAt = 0;

  constructor(url: string, limits: StoreLimits) {
    this.#pool = openPool(url, limits);
    this.#limits = limits;
    const { idleMs, lockMs, totalMs } = limits;
    // A process that was stopped or cut off cannot end its transaction, so the server does.
    this.#begin = `BEGIN ISOLATION LEVEL READ COMMITTED;
      SET LOCAL lock_timeout = ${lockMs};
      SET LOCAL statement_timeout = ${totalMs};
      SET LOCAL idle_in_transaction_session_timeout = ${idleMs + GRACE_MS}`;
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#inUse < CONNECTIONS) this.#inUse += 1;
    else await this.#turn();
    try {
      return await this.#runWithClient(work);
    } finally {
      this.#freedAt = performance.now();
      const [next] = this.#waiting;
      if (next === undefined) this.#inUse -= 1;
      else next.resolve();
      if (next !== undefined) this.#waiting.delete(next);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }

  /** However many wait, it goes on as long as others get their turn. */
  async #turn(): Promise<void> {
    const { lockMs } = this.#limits;
    const turn = Promise.withResolvers<void>();
    this.#waiting.add(turn);
    const timer = setInterval(() => {
      if (performance.now() - this.#freedAt < lockMs) return;
      this.#waiting.delete(turn);
      turn.reject(new StoreUnavailableError('all connections to the ledger are in use'));
    }, lockMs);
    await turn.promise.finally(() => clearInterval(timer));
  }

  async #runWithClient<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const transaction = new PostgresTransaction(client);
    try {
      const value = await this.#run(transaction, work);
      client.release();
      return value;
    } catch (error) {
      client.release(transaction.isLost || error instanceof CommitUnknownError);
      throw error;
    } finally {
      transaction[Symbol.dispose]();
    }
  }

  async #run<T>(transaction: PostgresTransaction, work: (tx: Tx) => Promise<T>): Promise<T> {
    let value: T;
    try {
      value = await runWithin(this.#limits, transaction.connection, work);
    } catch (error) {
      await transaction.rollback();
      throw transaction.isLost ? lost(error) : error;
    }
    if (transaction.isLost) throw lost(undefined);
    try {
      await transaction.commit();
    } catch (cause) {
      if (isCertainFailure(cause)) throw toStoreError(cause);
      throw new CommitUnknownError('the commit did not say whether it happened', { cause });
    }
    return value;
  }

  async #connect(): Promise<pg.PoolClient> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      await client.query(this.#begin);
      return client;
    } catch (cause) {
      client?.release(true);
      const unreachable = new StoreUnavailableError('the ledger cannot be reached', { cause });
      // The waiting transactions would only fail the same way, one timeout after the other.
      for (const { reject } of this.#waiting) reject(unreachable);
      this.#waiting.clear();
      throw unreachable;
    }
  }
}

function lost(cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(
    'the connection to the ledger was lost before anything was committed',
    { cause },
  );
}
