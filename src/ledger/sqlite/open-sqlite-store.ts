/**
 * The store on one SQLite file. Transactions that wait at the same time are run one after another and
 * committed together, so that they share one sync; each can fail on its own. While another process
 * writes, this one waits without blocking its event loop.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeToOthers } from '../close-to-others.ts';
import { IS_EQUAL, NEWEST, toEqualValues } from '../equal-call.ts';
import { migrate, MIGRATION_MS } from '../migrations.ts';
import { SQLITE_SYNTAX } from '../read-sql.ts';
import { runWithin } from '../run-within.ts';
import type { Connection } from '../sql-tx.ts';
import type { Store, StoreLimits, TransactionKind, Tx } from '../store.ts';
import { CommitUnknownError, STORE_LIMITS, StoreUnavailableError } from '../store.ts';
import type { KeyRecordRow } from '../tables.ts';
import { appendToLog } from './append-to-log.ts';
import { LedgerFile } from './ledger-file.ts';
import { ReceiptCounter } from './receipt-counter.ts';
import { RecentIntents } from './recent-intents.ts';
import type { Statements } from './statements.ts';
import { openStatements, isBusy, isCertainFailure, toStoreError } from './statements.ts';

const MEMORY = ':memory:';
const MOST_AT_ONCE = 256;
const LONGEST_PAUSE_MS = 25;
/** How often somebody looks whether there are intents to index. */
const INDEX_MS = 1000;

interface Job {
  /** When it began to wait. */
  readonly since: number;
  readonly isRepeatable: boolean;
  readonly run: (connection: Connection) => Promise<void>;
  readonly succeed: () => void;
  readonly fail: (error: unknown) => void;
}

/** `path` is a file, or `:memory:`. */
export async function openSqliteStore(
  path: string,
  limits: Partial<StoreLimits> = {},
): Promise<Store> {
  const store = new SqliteStore(path, { ...STORE_LIMITS, ...limits });
  try {
    await store.prepare();
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
    for (const suffix of ['', '-wal', '-shm']) closeToOthers(`${path}${suffix}`);
  }
}

