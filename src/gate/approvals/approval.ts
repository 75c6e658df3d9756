/** An approval: one question to a person about one exact call, and how it stands. */
import { randomBytes } from 'node:crypto';
import type { ApprovalRow } from '../../ledger/tables.ts';
import type { AskChannel } from '../policy/verdict.ts';
import type { Card } from './card.ts';
import { digestCard } from './card.ts';
import type { Binding } from './binding.ts';
import { toBinding } from './binding.ts';

/**
 * - `PENDING`: nobody has answered.
 * - `APPROVED`: a person said yes; one call may run on it.
 * - `DECLINED`: a person said no.
 * - `USED`: the call was dispatched.
 * - `EXPIRED`: too late for an answer, or for the call.
 */
export type ApprovalState = 'PENDING' | 'APPROVED' | 'DECLINED' | 'USED' | 'EXPIRED';

/** What is asked about a call. */
export interface Question {
  readonly binding: Binding;
  readonly card: Card;
  /** At most 15 minutes. */
  readonly expirySeconds: number;
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
  /** What whoever said no tells the caller; may be empty. */
  readonly reason: string;
  /** The key record that it was used for; empty before. */
  readonly keyRecord: string;
  /** Milliseconds of the store's clock; zero until it happened. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedAt: number;
  readonly usedAt: number;
}

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
  });
}

/** A question that nobody has answered yet. */
export function toRow({ binding, card, expirySeconds }: Question, now: number): ApprovalRow {
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
  };
}
