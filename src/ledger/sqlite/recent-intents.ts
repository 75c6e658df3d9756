/**
 * Finds key records by what was asked for. An index by a digest changes another page for every record, which
 * costs a commit more than all the rest of a record. So the newest are appended to a table of their own, which
 * each process follows in memory, and go into the index by the thousand.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Statements } from './statements.ts';

/** Nobody looks back for more than a day. */
const KEPT_MS = 2 * 24 * 3_600_000;
/** How far the index reaches, as a number of the table. */
const COUNTER = 'intents indexed';

/** A trigger, so that no record is missing, whoever wrote it. What is there already goes into the index at once. */
const SCHEMA = `
  CREATE TABLE key_record_intents (
    n INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    key_record TEXT NOT NULL,
    created_at BIGINT NOT NULL
  );
  CREATE TABLE key_record_intent_index (
    fingerprint TEXT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (fingerprint, n)
  ) WITHOUT ROWID;
  INSERT INTO key_record_intents (fingerprint, key_record, created_at)
    SELECT fingerprint, id, created_at FROM key_records
    WHERE created_at > unixepoch() * 1000 - ${KEPT_MS} ORDER BY created_at;
  INSERT INTO key_record_intent_index (fingerprint, n)
    SELECT fingerprint, n FROM key_record_intents ORDER BY fingerprint;
  INSERT INTO counters (name, value)
    SELECT '${COUNTER}', COALESCE(MAX(n), 0) FROM key_record_intents;
  CREATE TRIGGER key_record_intents_add AFTER INSERT ON key_records BEGIN
    INSERT INTO key_record_intents (fingerprint, key_record, created_at)
      VALUES (NEW.fingerprint, NEW.id, NEW.created_at);
  END;
  DROP INDEX IF EXISTS key_records_alike;`;
export const IS_PREPARED = "SELECT 1 FROM sqlite_schema WHERE name = 'key_record_intents_add'";

const READ_INDEXED = `SELECT value FROM counters WHERE name = '${COUNTER}'`;
const WRITE_INDEXED = `UPDATE counters SET value = ? WHERE name = '${COUNTER}'`;
const READ_LAST = 'SELECT MAX(n) AS n FROM key_record_intents';
/** The limit is part of the text: as a parameter, SQLite would plan the statement anew each time. */
const readNew = (most: number): string =>
  `SELECT * FROM key_record_intents WHERE n > ? ORDER BY n LIMIT ${most}`;
const SEARCH = `SELECT i.key_record FROM key_record_intent_index x JOIN key_record_intents i ON i.n = x.n
  WHERE x.fingerprint = ? AND x.n <= ? AND i.created_at > ? ORDER BY x.n DESC`;
/** In the order of the index, so that each of its pages is changed once. */
const INDEX = `INSERT OR IGNORE INTO key_record_intent_index (fingerprint, n)
  SELECT fingerprint, n FROM key_record_intents WHERE n > ? AND n <= ? ORDER BY fingerprint`;
const READ_OLD = 'SELECT n FROM key_record_intents ORDER BY n LIMIT 1 OFFSET ?';
const READ_NEWEST_BEFORE = 'SELECT MAX(created_at) AS at FROM key_record_intents WHERE n < ?';
const DROP_INDEXED = `DELETE FROM key_record_intent_index
  WHERE (fingerprint, n) IN (SELECT fingerprint, n FROM key_record_intents WHERE n < ?)`;
const DROP_OLD = 'DELETE FROM key_record_intents WHERE n < ?';

/** Few enough to be read, or indexed, at once. */
export const MOST_FOLLOWED = 16_384;

/** Thousands of them live for as long as the process, so they are small. */
interface Intent {
  readonly n: number;
  readonly fingerprint: string;
  readonly keyRecord: string;
  readonly createdAt: number;
  /** The one before it with the same fingerprint. */
  readonly older: Intent | undefined;
}

interface IntentRow {
  readonly n: number;
  readonly fingerprint: string;
  readonly key_record: string;
  readonly created_at: number;
}

export interface IntentMark {
  readonly start: number | undefined;
  readonly end: number;
}

