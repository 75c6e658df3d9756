/**
 * Runs the work of transactions that share one commit, so that they share one sync, and commits it. Each can fail
 * on its own: what succeeds is durable, and what fails left nothing behind, unless the commit did not say.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Connection } from '../sql-tx.ts';
import { CommitUnknownError, StoreUnavailableError } from '../store.ts';
import type { LedgerFile } from './ledger-file.ts';
import type { ReceiptCounter } from './receipt-counter.ts';
import type { IntentMark, RecentIntents } from './recent-intents.ts';
import type { Statements } from './statements.ts';
import { isCertainFailure } from './statements.ts';

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
  readonly connection: Connection;
}

interface Ran {
  readonly done: readonly Job[];
  /** These are told nothing yet. */
  readonly again?: readonly Job[];
}

const NONE: readonly Job[] = Object.freeze([]);

export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #run: Statements;
  readonly #counter: ReceiptCounter;
  readonly #intents: RecentIntents;
  readonly #connection: Connection;
  file: LedgerFile | undefined;
  /** The commit that is prepared is for several: those whose work is done wait for it too. */
  isShared = false;

  constructor({ db, run, counter, intents, connection }: GroupCommitParts) {
    this.#db = db;
    this.#run = run;
    this.#counter = counter;
    this.#intents = intents;
    this.#connection = connection;
  }

  /** In a transaction that has just begun, and ends with it. Gives those that have to be run in another one. */
  async commit(jobs: readonly Job[]): Promise<readonly Job[]> {
    this.#counter.forget();
    this.isShared = jobs.length > 1;
    try {
      const { done, again = NONE } = await this.#runAll(jobs, this.#intents.mark);
      if (this.#db.isTransaction) this.#end(done);
      else this.#undo(done, undefined);
      return again;
    } catch (cause) {
      this.#undo(jobs, cause);
      return NONE;
    }
  }

  #end(done: readonly Job[]): void {
    // Nothing that was read or written counts if the file is another one by now.
    this.file?.check();
    this.#counter.write();
    try {
      this.#db.exec('COMMIT');
    } catch (cause) {
      this.#failToCommit(done, cause);
      return;
    }
    for (const job of done) job.succeed();
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
    try {
      for (const job of jobs) await job.run(this.#connection);
      if (this.#db.isTransaction) return { done: jobs };
    } catch {
      // The next run tells which one fails.
    }
    this.#rollBack(before);
    return { done: NONE, again: jobs.map((job) => ({ ...job, isRepeatable: false })) };
  }

  async #runEach(jobs: readonly Job[]): Promise<Ran> {
    const done: Job[] = [];
    for (const [index, job] of jobs.entries()) {
      if (await this.#runAlone(job)) done.push(job);
      // SQLite rolls back the whole transaction itself, for example when the disk is full.
      if (!this.#db.isTransaction) return { done, again: jobs.slice(index + 1) };
    }
    return { done };
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
