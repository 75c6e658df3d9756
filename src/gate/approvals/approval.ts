/** An approval: one question to a person about one exact call, its state, and the words for it. */
import { randomBytes } from 'node:crypto';
import type { ApprovalRow } from '../../ledger/tables.ts';
import type { AskChannel } from '../policy/verdict.ts';
import type { Binding } from './binding.ts';
import { toBinding } from './binding.ts';
import type { Card } from './card.ts';
import { digestCard } from './card.ts';
import { showText } from './show-text.ts';

/**
 * - `PENDING`: nobody has answered.
 * - `APPROVED`: a person said yes; one call may run on it.
 * - `DECLINED`: a person said no.
 * - `USED`: the call was dispatched.
 * - `EXPIRED`: too late for an answer, or for the call.
 * - `WITHDRAWN`: the gate took the question back; `reason` holds why, as a code.
 */
export type ApprovalState = 'PENDING' | 'APPROVED' | 'DECLINED' | 'USED' | 'EXPIRED' | 'WITHDRAWN';

interface Withdrawal {
  readonly text: string;
  /** Whether a yes that was given ends too; otherwise it serves the same call when it is sent again. */
  readonly endsYes: boolean;
}

export type WithdrawalReason =
  | 'cancelled'
  | 'definition-changed'
  | 'policy-reloaded'
  | 'price-changed'
  | 'gate-stopped'
  | 'gate-gone';

export const WITHDRAWALS: Readonly<Record<WithdrawalReason, Withdrawal>> = Object.freeze({
  cancelled: { text: 'the caller cancelled the call', endsYes: false },
  'definition-changed': { text: 'the definition of the tool changed', endsYes: true },
  'policy-reloaded': { text: 'the policy was reloaded', endsYes: true },
  'price-changed': { text: 'the price changed', endsYes: true },
  'gate-stopped': { text: 'the gate stopped', endsYes: false },
  'gate-gone': { text: 'the gate is gone, and its caller with it', endsYes: false },
});

/** What is asked about a call. */
export interface Question {
  readonly binding: Binding;
  readonly card: Card;
  /** At most 15 minutes. */
  readonly expirySeconds: number;
  /** How long the call waits for the answer before it is told to come back. Default: not at all. */
  readonly holdSeconds?: number;
}

export interface Approval {
  readonly id: string;
  readonly state: ApprovalState;
  readonly binding: Binding;
  /** Digest of the card. */
  readonly display: string;
  /** Gone once nobody needs to see it. */
  readonly card?: Card;
  /** Who answered, and how; empty before. */
  readonly approver: string;
  readonly channel: AskChannel | '';
  /** With a no: what the caller is told; may be empty. Withdrawn: a `WithdrawalReason`. */
  readonly reason: string;
  /** The key record that it was used for; empty before. */
  readonly keyRecord: string;
  /** Milliseconds of the store's clock; zero until it happened. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedAt: number;
  readonly usedAt: number;
  /** When the connection of the caller was lost while the question was open. */
  readonly callerGoneAt: number;
  /** When the person closed the host's form without an answer. */
  readonly formDismissedAt: number;
  /** Until when the call itself waits for the answer; zero when it was told to come back. */
  readonly heldUntil: number;
}

/**
 * What becomes of a yes. `held`: the call waits for it and runs at once. `away`: the caller was told to
 * send the call again, and it runs then. `gone`: the caller has lost its connection; it runs if it comes back.
 */
export type CallerState = 'held' | 'away' | 'gone';

/** Of a question that was answered: when it was. */
export function callerState(
  { callerGoneAt, heldUntil, decidedAt }: Approval,
  now: number,
): CallerState {
  if (callerGoneAt !== 0) return 'gone';
  return heldUntil > (decidedAt === 0 ? now : decidedAt) ? 'held' : 'away';
}

/** How people refer to a question: the start of its id. */
const SHORT_ID = 8;
const MOST_SECONDS = 15 * 60;

export function toApproval(row: ApprovalRow): Approval {
  return Object.freeze({
    id: row.id,
    // The table checks the state; the rest was written from a binding and a channel.
    state: row.state as ApprovalState,
    binding: toBinding(row as ApprovalRow & Binding),
    display: row.display,
    ...(row.card !== '' && { card: JSON.parse(row.card) as Card }),
    approver: row.approver,
    channel: row.channel as AskChannel | '',
    reason: row.reason,
    keyRecord: row.key_record,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    usedAt: row.used_at,
    callerGoneAt: row.caller_gone_at,
    formDismissedAt: row.form_dismissed_at,
    heldUntil: row.held_until,
  });
}

/** A question that nobody has answered yet. */
export function toRow(question: Question, now: number, gate = ''): ApprovalRow {
  const { binding, card, expirySeconds, holdSeconds = 0 } = question;
  return {
    ...toBinding(binding),
    id: randomBytes(16).toString('hex'),
    state: 'PENDING',
    display: digestCard(card),
    card: JSON.stringify(card),
    approver: '',
    channel: '',
    reason: '',
    continuation: '',
    key_record: '',
    created_at: now,
    expires_at: Math.floor(now + Math.min(expirySeconds, MOST_SECONDS) * 1000),
    decided_at: 0,
    used_at: 0,
    caller_gone_at: 0,
    form_dismissed_at: 0,
    gate,
    held_until: holdSeconds === 0 ? 0 : Math.floor(now + holdSeconds * 1000),
  };
}

export function toShortId(id: string): string {
  return id.slice(0, SHORT_ID);
}

export const CHANNEL_WORDS: Readonly<Record<AskChannel | '', string>> = Object.freeze({
  '': '',
  elicitation: 'in the host',
  console: 'in the console',
  terminal: 'at a terminal',
  webhook: 'by webhook',
});

/** The state as a part of a sentence, after "the question was" or by itself. */
export function describeState(approval: Approval): string {
  const { state, approver, channel, reason } = approval;
  const by = `by ${showText(approver)} ${CHANNEL_WORDS[channel]}`;
  switch (state) {
    case 'PENDING':
      return 'not answered yet';
    case 'APPROVED':
      return `approved ${by}`;
    case 'USED':
      return `approved ${by}, and the call was sent`;
    case 'DECLINED':
      return `declined ${by}${reason === '' ? '' : `: ${showText(reason)}`}`;
    case 'EXPIRED':
      return approver === ''
        ? 'not answered in time'
        : `approved ${by}, but the call was not sent again in time`;
    case 'WITHDRAWN':
      return `withdrawn: ${describeWithdrawal(reason)}`;
  }
}

export function describeWithdrawal(reason: string): string {
  // Checked one by one: the column holds text, and an inherited name is no reason.
  return Object.hasOwn(WITHDRAWALS, reason)
    ? WITHDRAWALS[reason as WithdrawalReason].text
    : showText(reason);
}

interface QuestionGroup<T> {
  /** Shown each by itself. */
  readonly first: readonly T[];
  /** Folded away. */
  readonly more: readonly T[];
}

const MOST_SHOWN = 3;

/** By caller, server and tool, in the order of the first of each. */
export function groupQuestions<T extends Pick<Approval, 'binding'>>(
  questions: readonly T[],
): readonly QuestionGroup<T>[] {
  const groups = Map.groupBy(questions, ({ binding: { tenant, principal, server, tool } }) =>
    JSON.stringify([tenant, principal, server, tool]),
  );
  return [...groups.values()].map((alike) => ({
    first: alike.slice(0, MOST_SHOWN),
    more: alike.slice(MOST_SHOWN),
  }));
}
