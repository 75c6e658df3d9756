/**
 * Audits a log, read in order, against its signed checkpoints. Pure: rows in, findings out, and no
 * input is trusted.
 */
import { sha256 } from '../../lib/sha256.ts';
import { MerkleRange } from '../../lib/merkle.ts';
import type { IndexRow, LogRow, ReceiptRow } from '../tables.ts';
import type { AuditFindingCode, AuditFinding } from './audit-finding.ts';
import { toFinding } from './audit-finding.ts';
import { originOf } from './checkpoint-note.ts';
import type { CheckpointEvidence, CheckpointMarks } from './checkpoints.ts';
import { checkCheckpoints } from './checkpoints.ts';
import type { Body, ReceiptColumns } from './receipt-columns.ts';
import { readBody, toColumns } from './receipt-columns.ts';

/** A receipt of the log with what the index says of it, where it has been indexed. */
export type AuditRow =
  | Omit<ReceiptRow, 'args'>
  | (Omit<LogRow, 'args'> & { readonly [name in keyof Indexed]: null });

type Indexed = Omit<IndexRow, 'seq'>;

export interface LogPage {
  readonly rows: readonly AuditRow[];
  /** The counter of receipts, as read before these rows. */
  readonly counter: number;
  /** Why nothing after these rows can be read. */
  readonly unreadable?: string;
}

export interface LogAudit {
  readonly kind: 'audit';
  /** The log's name, derived from its first receipt; empty while there is none. */
  readonly origin: string;
  readonly receipts: number;
  /** How many of them the newest matching checkpoint covers. */
  readonly signed: number;
  /** The receipts after those, which only the next checkpoint will cover; absent when there are none. */
  readonly unsigned?: { readonly first: number; readonly last: number };
  readonly checkpoints: number;
  /** Receipts whose arguments have been erased; that is allowed. */
  readonly forgotten: number;
  /** In the order in which they were found; at most the first thousand. */
  readonly findings: readonly AuditFinding[];
  /** How many more were found. */
  readonly unlisted: number;
}

const MOST_FINDINGS = 1000;

/** What else is checked against the receipts, as they are read. */
interface RecordCheck {
  /** `body` is missing when it is not a receipt, which is reported already. */
  take(row: AuditRow, body: Body | undefined): void;
  end(): Promise<readonly AuditFinding[]>;
}

export async function checkLog(
  pages: AsyncIterable<LogPage>,
  evidence: CheckpointEvidence,
  records?: RecordCheck,
): Promise<LogAudit> {
  const check = new LogCheck(evidence);
  let last: LogPage = { rows: [], counter: 0 };
  for await (const page of pages) {
    last = page;
    for (const row of page.rows) {
      const body = check.take(row);
      records?.take(row, body);
    }
  }
  return check.end(last, (await records?.end()) ?? []);
}

class LogCheck {
  readonly #checkpoints: CheckpointMarks;
  readonly #expected: string | undefined;
  #origin = '';
  readonly #range = new MerkleRange();
  readonly #findings: AuditFinding[] = [];
  #unlisted = 0;
  /** The number that the next receipt must have. */
  #next = 0;
  /** How many of the marks have been passed. */
  #passed = 0;
  #signed = 0;
  #forgotten = 0;
  #isOff = false;

  constructor(evidence: CheckpointEvidence) {
    this.#checkpoints = checkCheckpoints(evidence);
    this.#expected = evidence.origin;
  }

