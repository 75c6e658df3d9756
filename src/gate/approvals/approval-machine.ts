/**
 * The state machine of an approval. Pure: each function looks at an approval and gives the one
 * conditional write that moves it, or says why it does not move. Whoever applies a write must not act
 * on it unless the row still looked as expected.
 */
import type { ApprovalRow } from '../../ledger/tables.ts';
import type { AskChannel, GrantScope } from '../policy/verdict.ts';
import type { Approval, ApprovalState, WithdrawalReason } from './approval.ts';
import { CHANNEL_WORDS, describeState, WITHDRAWALS } from './approval.ts';
import type { Card } from './card.ts';
import { digestCard } from './card.ts';
import { showText } from './show-text.ts';
import type { Binding } from './binding.ts';
import { findDifference } from './binding.ts';

/** What a person said to a question. */
export interface Answer {
  readonly kind: 'approve' | 'decline';
  readonly approver: string;
  readonly channel: AskChannel;
  /** Digest of the card that the person was shown. */
  readonly display: string;
  /** What the yes covers. Default: `call`. */
  readonly grant?: GrantScope;
  /** How long a wider yes holds. Default: as long as the card allows. */
  readonly grantMinutes?: number;
  /** With a no: what the caller is told. */
  readonly reason?: string;
}

export type AnswerRefusal =
  | 'not-found'
  | 'expired'
  | 'already-decided'
  | 'withdrawn'
  | 'display-differs'
  | 'self-approval'
  | 'wrong-channel'
  | 'scope-too-wide';

export type UseRefusal =
  | 'not-found'
  | 'binding-differs'
  | 'not-decided'
  | 'declined'
  | 'expired'
  | 'already-used'
  | 'withdrawn';

/** What is noted on an open question without deciding it. */
export type Mark = 'caller-gone' | 'form-dismissed' | 'let-go';

interface Change {
  readonly kind: 'change';
  readonly expect: Partial<ApprovalRow>;
  readonly set: Partial<ApprovalRow>;
}

export interface Refused<Code> {
  readonly kind: 'refused';
  readonly code: Code;
  readonly detail: string;
}

const MOST_REASON = 500;

const MARKS: Readonly<Record<Mark, (now: number) => Partial<ApprovalRow>>> = Object.freeze({
  'caller-gone': (now: number) => ({ caller_gone_at: now, held_until: 0 }),
  'let-go': () => ({ held_until: 0 }),
  'form-dismissed': (now: number) => ({ form_dismissed_at: now }),
});

type Event = 'approve' | 'decline' | 'use' | 'expire' | 'withdraw';

const NEXT: Readonly<Record<ApprovalState, Readonly<Partial<Record<Event, ApprovalState>>>>> =
  Object.freeze({
    PENDING: {
      approve: 'APPROVED',
      decline: 'DECLINED',
      expire: 'EXPIRED',
      withdraw: 'WITHDRAWN',
    },
    APPROVED: { use: 'USED', expire: 'EXPIRED', withdraw: 'WITHDRAWN' },
    DECLINED: {},
    USED: {},
    EXPIRED: {},
    WITHDRAWN: {},
  });

const UNUSABLE: Readonly<Record<ApprovalState, Omit<Refused<UseRefusal>, 'kind'>>> = Object.freeze({
  PENDING: { code: 'not-decided', detail: 'Nobody has answered yet.' },
  APPROVED: { code: 'expired', detail: 'The yes is too old.' },
  DECLINED: { code: 'declined', detail: 'A person said no.' },
  USED: { code: 'already-used', detail: 'The approval was used already.' },
  EXPIRED: { code: 'expired', detail: 'The approval is too old.' },
  WITHDRAWN: { code: 'withdrawn', detail: 'The question was withdrawn.' },
});

function answer(
  approval: Approval,
  given: Answer,
  now: number,
  rules: { readonly refuseSelf: boolean },
): Change | Refused<AnswerRefusal> {
  const { id, state, binding, card } = approval;
  const isOpen = state === 'PENDING' || state === 'EXPIRED';
  const next = NEXT[state][given.kind];
  if (!isOpen) {
    const code = state === 'WITHDRAWN' ? 'withdrawn' : 'already-decided';
    return refuse(code, `The question was already ${describeState(approval)}.`);
  }
  if (next === undefined || card === undefined || approval.expiresAt <= now) {
    return refuse('expired', 'The question is too old; the call must be made again.');
  }
  if (!card.channels.includes(given.channel)) {
    return refuse('wrong-channel', describeChannels(card.channels));
  }
  const isSelf = given.channel !== 'elicitation' && given.approver === binding.principal;
  if (rules.refuseSelf && isSelf) {
    return refuse('self-approval', 'Whoever calls may not answer for the call.');
  }
  // Also against a card that was changed where it is kept.
  if (given.display !== approval.display || digestCard(card) !== approval.display) {
    return refuse('display-differs', 'What was shown is not what is asked.');
  }
  if (given.kind === 'approve' && isTooWide(given, card, binding)) {
    const offered = card.scopes.join(', ');
    return refuse(
      'scope-too-wide',
      `The policy does not let a yes cover that much; it may cover: ${offered}.`,
    );
  }
  const { approver, channel } = given;
  const kept = next === 'APPROVED' ? {} : { card: '', reason: toReason(given.reason) };
  return {
    kind: 'change',
    expect: { id, state, display: approval.display },
    set: { state: next, approver, channel, decided_at: now, ...kept },
  };
}

