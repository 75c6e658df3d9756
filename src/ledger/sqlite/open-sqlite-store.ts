/**
 * The store on one SQLite file. Transactions that wait at the same time are run one after another and
 * committed together, so that they share one sync; each can fail on its own.
 */
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../migrations.ts';
import type { Ran } from '../sql-tx.ts';
import { toTx } from '../sql-tx.ts';
import type { Store, Tx } from '../store.ts';
import { CommitUnknownError, StoreUnavailableError } from '../store.ts';

const MEMORY = ':memory:';
const MOST_AT_ONCE = 256;
const WAIT_FOR_OTHERS_MS = 5000;

const parameter = (): string => '?';

interface Job {
  readonly run: (tx: Tx) => Promise<void>;
  readonly succeed: () => void;
  readonly fail: (error: unknown) => void;
}

/** `path` is a file, or `:memory:`. */
export async function openSqliteStore(path: string): Promise<Store> {
  const store = new SqliteStore(path);
  try {
    await store.transaction(migrate);
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  return store;
}

/** For its owner alone; SQLite gives the files that it puts beside it the same mode. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there already, or SQLite is about to say what is wrong.
  }
}

class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly #db: DatabaseSync;
  readonly #run: Statements;
  readonly #tx: Tx;
  #waiting: Job[] = [];
  #draining: Promise<void> | undefined;

  constructor(path: string) {
    if (path !== MEMORY) createPrivately(path);
    this.#db = new DatabaseSync(path, { timeout: WAIT_FOR_OTHERS_MS });
    // FULL makes a commit survive a power loss; WAL alone only survives a crash.
    this.#db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;',
    );
    this.#run = openStatements(this.#db);
    this.#tx = toTx({
      now: async () => Date.now(),
      // Writers take turns, across all processes: the open transaction holds every lock.
      lock: async () => {},
      parameter,
      run: async (...args) => this.#run(...args),
    });
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let value: T;
    this.#waiting.push({
      run: async (tx) => {
        value = await work(tx);
      },
      succeed: () => resolve(value),
      fail: reject,
    });
    this.#draining ??= this.#drain();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#draining;
    if (this.#db.isOpen) this.#db.close();
  }

  async #drain(): Promise<void> {
    // Calls within the same turn of the event loop join this commit.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting.splice(0, MOST_AT_ONCE);
      // Later jobs are served whatever goes wrong with these.
      await this.#commitTogether(jobs).catch((cause: unknown) => this.#undo(jobs, cause));
    }
    this.#draining = undefined;
  }

  async #commitTogether(jobs: readonly Job[]): Promise<void> {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
    } catch (cause) {
      const error = new StoreUnavailableError('the ledger cannot be written', { cause });
      for (const job of jobs) job.fail(error);
      return;
    }
    const done: Job[] = [];
    for (const [index, job] of jobs.entries()) {
      if (await this.#runAlone(job)) done.push(job);
      if (this.#db.isTransaction) continue;
      // SQLite rolls back the whole transaction itself, for example when the disk is full.
      this.#waiting.unshift(...jobs.slice(index + 1));
      this.#undo(done, undefined);
      return;
    }
    try {
      this.#db.exec('COMMIT');
    } catch (cause) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      const error = new CommitUnknownError('the commit did not say whether it happened', { cause });
      for (const job of done) job.fail(error);
      return;
    }
    for (const job of done) job.succeed();
  }

  async #runAlone(job: Job): Promise<boolean> {
    this.#run('SAVEPOINT job', []);
    try {
      await job.run(this.#tx);
      this.#run('RELEASE job', []);
      return true;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK TO job; RELEASE job');
      job.fail(error);
      return false;
    }
  }

  /** Rejects the jobs that were rolled back; those already settled are not affected. */
  #undo(jobs: readonly Job[], cause: unknown): void {
    const error = new StoreUnavailableError('the ledger could not be written', { cause });
    for (const job of jobs) job.fail(error);
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The next to begin will fail by that, and say so.
    }
  }
}

/** Runs SQL on one SQLite connection; each text is prepared once. */
type Statements = (text: string, parameters: readonly unknown[]) => Ran;

interface Prepared {
  readonly statement: StatementSync;
  readonly givesRows: boolean;
}

/** An application's own statements must not accumulate forever. */
const MOST_PREPARED = 1000;

function openStatements(db: DatabaseSync): Statements {
  const prepared = new Map<string, Prepared>();
  const prepare = (text: string): Prepared => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    if (prepared.size >= MOST_PREPARED) prepared.clear();
    const statement = db.prepare(text);
    const made = { statement, givesRows: statement.columns().length > 0 };
    prepared.set(text, made);
    return made;
  };
  return (text, parameters) => {
    const { statement, givesRows } = prepare(text);
    const values = parameters as readonly SQLInputValue[]; // numbers and texts, by the row types
    if (givesRows) return { rows: statement.all(...values), changes: 0 };
    return { rows: [], changes: Number(statement.run(...values).changes) };
  };
}
