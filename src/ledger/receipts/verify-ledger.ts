/** Audits the log of a ledger in its store, page by page, while others may keep writing to it. */
import type { KeyObject } from 'node:crypto';
import type { Store } from '../store.ts';
import type { CheckpointRow } from '../tables.ts';
import { RECEIPT_COUNTER } from './number-receipt.ts';
import type { AuditFinding } from './audit-finding.ts';
import { toFinding } from './audit-finding.ts';
import { AnswerCheck, readKeptAnswers } from './check-answers.ts';
import { UsageCheck } from './check-usage.ts';
import type { AuditRow, LogAudit, LogPage } from './check-log.ts';
import { checkLog } from './check-log.ts';
import { readCheckpointFile } from './checkpoint-file.ts';

export interface VerifyOptions {
  readonly publicKey: KeyObject;
  /** The expected log. Default: the one it claims to be. */
  readonly origin?: string;
  /** Checkpoints stored outside the ledger; without them a rewrite by the key's holder is not detected. */
  readonly checkpointFile?: string;
  /** Called after each page with the number of receipts read. */
  readonly progress?: (receipts: number) => void;
}

/** Longer ones outlive the young generation of the heap. */
const PAGE = 1000;

export async function verifyLedger(store: Store, options: VerifyOptions): Promise<LogAudit> {
  const { publicKey, origin, checkpointFile, progress } = options;
  // The file, then the tables, then the log: each can only lag behind what is read after it.
  const kept = checkpointFile === undefined ? undefined : await readCheckpointFile(checkpointFile);
  const checkpoints = await readCheckpoints(store);
  const answers = new AnswerCheck(store, await readKeptAnswers(store));
  const usage = await UsageCheck.open(store);
  const audit = await checkLog(
    readLog(store, progress),
    {
      publicKey,
      checkpoints,
      ...(origin !== undefined && { origin }),
      ...(kept !== undefined && { kept }),
    },
    {
      take: (row, body) => {
        answers.take(row, body);
        usage.take(row, body);
      },
      end: async () => [...(await answers.end()), ...(await checkIndex(store))],
    },
  );
  return audit.findings.length > 0 ? audit : withFindings(audit, usage.end());
}

function withFindings(audit: LogAudit, found: readonly AuditFinding[]): LogAudit {
  const findings = Object.freeze(found.slice(0, MOST_STRAY));
  return Object.freeze({ ...audit, findings, unlisted: found.length - findings.length });
}

const MOST_STRAY = 1000;

/** Counted in the rows: the trees beside them may have been changed on their own. */
const NUMBERS = `SELECT
  (SELECT COUNT(leaf) FROM receipt_index) AS indexed,
  (SELECT MIN(seq) FROM receipt_index) AS first_indexed,
  (SELECT MAX(seq) FROM receipt_index) AS last_indexed,
  (SELECT COUNT(*) FROM receipt_log) AS logged,
  (SELECT MIN(seq) FROM receipt_log) AS first_logged,
  (SELECT MAX(seq) FROM receipt_log) AS last_logged`;

/** Each in one statement: receipts are indexed meanwhile, in the order of the log. */
async function checkIndex(store: Store): Promise<readonly AuditFinding[]> {
  const [numbers] = await store.transaction((tx) => tx.execute(NUMBERS));
  if (numbers !== undefined && isWhole(numbers)) return [];
  const list = (sql: string): Promise<readonly Record<string, unknown>[]> =>
    store.transaction((tx) => tx.execute(sql, [MOST_STRAY]));
  const missing = await list(`SELECT l.seq FROM receipt_log l
    LEFT JOIN receipt_index i ON i.seq = l.seq
    WHERE i.leaf IS NULL AND l.seq <= (SELECT MAX(seq) FROM receipt_index) ORDER BY l.seq LIMIT ?`);
  const extra = await list(`SELECT i.seq FROM receipt_index i
    LEFT JOIN receipt_log l ON l.seq = i.seq WHERE l.seq IS NULL ORDER BY i.seq LIMIT ?`);
  return [
    ...missing.map(({ seq }) => toStray(Number(seq), 'is in the log, and not in the index.')),
    ...extra.map(({ seq }) => toStray(Number(seq), 'is in the index, and not in the log.')),
  ];
}

/** Both have each number from zero to their last once, and the index has none beyond the log. */
function isWhole(numbers: Readonly<Record<string, unknown>>): boolean {
  const { indexed, first_indexed, last_indexed, logged, first_logged, last_logged } = numbers;
  const isGapless = (count: unknown, first: unknown, last: unknown): boolean =>
    count === 0 || (first === 0 && count === Number(last) + 1);
  return (
    isGapless(indexed, first_indexed, last_indexed) &&
    isGapless(logged, first_logged, last_logged) &&
    Number(last_indexed ?? -1) <= Number(last_logged ?? -1)
  );
}

function toStray(seq: number, what: string): AuditFinding {
  return toFinding('index-mismatch', seq, `Receipt ${seq} ${what}`);
}

async function readCheckpoints(store: Store): Promise<readonly CheckpointRow[]> {
  const all: CheckpointRow[] = [];
  for (;;) {
    const after = all.at(-1)?.size;
    const page = await store.transaction((tx) =>
      tx.list('checkpoints', {
        ...(typeof after === 'number' && { above: { column: 'size', value: after } }),
        orderBy: 'size',
        limit: PAGE,
      }),
    );
    all.push(...page);
    if (page.length < PAGE || typeof page.at(-1)?.size !== 'number') return all;
  }
}

/** Ends with an empty page: only then does the counter, read before it, match exactly these receipts. */
async function* readLog(
  store: Store,
  progress: VerifyOptions['progress'],
): AsyncGenerator<LogPage, void> {
  let [after, read] = [undefined as number | undefined, 0];
  for (;;) {
    const page = await readPage(store, after);
    yield page;
    read += page.rows.length;
    progress?.(read);
    const seq: unknown = page.rows.at(-1)?.seq;
    // Numbers sort before anything else that could be in the column.
    if (page.rows.length === 0 || page.unreadable !== undefined) return;
    if (typeof seq !== 'number' && after !== undefined) return;
    after = typeof seq === 'number' ? seq : Number.MIN_SAFE_INTEGER;
  }
}

const AUDITED = `l.seq, l.id, l.body, l.salt, i.leaf, i.at, i.operation, i.tier, i.open_world,
  i.principal, i.tenant, i.outcome, i.key_record, i.server, i.decision, i.approval`;

async function readPage(store: Store, after: number | undefined): Promise<LogPage> {
  try {
    return await store.transaction(async (tx) => {
      const counter = await tx.find('counters', { name: RECEIPT_COUNTER });
      const rows = (await tx.execute(
        `SELECT ${AUDITED} FROM receipt_log l LEFT JOIN receipt_index i ON i.seq = l.seq
          ${after === undefined ? '' : 'WHERE l.seq > ?'} ORDER BY l.seq LIMIT ?`,
        after === undefined ? [PAGE] : [after, PAGE],
      )) as unknown as readonly AuditRow[]; // what is not indexed yet has null there
      return { rows, counter: counter?.value ?? 0 };
    });
  } catch (error) {
    // Only numbers that no valid receipt has are out of range.
    if (!(error instanceof RangeError)) throw error;
    return { rows: [], counter: 0, unreadable: error.message };
  }
}