/** Every field is compared here, and once more by the write itself. */
function use(
  approval: Approval,
  binding: Binding,
  keyRecord: string,
  now: number,
): Change | Refused<UseRefusal> {
  const { id, state, expiresAt } = approval;
  const field = findDifference(approval.binding, binding);
  if (field !== undefined) {
    return refuse('binding-differs', `The approval is for another ${field}.`);
  }
  const next = NEXT[state].use;
  if (next === undefined || expiresAt <= now) return { kind: 'refused', ...UNUSABLE[state] };
  return {
    kind: 'change',
    expect: { id, state, ...approval.binding, expires_at: expiresAt },
    set: { state: next, key_record: keyRecord, used_at: now, card: '' },
  };
}

function expire(approval: Approval, now: number): Change | undefined {
  const { id, state, expiresAt } = approval;
  const next = NEXT[state].expire;
  if (next === undefined || expiresAt > now) return undefined;
  return { kind: 'change', expect: { id, state }, set: { state: next, card: '' } };
}

/** Takes a question back. A yes that was given stays, unless the reason makes it worthless. */
function withdraw(
  { id, state }: Approval,
  reason: WithdrawalReason,
  now: number,
): Change | undefined {
  const next = NEXT[state].withdraw;
  if (next === undefined || (state === 'APPROVED' && !WITHDRAWALS[reason].endsYes)) {
    return undefined;
  }
  const set = { state: next, reason, card: '', ...(state === 'PENDING' && { decided_at: now }) };
  return { kind: 'change', expect: { id, state }, set };
}

function mark({ id, state }: Approval, as: Mark, now: number): Change | undefined {
  if (state !== 'PENDING') return undefined;
  return { kind: 'change', expect: { id, state }, set: MARKS[as](now) };
}

/** Whoever sends the same call again is the caller that was gone, and waits once more. */
function welcome(
  { id, state }: Approval,
  gate: string,
  holdSeconds: number,
  now: number,
): Change | undefined {
  if (state !== 'PENDING') return undefined;
  const heldUntil = holdSeconds === 0 ? 0 : Math.floor(now + holdSeconds * 1000);
  const set = { caller_gone_at: 0, gate, held_until: heldUntil };
  return { kind: 'change', expect: { id, state }, set };
}

export interface ApprovalMachine {
  readonly answer: typeof answer;
  readonly use: typeof use;
  readonly expire: typeof expire;
  readonly withdraw: typeof withdraw;
  readonly mark: typeof mark;
  readonly welcome: typeof welcome;
}

export const approvalMachine: ApprovalMachine = Object.freeze({
  answer,
  use,
  expire,
  withdraw,
  mark,
  welcome,
});

/**
 * Whether a question that is open or has its yes serves the call that is made now. Only two known
 * prices that differ make it another question: an estimate that fails this time voids nothing, and a
 * yes that was given without a price stands. An open question without a price gives way to one with it.
 */
export function isSameQuestion({ state, card }: Approval, { price }: Card): boolean {
  if (price === undefined) return true;
  if (card?.price === undefined) return state === 'APPROVED';
  return isSameAmount(card.price.amount, price.amount) && card.price.unit === price.unit;
}

export function describeChannels(channels: Card['channels']): string {
  if (channels.length === 0) return 'Nobody can answer this question.';
  return `It can only be answered ${channels.map((each) => CHANNEL_WORDS[each]).join(' or ')}.`;
}

function isTooWide(given: Answer, card: Card, binding: Binding): boolean {
  const scope = given.grant ?? 'call';
  if (!card.scopes.includes(scope)) return true;
  if (scope === 'call') return false;
  // Without a name, one session cannot be told from another.
  if (scope === 'session' && binding.session === '') return true;
  // It ends by other things than minutes.
  if (scope === 'lasting') return false;
  const minutes = given.grantMinutes ?? card.grantMinutes;
  return !(minutes > 0 && minutes <= card.grantMinutes);
}

function isSameAmount(one: string, other: string): boolean {
  return one === other || (one.trim() !== '' && Number(one) === Number(other));
}

/** One line of bounded length, whatever was typed. */
function toReason(text: string = ''): string {
  return showText(text.trim()).slice(0, MOST_REASON).toWellFormed();
}

function refuse<Code>(code: Code, detail: string): Refused<Code> {
  return Object.freeze({ kind: 'refused', code, detail });
}
