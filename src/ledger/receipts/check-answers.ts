/**
 * Audits what the ledger says people answered against the answers in the log: the rows of questions and
 * grants can be edited and deleted, and forged ones let calls run. Pure but for looking at a row again.
 */
import { toStorable } from '../../lib/storable-text.ts';
import type { Receipt } from '../receipt.ts';
import type { Query, Store } from '../store.ts';
import type { ApprovalRow, GrantRow, Tables } from '../tables.ts';
import type { SignedAnswer } from './answer-receipt.ts';
import { digestGrant, toSignedAnswer } from './answer-receipt.ts';
import type { AuditFinding } from './audit-finding.ts';
import { toFinding } from './audit-finding.ts';
import type { AuditRow } from './check-log.ts';

/** An answer as the log has it. */
type LoggedAnswer = Receipt & SignedAnswer & { readonly seq: number };

/** A grant that was revoked, as the log has it. */
interface Revocation {
  readonly seq: number;
  readonly by: string | undefined;
  readonly at: number;
}

/** Which calls a yes is for, as a receipt names them too. */
type Covered = Pick<ApprovalRow & GrantRow, 'tenant' | 'principal' | 'server' | 'tool'>;

interface KeptAnswers {
  /** What each question says of its answer; `undefined` when it has none. */
  readonly answers: ReadonlyMap<string, SignedAnswer | undefined>;
  /** By the id of the grant. */
  readonly grants: ReadonlyMap<string, KeptGrant>;
  /** By the id of the question or the grant. */
  readonly covered: ReadonlyMap<string, Covered>;
}

interface KeptGrant {
  /** The question it came from. */
  readonly approval: string;
  readonly digest: string;
  readonly revokedAt: number;
}

const PAGE = 1000;

