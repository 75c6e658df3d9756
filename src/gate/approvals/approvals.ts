/**
 * Applies the approval machine to a store. Every move is one conditional write; a commit that did not
 * say whether it happened is looked up before anything is told on its strength.
 */
import type { Store, Tx } from '../../ledger/store.ts';
import { CommitUnknownError } from '../../ledger/store.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { Answer, AnswerRefusal, Refused, UseRefusal } from './approval-machine.ts';
import { approvalMachine } from './approval-machine.ts';
import type { Approval, ApprovalState, Question } from './approval.ts';
import { toApproval, toRow } from './approval.ts';
import type { Card } from './card.ts';
import { isCardOf } from './card.ts';
import type { Continuations, Grants } from './grants.ts';
import { continuations, openGrants, toGrant } from './grants.ts';
import type { Binding } from './binding.ts';
import { toBinding } from './binding.ts';

export type Answered =
  | { readonly kind: 'decided'; readonly approval: Approval }
  | Refused<AnswerRefusal>;

type Consumed = { readonly kind: 'consumed' } | Refused<UseRefusal>;

export interface Approvals extends Grants, Continuations {
  /**
   * Asks, unless the same question stands or has its yes: then gives that one. Another price is
   * another question, and the earlier one ends.
   */
  request(question: Question): Promise<Approval>;
  find(id: string): Promise<Approval | undefined>;
  /** A yes for this very call that can still be used. */
  findApproved(binding: Binding): Promise<Approval | undefined>;
  /** A no to this very call that is not old yet: nobody is asked the same again at once. */
  findDeclined(binding: Binding): Promise<Approval | undefined>;
  /** What waits for an answer, the oldest first. */
  listPending(filter?: { readonly tenant?: string }): Promise<readonly Approval[]>;
  answer(id: string, answer: Answer): Promise<Answered>;
  /** Uses the one yes in the caller's transaction, with whatever else it records. */
  consume(tx: Tx, id: string, binding: Binding, keyRecord: string): Promise<Consumed>;
  /** Ends what is too old, and tells how many there were. */
  sweep(): Promise<number>;
}

interface ApprovalOptions {
  /** Outside the host, nobody answers for their own calls. Default: they may. */
  readonly refuseSelf?: boolean;
}

const MOST = 1000;

export function openApprovals(store: Store, options: ApprovalOptions = {}): Approvals {
  const rules = { refuseSelf: options.refuseSelf ?? false };
  const read = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    certain(store, async (tx) => ({ value: await work(tx) })).then(({ value }) => value);
  return {
    ...openGrants(store),
    ...continuations,
    request(question) {
      checkQuestion(question);
      return certain(store, (tx) => request(tx, question));
    },
    find: (id) => read((tx) => find(tx, id)),
    findApproved: (binding) => read((tx) => findAlike(tx, binding, 'APPROVED')),
    findDeclined: (binding) => read((tx) => findAlike(tx, binding, 'DECLINED')),
    listPending: (filter = {}) =>
      read(async (tx) => {
        const rows = await tx.list('approvals', {
          where: { ...filter, state: 'PENDING' },
          above: { column: 'expires_at', value: await tx.now() },
          orderBy: 'created_at',
          limit: MOST,
        });
        return rows.map(toApproval);
      }),
    async answer(id, given) {
      if (given.approver === '') throw new TypeError('whoever answers has a name');
      let decidedAt = -1;
      return certain(store, async (tx): Promise<Answered | undefined> => {
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
        const decided = await find(tx, id);
        return decided && { kind: 'decided', approval: decided };
      });
    },
    consume,
    sweep: () => store.transaction(sweep),
  };
}

async function request(tx: Tx, question: Question): Promise<Approval> {
  const { binding, card } = question;
  // Counting makes whoever asks at the same time wait, so that one question is asked once.
  await tx.next('approvals');
  const now = await tx.now();
  for (const state of ['APPROVED', 'PENDING'] as const) {
    const known = await findAlike(tx, binding, state);
    if (known === undefined) continue;
    if (priceOf(known.card) === priceOf(card)) return known;
    const voided = approvalMachine.expire(known, now, true);
    if (voided !== undefined) await tx.update('approvals', voided.expect, voided.set);
  }
  const row = toRow(question, now);
  await tx.insert('approvals', row);
  return toApproval(row);
}

async function consume(tx: Tx, id: string, binding: Binding, keyRecord: string): Promise<Consumed> {
  const approval = await find(tx, id);
  if (approval === undefined) {
    return { kind: 'refused', code: 'not-found', detail: 'There is no such approval.' };
  }
  const move = approvalMachine.use(approval, binding, keyRecord, await tx.now());
  if (move.kind === 'refused') return move;
  if (await tx.update('approvals', move.expect, move.set)) return { kind: 'consumed' };
  return { kind: 'refused', code: 'already-used', detail: 'Another call was first.' };
}

async function sweep(tx: Tx): Promise<number> {
  const now = await tx.now();
  let swept = 0;
  for (const state of ['PENDING', 'APPROVED'] as const) {
    const upTo = { column: 'expires_at', value: now } as const;
    const rows = await tx.list('approvals', {
      where: { state },
      upTo,
      orderBy: 'created_at',
      limit: MOST,
    });
    for (const row of rows) {
      const move = approvalMachine.expire(toApproval(row), now);
      if (move && (await tx.update('approvals', move.expect, move.set))) swept += 1;
    }
  }
  return swept;
}

async function find(tx: Tx, id: string): Promise<Approval | undefined> {
  const row = await tx.find('approvals', { id });
  return row && toApproval(row);
}

async function findAlike(
  tx: Tx,
  binding: Binding,
  state: ApprovalState,
): Promise<Approval | undefined> {
  const [row] = await tx.list('approvals', {
    where: { ...toBinding(binding), state },
    above: { column: 'expires_at', value: await tx.now() },
    orderBy: 'created_at',
    limit: 1,
  });
  return row && toApproval(row);
}

/** Mistakes of the gate itself: no card may speak of another call than the one it is asked for. */
function checkQuestion({ binding, card, expirySeconds }: Question): void {
  if (!(expirySeconds > 0)) throw new TypeError('a question is open for some time');
  if (!isCardOf(card, binding)) throw new TypeError('the card does not show this call');
}

function priceOf(card: Card | undefined): string {
  return card?.price === undefined ? '' : toCanonicalJson({ ...card.price });
}

/** Runs a transaction until its outcome is certain. The work must find what an earlier try has done. */
const MOST_TRIES = 10;

/** `undefined` from the work means that the row changed under it, and that it must look again. */
async function certain<T>(store: Store, work: (tx: Tx) => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      const value = await store.transaction(work);
      if (value !== undefined) return value;
    } catch (error) {
      if (!(error instanceof CommitUnknownError)) throw error;
    }
  }
  throw new CommitUnknownError('the ledger does not tell what became of an approval');
}