class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #limits: StoreLimits;
  readonly #run: Statements;
  readonly #counter: ReceiptCounter;
  readonly #intents: RecentIntents;
  readonly #connection: Connection;
  #file: LedgerFile | undefined;
  #waiting: Job[] = [];
  /** The commit that is prepared is for several: those whose work is done wait for it too. */
  #isShared = false;
  /** When it last had its turn; those who wait for this process itself are not late. */
  #wroteAt = 0;
  #draining: Promise<void> | undefined;
  /** When it is time to look whether intents are to be indexed. */
  #indexesAt = performance.now() + INDEX_MS;

  constructor(path: string, limits: StoreLimits) {
    this.#path = path;
    this.#limits = limits;
    if (path !== MEMORY) createPrivately(path);
    // SQLite would wait by blocking the thread.
    this.#db = new DatabaseSync(path, { timeout: 0 });
    this.#run = openStatements(this.#db);
    this.#counter = new ReceiptCounter(this.#run);
    this.#intents = new RecentIntents(this.#run);
    const run: Connection['run'] = async (text, parameters) => {
      this.#counter.writeFor(text);
      return this.#run(text, parameters);
    };
    this.#connection = {
      syntax: SQLITE_SYNTAX,
      now: async () => Date.now(),
      // Writers take turns, across all processes: the open transaction holds every lock.
      lock: async () => {},
      append: async (receipts) => {
        appendToLog(this.#run, receipts, this.#counter.take(receipts.length));
      },
      findEqual: async (call, since) => {
        const ids = this.#intents.find(call.fingerprint, since);
        if (ids.length === 0) return undefined;
        const values = [...toEqualValues(call, since), JSON.stringify(ids)];
        return this.#run(EQUAL_AMONG, values).rows[0] as KeyRecordRow | undefined; // of that table
      },
      run,
      // A statement that fails leaves nothing behind.
      attempt: run,
    };
  }

  async prepare(): Promise<void> {
    // FULL makes a commit survive a power loss; WAL alone only survives a crash. What a savepoint would bring
    // back is kept in memory: SQLite would write it to a file in a folder that others use too.
    const pragmas =
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;';
    const until = Date.now() + this.#limits.lockMs;
    for (let tries = 0; !this.#tryToRun(pragmas); tries += 1) {
      if (Date.now() > until) throw busy();
      await pause(tries);
    }
    const prepare = async (tx: Tx): Promise<void> => {
      await migrate(tx, 'INTEGER');
      RecentIntents.prepare(this.#db);
    };
    await this.#enqueue(prepare, false, { ...this.#limits, totalMs: MIGRATION_MS });
    this.#file = LedgerFile.find(this.#path);
  }

  transaction<T>(
    work: (tx: Tx) => Promise<T>,
    { isRepeatable = false }: TransactionKind = {},
  ): Promise<T> {
    return this.#enqueue(work, isRepeatable, this.#limits);
  }

  #enqueue<T>(
    work: (tx: Tx) => Promise<T>,
    isRepeatable: boolean,
    limits: StoreLimits,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let value: T;
    this.#waiting.push({
      since: performance.now(),
      isRepeatable,
      run: async (connection) => {
        value = await runWithin(limits, connection, work);
      },
      succeed: () => resolve(value),
      fail: reject,
    });
    this.#draining ??= this.#drain();
    return promise;
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0 || this.#isShared;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#draining;
    if (this.#db.isOpen) this.#db.close();
  }

  async #drain(): Promise<void> {
    // Calls within the same turn of the event loop join this commit.
    await new Promise(setImmediate);
    for (let tries = 0; this.#waiting.length > 0;) {
      // Later jobs are served whatever goes wrong with these.
      if (this.#tryToBegin()) {
        const jobs = this.#waiting.splice(0, MOST_AT_ONCE);
        await this.#commitTogether(jobs).catch((cause: unknown) => this.#undo(jobs, cause));
        tries = 0;
        this.#wroteAt = performance.now();
      } else if (this.#waiting.length > 0) {
        await pause(tries);
        tries += 1;
      }
    }
    this.#draining = undefined;
  }

  /** Fails everyone who waits when it can never begin, and those who have waited for too long. */
  #tryToBegin(): boolean {
    try {
      if (this.#tryToRun('BEGIN IMMEDIATE')) return true;
      const before = performance.now() - this.#limits.lockMs;
      if (this.#wroteAt > before) return false;
      const late = this.#waiting.filter(({ since }) => since < before);
      this.#waiting = this.#waiting.filter(({ since }) => since >= before);
      for (const job of late) job.fail(busy());
    } catch (error) {
      for (const job of this.#waiting.splice(0)) job.fail(error);
    }
    return false;
  }

  /** `false` while another connection writes. */
  #tryToRun(sql: string): boolean {
    try {
      this.#db.exec(sql);
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw toStoreError(error);
    }
  }

  async #commitTogether(jobs: readonly Job[]): Promise<void> {
    this.#counter.forget();
    this.#isShared = jobs.length > 1;
    const done = await this.#runAll(jobs);
    // Nothing is left to commit.
    if (!this.#db.isTransaction) return;
    // Nothing that was read or written counts if the file is another one by now.
    this.#file?.check();
    this.#counter.write();
    try {
      this.#db.exec('COMMIT');
    } catch (cause) {
      this.#failToCommit(done, cause);
      return;
    }
    for (const job of done) job.succeed();
    void this.#indexIntents();
  }

  /** Gives those whose work is done. When the transaction is rolled back on the way, each is told or runs again. */
  #runAll(jobs: readonly Job[]): Promise<readonly Job[]> {
    if (!this.#isShared) return this.#runOnly(jobs);
    const isRepeatable = jobs.every((job) => job.isRepeatable);
    return isRepeatable ? this.#runRepeatable(jobs) : this.#runEach(jobs);
  }

  /** Nobody shares the commit, so that all of it can be rolled back. */
  async #runOnly(jobs: readonly Job[]): Promise<readonly Job[]> {
    for (const job of jobs) {
      try {
        await job.run(this.#connection);
      } catch (error) {
        job.fail(error);
        this.#rollBack();
      }
    }
    // SQLite rolls back the whole transaction itself, for example when the disk is full.
    if (!this.#db.isTransaction) this.#undo(jobs, undefined);
    return jobs;
  }

  /**
   * Without savepoints, for each of which SQLite copies the pages that change. Few fail: then all run again,
   * each with its own savepoint.
   */
  async #runRepeatable(jobs: readonly Job[]): Promise<readonly Job[]> {
    try {
      for (const job of jobs) await job.run(this.#connection);
    } catch {
      this.#rollBack();
    }
    // Or SQLite has rolled it back, and nobody noticed.
    if (!this.#db.isTransaction) {
      this.#intents.forget();
      this.#waiting.unshift(...jobs.map((job) => ({ ...job, isRepeatable: false })));
    }
    return jobs;
  }

  async #runEach(jobs: readonly Job[]): Promise<readonly Job[]> {
    const done: Job[] = [];
    for (const [index, job] of jobs.entries()) {
      if (await this.#runAlone(job)) done.push(job);
      if (this.#db.isTransaction) continue;
      this.#waiting.unshift(...jobs.slice(index + 1));
      this.#undo(done, undefined);
      break;
    }
    return done;
  }

  /** Throws if the transaction is still open then: nothing of it may be committed. */
  #rollBack(): void {
    this.#intents.forget();
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
  }

  /** Also for those who never search, since they add to them too. What fails is tried again. */
  async #indexIntents(): Promise<void> {
    if (performance.now() < this.#indexesAt) return;
    this.#indexesAt = Number.POSITIVE_INFINITY;
    const indexed = this.transaction(async () => {
      const isDue = this.#intents.isIndexDue();
      if (isDue) this.#intents.index(Date.now());
      return isDue;
    });
    const isIndexed = await indexed.catch(() => false);
    if (this.#intents.isLong) this.#intents.forget();
    // There may be more.
    this.#indexesAt = isIndexed ? 0 : performance.now() + INDEX_MS;
  }

  #failToCommit(done: readonly Job[], cause: unknown): void {
    this.#intents.forget();
    // A transaction that is still open can be rolled back.
    if (this.#db.isTransaction || isCertainFailure(cause)) {
      this.#undo(done, cause);
      return;
    }
    const error = new CommitUnknownError('the commit did not say whether it happened', { cause });
    for (const job of done) job.fail(error);
  }

  async #runAlone(job: Job): Promise<boolean> {
    this.#run('SAVEPOINT job', []);
    const [counter, intents] = [this.#counter.state, this.#intents.mark];
    try {
      await job.run(this.#connection);
      this.#run('RELEASE job', []);
      return true;
    } catch (error) {
      job.fail(error);
      this.#counter.state = counter;
      this.#intents.rollBack(intents);
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK TO job; RELEASE job');
      return false;
    }
  }

  /** Rejects the jobs that were rolled back; those already settled are not affected. */
  #undo(jobs: readonly Job[], cause: unknown): void {
    this.#intents.forget();
    const error =
      cause instanceof StoreUnavailableError
        ? cause
        : new StoreUnavailableError('the ledger could not be written', { cause });
    for (const job of jobs) job.fail(error);
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The next to begin will fail by that, and say so.
    }
  }
}

const EQUAL_AMONG = `SELECT * FROM key_records
  WHERE ${IS_EQUAL} AND id IN (SELECT value FROM json_each(?)) ${NEWEST}`;

function busy(): StoreUnavailableError {
  return new StoreUnavailableError('another process has been writing to the ledger for too long');
}

/** Short at first: most others only commit. Never the same for two, who would meet again. */
function pause(tries: number): Promise<void> {
  return sleep(Math.min(2 ** tries, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2));
}
