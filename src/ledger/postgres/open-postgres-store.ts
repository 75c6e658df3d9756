/**
 * The store on a PostgreSQL primary, for more than one process. Reads and writes go to the one
 * server that the address names; a replica may lag and must not be used.
 */
import pg from 'pg';
import { migrate } from '../migrations.ts';
import type { Connection } from '../sql-tx.ts';
import { toTx } from '../sql-tx.ts';
import type { Store, Tx } from '../store.ts';
import { CommitUnknownError, StoreUnavailableError } from '../store.ts';

const INT8 = 20;
/** An arbitrary number, the same for every process that migrates. */
const MIGRATION_LOCK = 7_021_993;

const CONNECTIONS = 16;

export async function openPostgresStore(url: string): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
    types: { getTypeParser },
  });
  // A connection that breaks while idle is replaced; the next query fails if there is none.
  pool.on('error', () => {});
  // The same while it is in use: without its own listener, a broken connection would crash the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const store = new PostgresStore(pool);
  try {
    await store.transaction(async (tx) => {
      const [state] = await tx.execute('SELECT pg_is_in_recovery() AS is_replica');
      if (state?.['is_replica'] === true) throw new Error('this is a replica; name the primary');
      await tx.execute('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
      await migrate(tx);
    });
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  return store;
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
  /**
   * Transactions waiting for a connection; the pool itself would count their wait as a failure to
   * connect.
   */
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #inUse = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#inUse < CONNECTIONS) this.#inUse += 1;
    else await this.#turn();
    try {
      return await this.#runWithClient(work);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#inUse -= 1;
      else next.resolve();
    }
  }

  #turn(): Promise<void> {
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    return turn.promise;
  }

  async #runWithClient<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#begin();
    let isLost = false;
    const onError = (): void => void (isLost = true);
    // A connection that breaks between two statements reports it nowhere else.
    client.on('error', onError);
    try {
      return await this.#run(client, work, () => isLost);
    } finally {
      client.off('error', onError);
    }
  }

  async #run<T>(
    client: pg.PoolClient,
    work: (tx: Tx) => Promise<T>,
    isLost: () => boolean,
  ): Promise<T> {
    let value: T;
    try {
      value = await work(toTx(connectionOf(client)));
    } catch (error) {
      // A lost connection has been rolled back by the server.
      await client.query('ROLLBACK').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      );
      throw isLost() || isConnectionLoss(error) ? toLoss(error) : error;
    }
    if (isLost()) {
      client.release(true);
      throw toLoss(undefined);
    }
    try {
      await client.query('COMMIT');
    } catch (cause) {
      client.release(true);
      throw new CommitUnknownError('the commit did not say whether it happened', { cause });
    }
    client.release();
    return value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }

  async #begin(): Promise<pg.PoolClient> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      return client;
    } catch (cause) {
      client?.release(true);
      const unreachable = new StoreUnavailableError('the ledger cannot be reached', { cause });
      // The waiting transactions would only fail the same way, one timeout after the other.
      for (const { reject } of this.#waiting.splice(0)) reject(unreachable);
      throw unreachable;
    }
  }
}

const parameter = (position: number): string => `$${position}`;

function connectionOf(client: pg.PoolClient): Connection {
  const run: Connection['run'] = async (text, parameters) => {
    const { rows, rowCount } = await client.query<Record<string, unknown>>(text, [...parameters]);
    return { rows, changes: rowCount ?? 0 };
  };
  const now = async (): Promise<number> => {
    const { rows } = await run(
      'SELECT (extract(epoch from clock_timestamp()) * 1000)::bigint AS now',
      [],
    );
    return Number(rows[0]?.['now']);
  };
  const lock = async (name: string): Promise<void> => {
    await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  };
  return { now, lock, parameter, run };
}

function toLoss(cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(
    'the connection to the ledger was lost before anything was committed',
    { cause },
  );
}

/** SQLSTATE class 08 and 57P, and socket errors, which carry a syscall. */
function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (syscall !== undefined) return true;
  if (typeof code === 'string' && /^(08|57P)/.test(code)) return true;
  return /connection terminated/i.test(error.message);
}
