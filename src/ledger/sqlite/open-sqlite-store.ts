/**
 * The store on one SQLite file. Transactions that wait at the same time are run one after another and
 * committed together, so that they share one sync; each can fail on its own. While another process
 * writes, this one waits without blocking its event loop.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeToOthers } from '../close-to-others.ts';
import { IS_EQUAL, NEWEST, toEqualValues } from '../equal-call.ts';
import { checkVersion, NoLedgerError, OlderLedgerError } from '../check-version.ts';
import { migrate, MIGRATION_MS, NEWEST_VERSION } from '../migrations.ts';
import { SQLITE_SYNTAX } from '../read-sql.ts';
import { runWithin } from '../run-within.ts';
import type { Connection } from '../sql-tx.ts';
import type { Store, StoreLimits, StoreOpening, TransactionKind, Tx } from '../store.ts';
import { STORE_LIMITS, StoreUnavailableError } from '../store.ts';
import type { KeyRecordRow } from '../tables.ts';
import { appendToLog } from './append-to-log.ts';
import { DeferredConstraints } from './deferred-constraints.ts';
import type { Job } from './group-commit.ts';
import { GroupCommit } from './group-commit.ts';
import { LedgerFile } from './ledger-file.ts';
import { ReceiptCounter } from './receipt-counter.ts';
import { IS_PREPARED, RecentIntents } from './recent-intents.ts';
import type { Statements } from './statements.ts';
import { openStatements, isBusy, toStoreError } from './statements.ts';

const MEMORY = ':memory:';
const MOST_AT_ONCE = 256;
const LONGEST_PAUSE_MS = 25;
/** How often somebody looks whether there are intents to index. */
const INDEX_MS = 1000;

/** `path` is a file, or `:memory:`. */
export async function openSqliteStore(
  path: string,
  limits: Partial<StoreLimits> = {},
  { migrates = true }: StoreOpening = {},
): Promise<Store> {
  if (!migrates && !existsSync(path)) throw new NoLedgerError();
  if (migrates && path !== MEMORY) createPrivately(path);
  const store = new SqliteStore(path, { ...STORE_LIMITS, ...limits });
  try {
    if (!migrates) {
      await store.transaction(refuseOther);
      closeAll(path);
    }
    await store.prepare();
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  return store;
}

/** Before anything is written to it. */
async function refuseOther(tx: Tx): Promise<void> {
  await checkVersion(tx, NEWEST_VERSION, FIND_VERSIONS);
  const [prepared] = await tx.execute(IS_PREPARED);
  if (prepared === undefined)
    throw new OlderLedgerError('tables of an earlier build', NEWEST_VERSION);
}

const FIND_VERSIONS = "SELECT 1 FROM sqlite_schema WHERE name = 'ledger_version'";

/** For its owner alone; SQLite gives the files that it puts beside it the same mode. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there already, or SQLite is about to say what is wrong.
    closeAll(path);
  }
}

function closeAll(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) closeToOthers(`${path}${suffix}`);
}

class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #limits: StoreLimits;
  readonly #run: Statements;
  readonly #counter: ReceiptCounter;
  readonly #intents: RecentIntents;
  readonly #commit: GroupCommit;
  #waiting: Job[] = [];
  /** When it last had its turn; those who wait for this process itself are not late. */
  #wroteAt = 0;
  #draining: Promise<void> | undefined;
  /** When it is time to look whether intents are to be indexed. */
  #indexesAt = performance.now() + INDEX_MS;

  constructor(path: string, limits: StoreLimits) {
    this.#path = path;
    this.#limits = limits;
    // SQLite would wait by blocking the thread.
    this.#db = new DatabaseSync(path, { timeout: 0 });
    this.#run = openStatements(this.#db);
    this.#counter = new ReceiptCounter(this.#run);
    this.#intents = new RecentIntents(this.#run);
    const deferred = new DeferredConstraints(this.#run);
    const run: Connection['run'] = async (text, parameters) => {
      this.#counter.writeFor(text);
      return this.#run(text, parameters);
    };
    const connection: Connection = {
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
      attempt: async (text, parameters) => {
        deferred.note(text);
        return run(text, parameters);
      },
    };
    const [db, counter, intents] = [this.#db, this.#counter, this.#intents];
    const parts = { db, run: this.#run, counter, intents, deferred, connection };
    this.#commit = new GroupCommit(parts);
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
    this.#commit.file = LedgerFile.find(this.#path);
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
    return this.#waiting.length > 0 || this.#commit.isShared;
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
        this.#waiting.unshift(...(await this.#commit.commit(jobs)));
        tries = 0;
        this.#wroteAt = performance.now();
        void this.#indexIntents();
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
