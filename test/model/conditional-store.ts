/** The store of the model: one row, atomic conditional writes, and commits that do not always tell. */
import type { Claim } from '../../src/ledger/claims/claim.ts';
import type { Write } from '../../src/ledger/claims/moves.ts';

/** The row after a write, and whether it was as the write expected. */
interface Applied {
  readonly row: Claim | undefined;
  readonly matched: boolean;
}

export type Apply = (row: Claim | undefined, write: Write) => Applied;

export interface Fate {
  /** What the writer learns. */
  readonly told: 'done' | 'too late' | 'nothing';
  /** `yet`: the store may still come to it, and compares only then. */
  readonly happened: 'yes' | 'no' | 'yet';
  readonly row: Claim | undefined;
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
export function fatesOf(apply: Apply, row: Claim | undefined, write: Write): readonly Fate[] {
  const applied = apply(row, write);
  const lost: Fate = { told: 'nothing', happened: 'no', row };
  if (!applied.matched) return [{ told: 'too late', happened: 'no', row }, lost];
  const done: Fate = { told: 'done', happened: 'yes', row: applied.row };
  return [done, { ...done, told: 'nothing' }, lost];
}

function looksLike(row: Claim, expect: Partial<Claim>): boolean {
  return (Object.keys(expect) as (keyof Claim)[]).every((name) => row[name] === expect[name]);
}

/** The machine never reads these two; made equal, they tell no states apart. */
function timeless(row: Claim): Claim {
  return { ...row, created_at: 0, updated_at: 0 };
}