/** Read before the log, which therefore has all of these. */
export async function readKeptAnswers(store: Store): Promise<KeptAnswers> {
  const answers = new Map<string, SignedAnswer | undefined>();
  const covered = new Map<string, Covered>();
  const cover = ({ id, tenant, principal, server, tool }: Covered & { id: string }): void => {
    covered.set(id, { tenant, principal, server, tool });
  };
  for await (const row of readAll(store, 'approvals')) {
    const answer = toSignedAnswer(row);
    answers.set(row.id, answer);
    if (answer !== undefined) cover(row);
  }
  const grants = new Map<string, KeptGrant>();
  for await (const row of readAll(store, 'grants')) {
    const { approval, revoked_at: revokedAt } = row;
    grants.set(row.id, { approval, digest: digestGrant(row), revokedAt });
    cover(row);
  }
  return { answers, grants, covered };
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
  /** By the id of the grant. */
  readonly #revocations = new Map<string, Revocation>();
  /** By the question: the receipt of the call that its yes was used for. */
  readonly #uses = new Map<string, number>();
  readonly #findings: AuditFinding[] = [];

  constructor(store: Store, kept: KeptAnswers) {
    this.#store = store;
    this.#kept = kept;
  }

  /** Every receipt, in the order of the log. */
  take({ seq, approval: indexed }: AuditRow, receipt: Receipt | undefined): void {
    if (indexed === '') return;
    const approval = indexed ?? receipt?.approval;
    if (approval === undefined) return;
    if (receipt?.request === 'answer') {
      const logged = { ...receipt, seq } as LoggedAnswer; // every answer has these fields
      this.#logged.set(approval, logged);
      if (receipt.grant !== undefined) this.#grants.set(receipt.grant, logged);
    } else if (receipt?.request === 'revocation') {
      const { grant = '', approver: by, at } = receipt;
      this.#revocations.set(grant, { seq, by, at: Date.parse(at) });
    } else if (receipt?.permit !== undefined && receipt.permit !== 'policy') {
      this.#checkPermit(receipt, seq, approval);
    }
  }

  /** The call ran on a yes that was signed before it, is for this call, and was not used before. */
  #checkPermit(receipt: Receipt, seq: number, id: string): void {
    const { permit, approver } = receipt;
    const named = `Receipt ${seq} names a yes (${permit} ${id}) that`;
    const given = this.#logged.get(id) ?? this.#grants.get(id);
    const isSame = approver === undefined || given?.approver === approver;
    if (given?.answer !== 'approve' || !isSame) {
      return this.#add(seq, `${named} is not in the log.`);
    }
    const covered = this.#kept.covered.get(id);
    if (covered !== undefined && !isFor(receipt, covered)) {
      this.#add(seq, `${named} is for another call: ${covered.tool} at ${covered.server}.`);
    }
    const revoked = this.#revocations.get(id);
    if (revoked !== undefined && wasSent(receipt) && hasBegunAfter(receipt, revoked.at)) {
      this.#add(seq, `${named} had been revoked before, in receipt ${revoked.seq}.`);
    }
    if (permit !== 'approval' || !wasSent(receipt)) return undefined;
    const earlier = this.#uses.get(id);
    if (earlier !== undefined) this.#add(seq, `${named} was used up by receipt ${earlier}.`);
    else this.#uses.set(id, seq);
    if (isLate(receipt, given)) this.#add(seq, `${named} was too old for it.`);
    return undefined;
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
      const isThere = grants.has(id) || (await this.#findGrant(id)) !== undefined;
      if (!isThere) this.#add(seq, `Grant ${id} was deleted.`);
    }
    for (const [id, logged] of this.#revocations) await this.#checkRevocation(id, logged);
    return this.#findings;
  }

  /** A grant that is revoked without a record is no finding: earlier versions left none, and it only takes away. */
  async #checkRevocation(id: string, { seq, by, at }: Revocation): Promise<void> {
    if (this.#kept.grants.get(id)?.revokedAt === at) return;
    const row = await this.#findGrant(id);
    // One that was deleted has been reported.
    if (row === undefined || row.revoked_at === at) return;
    const wrong = row.revoked_at === 0 ? 'and no longer says so' : 'at another time than it says';
    this.#add(seq, `Grant ${id} was revoked by ${by}, ${wrong}.`);
  }

  #findGrant(id: string): Promise<GrantRow | undefined> {
    return this.#store.transaction((tx) => tx.find('grants', { id }));
  }

  async #lookAgain(id: string): Promise<SignedAnswer | undefined> {
    const row = await this.#store.transaction((tx) => tx.find('approvals', { id }));
    return row && toSignedAnswer(row);
  }

  #add(seq: number, message: string): void {
    this.#findings.push(toFinding('answer-mismatch', seq, message));
  }
}

/** Names that no store keeps are written into receipts in another spelling. */
function isFor({ operation, server, principal, tenant = '' }: Receipt, covered: Covered): boolean {
  return (
    toStorable(covered.tool) === operation &&
    toStorable(covered.server) === server &&
    toStorable(covered.principal) === principal &&
    toStorable(covered.tenant) === tenant
  );
}

function wasSent({ decision, sent }: Receipt): boolean {
  return decision === 'ran' || decision === 'unknown' || sent === true;
}

/** The clocks of a gate and of its ledger may differ by this much. */
const SKEW_MS = 5 * 60_000;

function isLate(receipt: Receipt, { until }: SignedAnswer): boolean {
  return until !== undefined && hasBegunAfter(receipt, until);
}

function hasBegunAfter({ at, milliseconds }: Receipt, time: number): boolean {
  return Date.parse(at) - milliseconds > time + SKEW_MS;
}

const FIELDS = ['approver', 'via', 'answer', 'asked', 'until'] as const;

function compare(logged: LoggedAnswer, kept: SignedAnswer | undefined): string | undefined {
  if (kept === undefined) return 'was deleted, or has lost its answer.';
  const wrong = FIELDS.filter((name) => name in logged && logged[name] !== kept[name]);
  return wrong.length === 0 ? undefined : `is not as it was signed: ${wrong.join(', ')}.`;
}
