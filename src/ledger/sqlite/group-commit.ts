/**
 * Runs the work of transactions that share one commit, so that they share one sync, and commits it. Each can fail
 * on its own: what succeeds is durable, and what fails left nothing behind, unless the commit did not say.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Connection } from '../sql-tx.ts';
import { CommitUnknownError, StoreUnavailableError, TransactionLateError } from '../store.ts';
import type { DeferredConstraints } from './deferred-constraints.ts';
import type { LedgerFile } from './ledger-file.ts';
import type { CounterState, ReceiptCounter } from './receipt-counter.ts';
import type { IntentMark, RecentIntents } from './recent-intents.ts';
import type { Statements } from './statements.ts';
import { isCertainFailure, isRefusal } from './statements.ts';

export interface Job {
  /** When it began to wait. */
  readonly since: number;
  readonly isRepeatable: boolean;
  readonly run: (connection: Connection) => Promise<void>;
  readonly succeed: () => void;
  readonly fail: (error: unknown) => void;
}

interface GroupCommitParts {
  readonly db: DatabaseSync;
  readonly run: Statements;
  readonly counter: ReceiptCounter;
  readonly intents: RecentIntents;
  readonly deferred: DeferredConstraints;
  readonly connection: Connection;
}

interface Ran {
  readonly done: readonly Job[];
  /** Done too, where only the commit tells whether it may be. */
  readonly doubtful?: Undoable;
  /** These are told nothing yet. */
  readonly again?: readonly Job[];
}

/** A job with its savepoint still there, and what was known at it. */
interface Undoable {
  readonly job: Job;
  readonly counter: CounterState;
  readonly intents: IntentMark;
}

const NONE: readonly Job[] = Object.freeze([]);

export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #run: Statements;
  readonly #counter: ReceiptCounter;
  readonly #intents: RecentIntents;
  readonly #deferred: DeferredConstraints;
  readonly #connection: Connection;
  file: LedgerFile | undefined;
  /** The commit that is prepared is for several: those whose work is done wait for it too. */
  isShared = false;

  constructor({ db, run, counter, intents, deferred, connection }: GroupCommitParts) {
    this.#db = db;
    this.#run = run;
    this.#counter = counter;
    this.#intents = intents;
    this.#deferred = deferred;
    this.#connection = connection;
  }

  /** In a transaction that has just begun, and ends with it. Gives those that have to be run in another one. */
  async commit(jobs: readonly Job[]): Promise<readonly Job[]> {
    this.#counter.forget();
    this.#deferred.begin();
    this.isShared = jobs.length > 1;
    const before = this.#intents.mark;
    try {
      const { done, doubtful, again = NONE } = await this.#runAll(jobs, before);
      if (this.#db.isTransaction) return [...this.#end(done, doubtful, before), ...again];
      this.#undo(toAll(done, doubtful), undefined);
      return again;
    } catch (cause) {
      this.#undo(jobs, cause);
      return NONE;
    }
  }

  /** Gives those that have to be run again, since the commit was refused. */
  #end(done: readonly Job[], doubtful: Undoable | undefined, before: IntentMark): readonly Job[] {
    // Nothing that was read or written counts if the file is another one by now.
    this.file?.check();
    this.#counter.write();
    try {
      this.#db.exec('COMMIT');
    } catch (cause) {
      if (this.#db.isTransaction && isRefusal(cause)) {
        return this.#endWithout(done, doubtful, before, cause);
      }
      this.#failToCommit(toAll(done, doubtful), cause);
      return NONE;
    }
    for (const job of toAll(done, doubtful)) job.succeed();
    return NONE;
  }

  /** The others that share a commit must not fail by what one of them did. */
  #endWithout(
    done: readonly Job[],
    doubtful: Undoable | undefined,
    before: IntentMark,
    cause: unknown,
  ): readonly Job[] {
    if (doubtful !== undefined) {
      this.#undoAlone(doubtful, cause);
      return this.#end(done, undefined, before);
    }
    if (this.isShared && !done.every(({ isRepeatable }) => isRepeatable)) throw cause;
    this.#rollBack(before);
    if (this.isShared) return done.map(toUnrepeatable);
    for (const job of done) job.fail(cause);
    return NONE;
  }

  /** Where the transaction is open afterwards, what is done can be committed. */
  async #runAll(jobs: readonly Job[], before: IntentMark): Promise<Ran> {
    const [first] = jobs;
    if (first !== undefined && !this.isShared) return this.#runOnly(first, before);
    return jobs.every(({ isRepeatable }) => isRepeatable)
      ? this.#runRepeatable(jobs, before)
      : this.#runEach(jobs);
  }

  /** Nobody shares the commit, so that all of it can be rolled back. */
  async #runOnly(job: Job, before: IntentMark): Promise<Ran> {
    try {
      await job.run(this.#connection);
      return { done: [job] };
    } catch (error) {
      job.fail(error);
      this.#rollBack(before);
      return { done: NONE };
    }
  }

  /**
   * Without savepoints, for each of which SQLite copies the pages that change. Few fail: then all run again,
   * each with its own savepoint.
   */
  async #runRepeatable(jobs: readonly Job[], before: IntentMark): Promise<Ran> {
    let again = jobs.map(toUnrepeatable);
    for (const job of jobs) {
      try {
        await job.run(this.#connection);
      } catch (error) {
        // Any other failure may come from what those before have done, and the next run tells whether it does.
        if (error instanceof TransactionLateError) {
          job.fail(error);
          again = jobs.filter((other) => other !== job);
        }
        this.#rollBack(before);
        return { done: NONE, again };
      }
    }
    if (this.#db.isTransaction) return { done: jobs };
    this.#rollBack(before);
    return { done: NONE, again };
  }

  async #runEach(jobs: readonly Job[]): Promise<Ran> {
    const done: Job[] = [];
    for (const [index, job] of jobs.entries()) {
      const ended = await this.#runAlone(job);
      if (typeof ended === 'object') return { done, doubtful: ended, again: jobs.slice(index + 1) };
      if (ended === 'done') done.push(job);
      // SQLite rolls back the whole transaction itself, for example when the disk is full.
      if (!this.#db.isTransaction) return { done, again: jobs.slice(index + 1) };
    }
    return { done };
  }

  async #runAlone(job: Job): Promise<'done' | 'failed' | Undoable> {
    this.#run('SAVEPOINT job', []);
    const undoable = { job, counter: this.#counter.state, intents: this.#intents.mark };
    this.#deferred.beginJob();
    try {
      await job.run(this.#connection);
      // It is the last of this commit then.
      if (this.#deferred.mayFail()) return undoable;
      this.#run('RELEASE job', []);
      return 'done';
    } catch (error) {
      this.#undoAlone(undoable, error);
      return 'failed';
    }
  }

  #undoAlone({ job, counter, intents }: Undoable, error: unknown): void {
    job.fail(error);
    this.#counter.state = counter;
    this.#intents.rollBack(intents);
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK TO job; RELEASE job');
  }

  /** Throws if the transaction is still open then: nothing of it may be committed. */
  #rollBack(before: IntentMark): void {
    this.#intents.rollBack(before);
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
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

  /** Rejects the jobs that were rolled back; those already settled are not affected. */
  #undo(jobs: readonly Job[], cause: unknown): void {
    if (jobs.length > 0) this.#intents.forget();
    this.#deferred.forget();
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

function toAll(done: readonly Job[], doubtful: Undoable | undefined): readonly Job[] {
  return doubtful === undefined ? done : [...done, doubtful.job];
}

function toUnrepeatable(job: Job): Job {
  return { ...job, isRepeatable: false };
}
