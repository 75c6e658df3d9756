/**
 * Whether the commit may refuse what a transaction has done, by a constraint that is checked no earlier. SQLite
 * does not tell whether one is violated before it is asked to commit.
 */
import type { Statements } from './statements.ts';

const DEFERS = /defer_foreign_keys/i;
const READ_VERSION = 'PRAGMA schema_version';
const FIND_DEFERRED = "SELECT 1 FROM sqlite_schema WHERE sql LIKE '%DEFERRED%' LIMIT 1";

export class DeferredConstraints {
  readonly #run: Statements;
  #schema: unknown;
  #areThere = false;
  #defers = false;
  /** Statements of the application have run; those of the ledger have no such constraints. */
  #isOwn = false;

  constructor(run: Statements) {
    this.#run = run;
  }

  /** What one has deferred stays deferred until the commit. */
  begin(): void {
    this.#defers = false;
  }

  beginJob(): void {
    this.#isOwn = false;
  }

  note(text: string): void {
    this.#isOwn = true;
    this.#defers ||= DEFERS.test(text);
  }

  mayFail(): boolean {
    return this.#isOwn && (this.#defers || this.#areDefined());
  }

  /** After the version that was seen has been undone, it is given to other tables. */
  forget(): void {
    this.#schema = undefined;
  }

  /** Looks again whenever anybody has changed a table. */
  #areDefined(): boolean {
    const version = this.#run(READ_VERSION, []).rows[0]?.['schema_version'];
    if (version !== this.#schema) {
      this.#areThere = this.#run(FIND_DEFERRED, []).rows.length > 0;
      this.#schema = version;
    }
    return this.#areThere;
  }
}
