/** The store of the model: one row, atomic conditional writes, and commits that do not always tell. */
import type { KeyRecord, Write } from '../../src/ledger/idempotency/key-record.ts';

/** The row after a write, and whether it was as the write expected. */
interface Applied {
  readonly row: KeyRecord | undefined;
  readonly matched: boolean;
}

export type Apply = (row: KeyRecord | undefined, write: Write) => Applied;

export interface Fate {
  /** What the writer learns. */
  readonly told: 'done' | 'too late' | 'nothing';
  /** `yet`: the store may still come to it, and compares only then. */
  readonly happened: 'yes' | 'no' | 'yet';
  readonly row: KeyRecord | undefined;
}

export const applyWrite: Apply = (row, write) => {
  if (write.kind === 'insert') {
    return row === undefined
      ? { row: timeless(write.row), matched: true }
      : { row, matched: false };
  }
  if (row === undefined || !looksLike(row, write.expect)) return { row, matched: false };
  return write.kind === 'remove'
    ? { row: undefined, matched: true }
    : { row: timeless({ ...row, ...write.set }), matched: true };
};

/** Every way a write can go. */
export function fatesOf(apply: Apply, row: KeyRecord | undefined, write: Write): readonly Fate[] {
  const applied = apply(row, write);
  const lost: Fate = { told: 'nothing', happened: 'no', row };
  if (!applied.matched) return [{ told: 'too late', happened: 'no', row }, lost];
  const done: Fate = { told: 'done', happened: 'yes', row: applied.row };
  return [done, { ...done, told: 'nothing' }, lost];
}

function looksLike(row: KeyRecord, expect: Partial<KeyRecord>): boolean {
  return (Object.keys(expect) as (keyof KeyRecord)[]).every((name) => row[name] === expect[name]);
}

/** The machine never reads these two; made equal, they tell no states apart. */
function timeless(row: KeyRecord): KeyRecord {
  return { ...row, created_at: 0, updated_at: 0 };
}