  /** Returns the body, so that it is read once. */
  take(row: AuditRow): Body | undefined {
    this.#place(row.seq);
    const { leaf, body, isForgotten, findings } = checkReceipt(row);
    for (const finding of findings) this.#add(finding);
    if (isForgotten) this.#forgotten += 1;
    if (this.#range.size === 0) this.#begin(originOf(leaf.toString('hex')));
    this.#range.append(leaf);
    this.#meetMark();
    return body;
  }

  end({ counter, unreadable }: LogPage, found: readonly AuditFinding[]): LogAudit {
    const { marks, findings } = this.#checkpoints;
    for (const finding of [...findings, ...found]) this.#add(finding);
    const { size } = this.#range;
    if (unreadable === undefined) this.#checkEnd(counter);
    else this.#report('unreadable', this.#next, `The next rows cannot be read: ${unreadable}`);
    return Object.freeze({
      kind: 'audit',
      origin: this.#origin,
      receipts: size,
      signed: this.#signed,
      ...(this.#signed < size && {
        unsigned: Object.freeze({ first: this.#signed, last: size - 1 }),
      }),
      checkpoints: marks.length,
      forgotten: this.#forgotten,
      findings: Object.freeze(this.#findings),
      unlisted: this.#unlisted,
    });
  }

  #place(seq: unknown): void {
    const next = this.#next;
    if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0) {
      this.#report('order', next, `A receipt has the number ${String(seq)}.`);
      return;
    }
    if (seq > next) this.#report('gap', next, `Receipts ${next} to ${seq - 1} are missing.`);
    if (seq === next - 1) this.#report('duplicate', seq, `There are two receipts ${seq}.`);
    if (seq < next - 1) this.#report('order', seq, `Receipt ${seq} follows receipt ${next - 1}.`);
    this.#next = Math.max(next, seq + 1);
  }

  #begin(origin: string): void {
    this.#origin = origin;
    const { marks } = this.#checkpoints;
    const names = [...marks.map((mark) => mark.origin), this.#expected ?? origin];
    const other = names.find((name) => name !== origin);
    if (other !== undefined) {
      const message = `The signed log is ${other}, and this one is ${origin}.`;
      this.#report('checkpoint-inconsistent', 0, message);
    }
    while (marks[this.#passed]?.size === 0) this.#passed += 1;
  }

  #meetMark(): void {
    const mark = this.#checkpoints.marks[this.#passed];
    const { size } = this.#range;
    if (mark?.size !== size) return;
    this.#passed += 1;
    const isMet = Buffer.compare(mark.root, this.#range.root) === 0;
    // A root covers everything before it: of the roots that do not match, only the first is informative.
    if (!isMet && !this.#isOff) {
      const between = `${this.#signed} to ${size - 1}`;
      const message = `Some of the receipts ${between} are not the signed ones.`;
      this.#report('root-mismatch', this.#signed, message);
    }
    if (isMet) this.#signed = size;
    this.#isOff = !isMet;
  }

  #checkEnd(counter: number): void {
    const { size } = this.#range;
    const newest = this.#checkpoints.marks.at(-1)?.size ?? 0;
    if (newest > size) {
      this.#report('truncated', size, `There are ${size} receipts, and ${newest} were signed.`);
    }
    if (counter !== this.#next) {
      const message = `The next receipt is ${this.#next}, and the counter is at ${counter}.`;
      this.#report('counter-mismatch', this.#next, message);
    }
  }

  #report(code: AuditFindingCode, seq: number, message: string): void {
    this.#add(toFinding(code, seq, message));
  }

  #add(finding: AuditFinding): void {
    if (this.#findings.length < MOST_FINDINGS) this.#findings.push(finding);
    else this.#unlisted += 1;
  }
}

interface ReceiptCheck {
  /** The leaf hash of the body as it is now. */
  readonly leaf: Buffer;
  /** Missing when it is not a receipt. */
  readonly body?: Body;
  /** The arguments, or a digest of them, were stored and have been erased. */
  readonly isForgotten: boolean;
  readonly findings: readonly AuditFinding[];
}

const NONE: readonly AuditFinding[] = Object.freeze([]);

/** Salt and arguments are outside the leaf, because they may be erased. */
export function checkReceipt(row: AuditRow): ReceiptCheck {
  const leaf = sha256(`\0${row.body}`);
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
    body,
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

function toColumnFinding({ seq }: AuditRow, wrong: readonly string[]): AuditFinding {
  const message = `Receipt ${seq} does not match its body in ${wrong.join(', ')}.`;
  return toFinding('body-mismatch', seq, message);
}
