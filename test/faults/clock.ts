/** The clock that all processes of a run share. It stands still until something takes long. */
import { KEY_RULES } from '../../src/ledger/idempotency/key-record.ts';

export class Clock {
  #now = Date.parse('2026-11-15T12:00:00Z');

  now(): number {
    return this.#now;
  }

  passLease(): void {
    this.#now += KEY_RULES.leaseMs + 1;
  }
}
