/** Audits one row of the log: its leaf hash and its columns against its body. */
import { hash } from 'node:crypto';
import type { IndexRow, LogRow, ReceiptRow } from '../tables.ts';
import type { AuditFinding } from './audit-finding.ts';
import { toFinding } from './audit-finding.ts';
import type { Body, ReceiptColumns } from './index-receipts.ts';
import { readBody, toColumns } from './index-receipts.ts';

interface ReceiptCheck {
  /** The leaf hash of the body as it is now. */
  readonly leaf: Buffer;
  /** The arguments, or a digest of them, were stored and have been erased. */
  readonly isForgotten: boolean;
  readonly findings: readonly AuditFinding[];
}

const NONE: readonly AuditFinding[] = Object.freeze([]);

/** A receipt of the log with what the index says of it, where it has been indexed. */
export type AuditRow = ReceiptRow | (LogRow & { readonly [name in keyof Indexed]: null });

type Indexed = Omit<IndexRow, 'seq'>;

/** Salt and arguments are outside the leaf, because they may be erased. */
export function checkReceipt(row: AuditRow): ReceiptCheck {
  const leaf = hash('sha256', `\0${row.body}`, 'buffer');
  const body = readBody(row.body);
  const leafFindings =
    row.leaf === null || row.leaf === leaf.toString('hex')
      ? NONE
      : [toFinding('leaf-mismatch', row.seq, `Receipt ${row.seq} does not match its leaf hash.`)];
  if (body === undefined) {
    const message = `The body of receipt ${row.seq} is not a receipt.`;
    const finding = toFinding('body-mismatch', row.seq, message);
    return { leaf, isForgotten: false, findings: [...leafFindings, finding] };
  }
  const wrong = wrongColumns(row, body);
  return {
    leaf,
    isForgotten: body.argsDigest !== undefined && row.salt === '',
    findings: wrong.length === 0 ? leafFindings : [...leafFindings, toColumnFinding(row, wrong)],
  };
}

function wrongColumns(row: AuditRow, body: Body): readonly string[] {
  if (row.leaf === null) {
    return (['seq', 'id'] as const).filter((name) => body[name] !== row[name]);
  }
  const columns = toColumns(body, body.seq);
  let wrong: string[] | undefined;
  for (const name in columns) {
    const column = name as keyof ReceiptColumns; // its own keys are exactly these
    if (columns[column] !== row[column]) (wrong ??= []).push(name);
  }
  return wrong ?? [];
}

function toColumnFinding({ seq }: LogRow, wrong: readonly string[]): AuditFinding {
  const message = `Receipt ${seq} does not match its body in ${wrong.join(', ')}.`;
  return toFinding('body-mismatch', seq, message);
}
