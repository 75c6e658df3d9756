/**
 * The number of the next receipt. Transactions that are committed together read it once and write it once;
 * statements that name its table make it be written first.
 */
import { RECEIPT_COUNTER } from '../receipts/number-receipt.ts';
import type { Statements } from './statements.ts';

const READ = 'SELECT value FROM counters WHERE name = ?';
const WRITE = `INSERT INTO counters (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
/** An application's own statements must not accumulate forever. */
const MOST_TEXTS = 1000;
const NAMES_COUNTERS = /\bcounters\b/i;

export interface CounterState {
  /** `undefined` until it has been read. */
  readonly next: number | undefined;
  readonly isWritten: boolean;
}

const UNREAD: CounterState = Object.freeze({ next: undefined, isWritten: true });

export class ReceiptCounter {
  readonly #run: Statements;
  /** By text: whether a statement names the table. */
  readonly #named = new Map<string, boolean>();
  /** As of the last statement; whoever rolls back to a savepoint also puts back what it was there. */
  state: CounterState = UNREAD;

  constructor(run: Statements) {
    this.#run = run;
  }

  /** Before a statement that names its table, which may read or change it. */
  writeFor(text: string): void {
    if (this.state.next === undefined || !this.#isNamedIn(text)) return;
    this.write();
    this.forget();
  }

  /** Others may have counted since. */
  forget(): void {
    this.state = UNREAD;
  }

  /** Returns the first of as many numbers. */
  take(count: number): number {
    const first = this.state.next ?? this.#read();
    this.state = { next: first + count, isWritten: false };
    return first;
  }

  write(): void {
    if (this.state.isWritten) return;
    this.state = { ...this.state, isWritten: true };
    this.#run(WRITE, [RECEIPT_COUNTER, this.state.next]);
  }

  /** The same few texts are run for every call. */
  #isNamedIn(text: string): boolean {
    const known = this.#named.get(text);
    if (known !== undefined) return known;
    if (this.#named.size >= MOST_TEXTS) this.#named.clear();
    const isNamed = NAMES_COUNTERS.test(text);
    this.#named.set(text, isNamed);
    return isNamed;
  }

  #read(): number {
    const { rows } = this.#run(READ, [RECEIPT_COUNTER]);
    return Number(rows[0]?.['value'] ?? 0);
  }
}
