/**
 * Loaded with `--import` into processes on a SQLite ledger: loses the answer to one COMMIT whenever the crash
 * run has left a file that says so. The file is taken by one process only.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const { LOSE_COMMIT = '' } = process.env;

// The method is called with its own database below.
// oxlint-disable-next-line typescript/unbound-method
const exec = DatabaseSync.prototype.exec;

DatabaseSync.prototype.exec = function losingCommits(this: DatabaseSync, sql: string): void {
  const when = sql === 'COMMIT' ? takeLoss() : undefined;
  if (when !== 'before') exec.call(this, sql);
  if (when !== undefined) throw new Error(`disk I/O error ${when} the commit took effect`);
};

function takeLoss(): 'before' | 'after' | undefined {
  if (LOSE_COMMIT === '' || !existsSync(LOSE_COMMIT)) return undefined;
  const mine = `${LOSE_COMMIT}-${process.pid}`;
  try {
    renameSync(LOSE_COMMIT, mine);
  } catch {
    return undefined; // another process was faster
  }
  const when = readFileSync(mine, 'utf8');
  rmSync(mine);
  return when === 'before' ? 'before' : 'after';
}
