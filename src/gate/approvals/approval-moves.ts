/**
 * The moves of the approval machine as writes of one transaction, and the queries that go with them.
 * Each may be run again after a commit that did not say whether it happened.
 */
import type { Tx } from '../../ledger/store.ts';
import { isSharedSession } from '../protocol/frame.ts';
import { GATE_GONE_MS } from '../registry.ts';
import type { Refused, UseRefusal } from './approval-machine.ts';
import { approvalMachine, isSameQuestion } from './approval-machine.ts';
import type { Approval, ApprovalState, Question, WithdrawalReason } from './approval.ts';
import { toApproval, toRow } from './approval.ts';
import type { Binding } from './binding.ts';
import { toBinding } from './binding.ts';

export type Consumed = { readonly kind: 'consumed' } | Refused<UseRefusal>;

const MOST = 1000;
const MOST_BY_PREFIX = 20;
const HEX = /^[\da-f]+$/;

interface Requested {
  /** Absent where the caller has asked too much. */
  readonly approval?: Approval;
  readonly withdrawn: readonly Approval[];
}

interface Asker {
  /** How many questions of one caller may be open at once. */
  readonly mostOpen: number;
  /** The gate that asks; empty where none has registered. */
  readonly gate: string;
}

export async function request(
  tx: Tx,
  question: Question,
  { mostOpen, gate }: Asker,
): Promise<Requested> {
  const { binding, card, holdSeconds = 0 } = question;
  // Whoever asks about the same arguments at the same time waits, so that one question is asked once.
  await tx.lock(`question ${binding.arguments}`);
  const now = await tx.now();
  const withdrawn: Approval[] = [];
  for (const state of ['APPROVED', 'PENDING'] as const) {
    const known = await findAlike(tx, binding, state);
    if (known === undefined) continue;
    if (isSameQuestion(known, card)) {
      const move = approvalMachine.welcome(known, gate, holdSeconds, now);
      if (move !== undefined) await tx.update('approvals', move.expect, move.set);
      return { approval: (await find(tx, known.id)) ?? known, withdrawn };
    }
    const ended = await withdraw(tx, known, 'price-changed');
    if (ended !== undefined) withdrawn.push(ended);
  }
  if ((await countOpen(tx, binding, now)) >= mostOpen) return { withdrawn };
  const row = toRow(question, now, gate);
  await tx.insert('approvals', row);
  return { approval: toApproval(row), withdrawn };
}

async function countOpen(tx: Tx, { tenant, principal }: Binding, now: number): Promise<number> {
  const [row] = await tx.execute(
    `SELECT COUNT(*) AS count FROM approvals
     WHERE tenant = ? AND principal = ? AND state = 'PENDING' AND expires_at > ?`,
    [tenant, principal, now],
  );
  return Number(row?.['count'] ?? 0);
}

export async function withdraw(
  tx: Tx,
  approval: Approval,
  reason: WithdrawalReason,
): Promise<Approval | undefined> {
  const move = approvalMachine.withdraw(approval, reason, await tx.now());
  if (move === undefined || !(await tx.update('approvals', move.expect, move.set))) {
    return undefined;
  }
  return find(tx, approval.id);
}

/** Those that were decided, and those whose time is over, which end here. */
export async function findEnded(tx: Tx, ids: readonly string[]): Promise<readonly Approval[]> {
  const now = await tx.now();
  const ended: Approval[] = [];
  for (let start = 0; start < ids.length; start += MOST) {
    const part = ids.slice(start, start + MOST);
    const rows = await tx.execute(
      `SELECT id FROM approvals WHERE id IN (${part.map(() => '?').join(', ')})
       AND (state <> 'PENDING' OR expires_at <= ?)`,
      [...part, now],
    );
    for (const { id } of rows) {
      const approval = await find(tx, String(id));
      const isLate = approval?.state === 'PENDING';
      const move = isLate ? approvalMachine.expire(approval, now) : undefined;
      if (move !== undefined) await tx.update('approvals', move.expect, move.set);
      const end = isLate ? await find(tx, approval.id) : approval;
      if (end !== undefined) ended.push(end);
    }
  }
  return ended;
}

export async function findByPrefix(tx: Tx, prefix: string): Promise<readonly Approval[]> {
  // Nothing but hex digits may reach the pattern.
  if (!HEX.test(prefix)) return [];
  const now = await tx.now();
  const rows = await tx.execute(
    `SELECT id FROM approvals WHERE id LIKE ?
     ORDER BY CASE WHEN state = 'PENDING' AND expires_at > ? THEN 0 ELSE 1 END, created_at DESC
     LIMIT ${MOST_BY_PREFIX}`,
    [`${prefix}%`, now],
  );
  const found: Approval[] = [];
  for (const { id } of rows) {
    const approval = await find(tx, String(id));
    if (approval !== undefined) found.push(approval);
  }
  return found;
}

export async function consume(
  tx: Tx,
  id: string,
  binding: Binding,
  keyRecord: string,
): Promise<Consumed> {
  const approval = await find(tx, id);
  if (approval === undefined) {
    return { kind: 'refused', code: 'not-found', detail: 'There is no such approval.' };
  }
  const move = approvalMachine.use(approval, binding, keyRecord, await tx.now());
  if (move.kind === 'refused') return move;
  if (await tx.update('approvals', move.expect, move.set)) return { kind: 'consumed' };
  return { kind: 'refused', code: 'already-used', detail: 'Another call was first.' };
}

export async function sweep(tx: Tx): Promise<number> {
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
  return swept + (await sweepGone(tx, now));
}

/**
 * Questions whose gate was killed. Its sessions ended with it, so nobody can come back for the answer; only
 * a principal whose clients have no sessions is known again by the next gate.
 */
async function sweepGone(tx: Tx, now: number): Promise<number> {
  const rows = await tx.execute(
    `SELECT id FROM approvals WHERE state = 'PENDING' AND gate <> '' AND caller_gone_at = 0
     AND created_at < ? AND NOT EXISTS
       (SELECT 1 FROM gates WHERE gates.id = approvals.gate AND gates.seen_at >= ?)
     LIMIT ${MOST}`,
    [now - GATE_GONE_MS, now - GATE_GONE_MS],
  );
  for (const { id } of rows) {
    const approval = await find(tx, String(id));
    if (approval === undefined) continue;
    const move = isSharedSession(approval.binding.session)
      ? approvalMachine.mark(approval, 'caller-gone', now)
      : approvalMachine.withdraw(approval, 'gate-gone', now);
    if (move !== undefined) await tx.update('approvals', move.expect, move.set);
  }
  return rows.length;
}

export async function find(tx: Tx, id: string): Promise<Approval | undefined> {
  const row = await tx.find('approvals', { id });
  return row && toApproval(row);
}

export async function findAlike(
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