export class RecentIntents {
  readonly #run: Statements;
  readonly #most: number;
  readonly #readNew: string;
  /** Those after `#start`, in the order of their numbers; those before it are found in the index. */
  #followed: Intent[] = [];
  #start: number | undefined;
  /** By fingerprint. */
  readonly #newest = new Map<string, Intent>();

  constructor(run: Statements, most: number = MOST_FOLLOWED) {
    this.#run = run;
    this.#most = most;
    this.#readNew = readNew(most + 1);
  }

  /** In a transaction, once for each file. */
  static prepare(db: DatabaseSync): void {
    if (db.prepare(IS_PREPARED).get() === undefined) db.exec(SCHEMA);
  }

  /**
   * Ids of the key records that were made with this fingerprint after a time. Their records may have been
   * removed since, or be of another call by now.
   */
  find(fingerprint: string, since: number): readonly string[] {
    const start = this.#follow(since);
    const found: string[] = [];
    for (let one = this.#newest.get(fingerprint); one !== undefined; one = one.older) {
      if (one.createdAt > since) found.push(one.keyRecord);
    }
    if (start === 0) return found;
    for (const row of this.#run(SEARCH, [fingerprint, start, since]).rows) {
      found.push(String(row['key_record']));
    }
    return found;
  }

  /** What is known now, to go back to it. */
  get mark(): IntentMark {
    return { start: this.#start, end: this.#end };
  }

  /** What came after the mark was undone: numbers will be given to others, and the index may end earlier. */
  rollBack({ start, end }: IntentMark): void {
    if (start !== this.#start) return this.forget();
    for (let last = this.#followed.at(-1); last !== undefined && last.n > end;) {
      if (last.older === undefined) this.#newest.delete(last.fingerprint);
      else this.#newest.set(last.fingerprint, last.older);
      this.#followed.pop();
      last = this.#followed.at(-1);
    }
    return undefined;
  }

  /** More than a process should keep; the index has those that are forgotten. */
  get isLong(): boolean {
    return this.#followed.length > this.#most;
  }

  forget(): void {
    this.#start = undefined;
    this.#followed = [];
    this.#newest.clear();
  }

  /** Whether there is enough for `index`, whoever wrote it; in a transaction. */
  isIndexDue(): boolean {
    return this.#number(READ_LAST, 'n') - this.#number(READ_INDEXED, 'value') > this.#most;
  }

  /**
   * Indexes the oldest that are not indexed, and drops as many that nobody looks for any more. The newest row
   * stays, because its number would be given to another.
   */
  index(now: number): void {
    const start = this.#number(READ_INDEXED, 'value');
    const end = Math.min(start + this.#most, this.#number(READ_LAST, 'n'));
    this.#run(INDEX, [start, end]);
    this.#run(WRITE_INDEXED, [end]);
    const kept = this.#number(READ_OLD, 'n', [this.#most]);
    if (kept === 0 || kept > end) return;
    // The clock may have gone backwards: every one of them must be old.
    if (this.#number(READ_NEWEST_BEFORE, 'at', [kept]) > now - KEPT_MS) return;
    this.#run(DROP_INDEXED, [kept]);
    this.#run(DROP_OLD, [kept]);
  }

  /** Reads what was added, by this process or another; returns where the index ends. */
  #follow(since: number): number {
    for (;;) {
      this.#start ??= this.#number(READ_INDEXED, 'value');
      const { rows } = this.#run(this.#readNew, [this.#end]);
      for (const row of rows as unknown as readonly IntentRow[]) this.#take(row); // its columns
      if (rows.length <= this.#most) return this.#start;
      // Others have written that many, and may have indexed them.
      if (this.isIndexDue()) this.index(since);
      this.forget();
    }
  }

  get #end(): number {
    return this.#followed.at(-1)?.n ?? this.#start ?? 0;
  }

  #take({ n, fingerprint, key_record: keyRecord, created_at: createdAt }: IntentRow): void {
    const older = this.#newest.get(fingerprint);
    const intent: Intent = { n, fingerprint, keyRecord, createdAt, older };
    this.#followed.push(intent);
    this.#newest.set(fingerprint, intent);
  }

  #number(sql: string, column: string, parameters: readonly number[] = []): number {
    return Number(this.#run(sql, parameters).rows[0]?.[column] ?? 0);
  }
}
