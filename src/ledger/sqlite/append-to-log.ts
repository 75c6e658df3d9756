/** Writes receipts into the log, many in one statement. Every call has one, so nothing is made on the way. */
import type { SQLInputValue } from 'node:sqlite';
import type { UnnumberedReceipt } from '../tables.ts';
import { numberBody } from '../receipts/number-receipt.ts';
import type { Statements } from './statements.ts';

const AT_ONCE = 32;
const ROW = '(?, ?, ?, ?, ?)';
const INSERT = 'INSERT INTO receipt_log (seq, id, body, salt, args) VALUES';
const INSERT_ONE = `${INSERT} ${ROW}`;
const INSERT_MANY = `${INSERT} ${Array.from({ length: AT_ONCE }, () => ROW).join(', ')}`;

export function appendToLog(
  run: Statements,
  receipts: readonly UnnumberedReceipt[],
  first: number,
): void {
  for (let at = 0; at < receipts.length;) {
    const count = receipts.length - at >= AT_ONCE ? AT_ONCE : 1;
    const values: SQLInputValue[] = [];
    for (const end = at + count; at < end; at += 1) {
      const receipt = receipts[at];
      if (receipt === undefined) return;
      const seq = first + at;
      values.push(seq, receipt.id, numberBody(receipt, seq), receipt.salt, receipt.args);
    }
    run(count === 1 ? INSERT_ONE : INSERT_MANY, values);
  }
}
