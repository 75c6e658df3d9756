/**
 * A person's answer to a question, and a grant that a person revoked, as records of the log. They are made
 * from the rows, so that an audit can make them once more and see whether the rows still say what was signed.
 */
import { hash, randomUUID } from 'node:crypto';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { Receipt, Via } from '../receipt.ts';
import type { ApprovalRow, GrantRow } from '../tables.ts';

const ANSWER_OPERATION = 'approvals.answer';
const REVOKE_OPERATION = 'grants.revoke';

/** What the log has beside calls. */
export const RECORDED_OPERATIONS: readonly string[] = Object.freeze([
  ANSWER_OPERATION,
  REVOKE_OPERATION,
]);

/** Whoever revokes a grant, and how. */
export interface Revoker {
  readonly approver: string;
  readonly channel: Via;
}

/** What of an answer is signed, beside the fields that every receipt has. */
export interface SignedAnswer {
  /** The question. */
  readonly approval: string;
  readonly approver: string;
  readonly via: Via;
  readonly answer: 'approve' | 'decline';
  /** Digest of what was asked, and of what the person was shown. */
  readonly asked: string;
  /** Of a yes: until when it may be used, in milliseconds since 1970. Older versions did not sign it. */
  readonly until?: number;
}

export function toAnswerReceipt(row: ApprovalRow, grant: GrantRow | undefined): Receipt {
  const answer = toSignedAnswer(row);
  if (answer === undefined) throw new TypeError('a question without an answer leaves no record');
  return Object.freeze({
    ...toRecord(ANSWER_OPERATION, row.decided_at, row),
    request: 'answer',
    ...answer,
    ...(grant !== undefined && { grant: grant.id, granted: digestGrant(grant) }),
  });
}

export function toRevocationReceipt(grant: GrantRow, { approver, channel }: Revoker): Receipt {
  const { id, approval, tenant, revoked_at: at } = grant;
  return Object.freeze({
    ...toRecord(REVOKE_OPERATION, at, { approver, tenant }),
    via: channel,
    request: 'revocation',
    approval,
    approver,
    grant: id,
  });
}

/** The fields of every receipt, for what a person did. */
function toRecord(
  operation: string,
  at: number,
  { approver, tenant }: Pick<ApprovalRow, 'approver' | 'tenant'>,
): Omit<Receipt, 'via'> {
  return {
    kind: 'receipt',
    id: randomUUID(),
    at: new Date(at).toISOString(),
    operation,
    act: 'set',
    tier: 'compute',
    reach: 'own-store',
    openWorld: false,
    principal: approver,
    ...(tenant !== '' && { tenant }),
    decision: 'ran',
    outcome: 'success',
    milliseconds: 0,
  };
}

/** `undefined` while nobody has answered. A yes stays one when it is used, too old or withdrawn. */
export function toSignedAnswer(row: ApprovalRow): SignedAnswer | undefined {
  const { id, state, approver, channel } = row;
  if (approver === '' && channel === '' && !['APPROVED', 'USED', 'DECLINED'].includes(state)) {
    return undefined;
  }
  return {
    approval: id,
    approver,
    via: channel as Via, // a channel for answers is one of the ways
    answer: state === 'DECLINED' ? 'decline' : 'approve',
    asked: digestQuestion(row),
    ...(state !== 'DECLINED' && { until: row.expires_at }),
  };
}

function digestQuestion(row: ApprovalRow): string {
  const { tenant, principal, session, server, tool, tier, mode, definition, display } = row;
  const fields = { tenant, principal, session, server, tool, tier, mode, definition, display };
  return digest({ ...fields, arguments: row.arguments, policy: row.policy });
}

/**
 * All of it but what may change any time: when it was used, when it was revoked, of which there is a record of
 * its own, and, where each use extends it, until when it holds; and the text of the definition, for which its digest vouches. One without a scope has the digest that it had before there were scopes.
 */
export function digestGrant(grant: GrantRow): string {
  const { scope, accepted: _, used_at: __, ...always } = grant;
  if (scope === '') return digest({ ...always, revoked_at: 0 });
  return digest({ ...always, scope, expires_at: 0, revoked_at: 0 });
}

function digest(fields: Readonly<Record<string, string | number>>): string {
  return hash('sha256', toCanonicalJson(fields), 'hex');
}
