/**
 * What became of questions whose call was told to come back and never did: its receipt says `waiting` for
 * good, so lists look here whether that is still true.
 */
import type { Store } from '../../ledger/store.ts';
import type { ApprovalState } from './approval.ts';

type QuestionEnd = 'approved' | 'declined' | 'expired' | 'withdrawn';

/** By the question; those that are still open, or that the ledger does not have, are not among them. */
export type QuestionEnds = ReadonlyMap<string, QuestionEnd>;

interface AskedCall {
  readonly decision: string;
  readonly approval: string;
}

const ENDS: Readonly<Record<ApprovalState, QuestionEnd | undefined>> = Object.freeze({
  PENDING: undefined,
  APPROVED: 'approved',
  DECLINED: 'declined',
  USED: 'approved',
  EXPIRED: 'expired',
  WITHDRAWN: 'withdrawn',
});

/** Too late for an answer, or for the call, also where no gate runs that would have noted it. */
const ENDS_WITH_TIME: ReadonlySet<ApprovalState> = new Set(['PENDING', 'APPROVED']);

const AT_ONCE = 500;

export async function readQuestionEnds(
  store: Store,
  calls: readonly AskedCall[],
): Promise<QuestionEnds> {
  const waiting = calls.filter(({ decision, approval }) => decision === 'waiting' && approval);
  const ids = [...new Set(waiting.map(({ approval }) => approval))];
  const ends = new Map<string, QuestionEnd>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const part = ids.slice(start, start + AT_ONCE);
    await store.transaction(async (tx) => {
      const now = await tx.now();
      const rows = await tx.execute(
        `SELECT id, state, expires_at FROM approvals WHERE id IN (${part.map(() => '?').join(', ')})`,
        part,
      );
      for (const { id, state, expires_at: expiresAt } of rows) {
        const is = state as ApprovalState; // the table checks it
        const isLate = ENDS_WITH_TIME.has(is) && Number(expiresAt) <= now;
        const end = isLate ? 'expired' : ENDS[is];
        if (end !== undefined) ends.set(String(id), end);
      }
    });
  }
  return ends;
}

/** The decision of a receipt, and how the question ended if that was later. */
export function describeDecision({ decision, approval }: AskedCall, ends: QuestionEnds): string {
  const end = decision === 'waiting' ? ends.get(approval) : undefined;
  return end === undefined ? decision : `${decision}, then ${end}`;
}
