/**
 * Applies the approval machine to a store. Every move is one conditional write; a commit that did not
 * say whether it happened is looked up before anything is told on its strength.
 */
import { appendAnswer } from '../../ledger/receipts/append-receipts.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import type { Answer, AnswerRefusal, Mark, Refused } from './approval-machine.ts';
import { approvalMachine } from './approval-machine.ts';
import type { Consumed } from './approval-moves.ts';
import {
  consume,
  find,
  findAlike,
  findByPrefix,
  findEnded,
  request,
  sweep,
  withdraw,
} from './approval-moves.ts';
import type { Approval, CallerState, Question, WithdrawalReason } from './approval.ts';
import { callerState, toApproval } from './approval.ts';
import { isCardOf } from './card.ts';
import { certain } from './certain.ts';
import type { DecisionListener, DecisionWatchOptions } from './decision-watch.ts';
import { DecisionWatch } from './decision-watch.ts';
import type { Continuations, Grants } from './grants.ts';
import { continuations, openGrants, toGrant } from './grants.ts';
import type { Binding } from './binding.ts';

export type Answered =
  | { readonly kind: 'decided'; readonly approval: Approval }
  | Refused<AnswerRefusal>;

export interface Approvals extends Grants, Continuations {
  /**
   * Asks, unless the same question is open or has its yes: then gives that one. Another price is
   * another question, and the earlier one is withdrawn. Rejects with `TooManyQuestionsError`.
   */
  request(question: Question): Promise<Approval>;
  find(id: string): Promise<Approval | undefined>;
  /** Those whose id starts with this, at most 20: open ones before others, then the newest first. */
  findByPrefix(prefix: string): Promise<readonly Approval[]>;
  /** A yes for this very call that can still be used. */
  findApproved(binding: Binding): Promise<Approval | undefined>;
  /** A no to this very call that is not old yet: nobody is asked the same again at once. */
  findDeclined(binding: Binding): Promise<Approval | undefined>;
  /** What waits for an answer: calls that are held now first, those whose caller is gone last; then the oldest first. */
  listPending(filter?: { readonly tenant?: string }): Promise<readonly Approval[]>;
  answer(id: string, answer: Answer): Promise<Answered>;
  /** Uses the one yes in the caller's transaction, with whatever else it records. */
  consume(tx: Tx, id: string, binding: Binding, keyRecord: string): Promise<Consumed>;
  /** Takes a question back; `undefined` when it had ended, or when its yes stays good. */
  withdraw(id: string, reason: WithdrawalReason): Promise<Approval | undefined>;
  /** Notes something on an open question; tells whether it was open. */
  mark(id: string, mark: Mark): Promise<boolean>;
  /** Calls the listener once, when the question is no longer open. Returns what stops it. */
  watch(id: string, listener: DecisionListener): () => void;
  /** The question once it is no longer open; `undefined` when the time is over or the signal came first. */
  waitFor(
    id: string,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Approval | undefined>;
  /** Ends what is too old, and tells how many there were. */
  sweep(): Promise<number>;
}

interface ApprovalOptions extends DecisionWatchOptions {
  /** Outside the host, nobody answers for their own calls. Default: they may. */
  readonly refuseSelf?: boolean;
  /** How many questions of one caller may be open at once. Default: any number. */
  readonly mostOpen?: number;
  /** The id under which this gate registers in the ledger, if it does. */
  readonly gate?: string;
}

/** A caller that asks without end would hide the one question that matters. */
export class TooManyQuestionsError extends Error {
  constructor(most: number) {
    super(
      `${most} calls of this caller are waiting for a person already; nobody is asked about more.`,
    );
  }
}

const MOST = 1000;
const RANKS: Readonly<Record<CallerState, number>> = Object.freeze({ held: 0, away: 1, gone: 2 });

export function openApprovals(store: Store, options: ApprovalOptions = {}): Approvals {
  const rules = { refuseSelf: options.refuseSelf ?? false };
  const read = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    certain(store, async (tx) => ({ value: await work(tx) })).then(({ value }) => value);
  const decisions = new DecisionWatch((ids) => read((tx) => findEnded(tx, ids)), options);
  return {
    ...openGrants(store),
    ...continuations,
    request(question) {
      checkQuestion(question);
      const { mostOpen = Number.POSITIVE_INFINITY, gate = '' } = options;
      return certain(store, (tx) => request(tx, question, { mostOpen, gate })).then((requested) => {
        for (const each of requested.withdrawn) decisions.push(each);
        if (requested.approval === undefined) throw new TooManyQuestionsError(mostOpen);
        return requested.approval;
      });
    },
    find: (id) => read((tx) => find(tx, id)),
    findByPrefix: (prefix) => read((tx) => findByPrefix(tx, prefix)),
    findApproved: (binding) => read((tx) => findAlike(tx, binding, 'APPROVED')),
    findDeclined: (binding) => read((tx) => findAlike(tx, binding, 'DECLINED')),
    listPending: (filter = {}) =>
      read(async (tx) => {
        const now = await tx.now();
        const rows = await tx.list('approvals', {
          where: { ...filter, state: 'PENDING' },
          above: { column: 'expires_at', value: now },
          orderBy: 'created_at',
          limit: MOST,
        });
        const rank = (approval: Approval): number => RANKS[callerState(approval, now)];
        return rows.map(toApproval).toSorted((a, b) => rank(a) - rank(b));
      }),
    async answer(id, given) {
      if (given.approver === '') throw new TypeError('whoever answers has a name');
      let decidedAt = -1;
      const end = await certain(store, async (tx): Promise<Answered | undefined> => {
        const approval = await find(tx, id);
        if (approval === undefined) {
          return { kind: 'refused', code: 'not-found', detail: 'There is no such question.' };
        }
        const { approver, channel } = approval;
        const isOurs = approver === given.approver && channel === given.channel;
        // A commit of ours that did not say so.
        if (isOurs && approval.decidedAt === decidedAt) return { kind: 'decided', approval };
        decidedAt = await tx.now();
        const move = approvalMachine.answer(approval, given, decidedAt, rules);
        if (move.kind === 'refused') return move;
        if (!(await tx.update('approvals', move.expect, move.set))) return undefined;
        const grant = toGrant(approval, given, decidedAt);
        if (grant !== undefined) await tx.insert('grants', grant);
        const row = await tx.find('approvals', { id });
        if (row === undefined) return undefined;
        await appendAnswer(tx, row, grant);
        return { kind: 'decided', approval: toApproval(row) };
      });
      if (end.kind === 'decided') decisions.push(end.approval);
      return end;
    },
    consume,
    async withdraw(id, reason) {
      const withdrawn = await read(async (tx) => {
        const approval = await find(tx, id);
        // An earlier commit of ours may not have said so.
        if (approval?.state === 'WITHDRAWN' && approval.reason === reason) return approval;
        return approval && withdraw(tx, approval, reason);
      });
      if (withdrawn !== undefined) decisions.push(withdrawn);
      return withdrawn;
    },
    mark: (id, as) =>
      read(async (tx) => {
        const approval = await find(tx, id);
        const move = approval && approvalMachine.mark(approval, as, await tx.now());
        return move !== undefined && tx.update('approvals', move.expect, move.set);
      }),
    watch: (id, listener) => decisions.watch(id, listener),
    waitFor: (id, given) => decisions.waitFor(id, given),
    sweep: () => store.transaction(sweep),
  };
}

/** Mistakes of the gate itself: no card may speak of another call than the one it is asked for. */
function checkQuestion({ binding, card, expirySeconds }: Question): void {
  if (!(expirySeconds > 0)) throw new TypeError('a question is open for some time');
  if (!isCardOf(card, binding)) throw new TypeError('the card does not show this call');
}
