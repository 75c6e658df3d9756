/**
 * Audits what the ledger says people answered against the answers in the log: the rows of questions and
 * grants can be edited and deleted, and forged ones let calls run. Pure but for looking at a row again.
 */
import type { Receipt } from '../receipt.ts';
import type { Query, Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { SignedAnswer } from './answer-receipt.ts';
import { digestGrant, toSignedAnswer } from './answer-receipt.ts';
import type { AuditFinding } from './audit-finding.ts';
import { toFinding } from './audit-finding.ts';
import type { AuditRow } from './check-log.ts';

/** An answer as the log has it. */
type LoggedAnswer = Receipt & SignedAnswer & { readonly seq: number };

interface KeptAnswers {
  /** What each question says of its answer; `undefined` when it has none. */
  readonly answers: ReadonlyMap<string, SignedAnswer | undefined>;
  /** By the id of the grant: the question it came from, and its digest. */
  readonly grants: ReadonlyMap<string, { readonly approval: string; readonly digest: string }>;
}

const PAGE = 1000;

/** Read before the log, which therefore has all of these. */
export async function readKeptAnswers(store: Store): Promise<KeptAnswers> {
  const answers = new Map<string, SignedAnswer | undefined>();
  for await (const row of readAll(store, 'approvals')) answers.set(row.id, toSignedAnswer(row));
  const grants = new Map<string, { approval: string; digest: string }>();
  for await (const row of readAll(store, 'grants')) {
    grants.set(row.id, { approval: row.approval, digest: digestGrant(row) });
  }
  return { answers, grants };
}

type Asked = 'approvals' | 'grants';

async function* readAll<T extends Asked>(store: Store, table: T): AsyncGenerator<Tables[T], void> {
  for (let after = ''; ;) {
    const query: Query<Asked> = {
      above: { column: 'id', value: after },
      orderBy: 'id',
      limit: PAGE,
    };
    const rows = await store.transaction((tx) => tx.list(table, query as Query<T>));
    yield* rows;
    const last = rows.at(-1)?.id;
    if (rows.length < PAGE || last === undefined) return;
    after = last;
  }
}

export class AnswerCheck {
  readonly #store: Store;
  readonly #kept: KeptAnswers;
  readonly #logged = new Map<string, LoggedAnswer>();
  readonly #grants = new Map<string, LoggedAnswer>();
  readonly #findings: AuditFinding[] = [];

  constructor(store: Store, kept: KeptAnswers) {
    this.#store = store;
    this.#kept = kept;
  }

  /** Every receipt, in the order of the log. */
  take({ seq, approval: indexed, body }: AuditRow): void {
    if (indexed === '') return;
    const receipt = readReceipt(body);
    const approval = indexed ?? receipt?.approval;
    if (approval === undefined) return;
    if (receipt?.request === 'answer') {
      const logged = { ...receipt, seq } as LoggedAnswer; // every answer has these fields
      this.#logged.set(approval, logged);
      if (receipt.grant !== undefined) this.#grants.set(receipt.grant, logged);
    } else if (receipt?.permit !== undefined && receipt.permit !== 'policy') {
      this.#checkPermit(receipt, seq, approval);
    }
  }

  /** The call ran on a yes, which was signed before it. */
  #checkPermit({ permit, approver }: Receipt, seq: number, id: string): void {
    const given = this.#logged.get(id) ?? this.#grants.get(id);
    const isSame = approver === undefined || given?.approver === approver;
    if (given?.answer === 'approve' && isSame) return;
    this.#add(seq, `Receipt ${seq} names a yes (${permit} ${id}) that is not in the log.`);
  }

  /** Rows that were read before an answer was given are looked at once more. */
  async end(): Promise<readonly AuditFinding[]> {
    const { answers, grants } = this.#kept;
    for (const [id, kept] of answers) {
      if (kept === undefined || this.#logged.has(id)) continue;
      this.#add(0, `Approval ${id} has an answer of ${kept.approver} that is not in the log.`);
    }
    for (const [id, { approval, digest }] of grants) {
      if (this.#grants.get(id)?.granted === digest) continue;
      this.#add(0, `Grant ${id}, of approval ${approval}, is not as it was signed.`);
    }
    for (const [id, logged] of this.#logged) {
      const kept = answers.get(id) ?? (await this.#lookAgain(id));
      const message = compare(logged, kept);
      if (message !== undefined) this.#add(logged.seq, `Approval ${id} ${message}`);
    }
    for (const [id, { seq }] of this.#grants) {
      const isThere =
        grants.has(id) ||
        (await this.#store.transaction((tx) => tx.find('grants', { id }))) !== undefined;
      if (!isThere) this.#add(seq, `Grant ${id} was deleted.`);
    }
    return this.#findings;
  }

  async #lookAgain(id: string): Promise<SignedAnswer | undefined> {
    const row = await this.#store.transaction((tx) => tx.find('approvals', { id }));
    return row && toSignedAnswer(row);
  }

  #add(seq: number, message: string): void {
    this.#findings.push(toFinding('answer-mismatch', seq, message));
  }
}

const FIELDS = ['approver', 'via', 'answer', 'asked'] as const;

function compare(logged: LoggedAnswer, kept: SignedAnswer | undefined): string | undefined {
  if (kept === undefined) return 'was deleted, or has lost its answer.';
  const wrong = FIELDS.filter((name) => logged[name] !== kept[name]);
  return wrong.length === 0 ? undefined : `is not as it was signed: ${wrong.join(', ')}.`;
}

/** What cannot be read is reported where the log itself is checked. */
function readReceipt(body: unknown): Receipt | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body) as Receipt;
  } catch {
    return undefined;
  }
}
