/** Calls of the past as a policy sees them, read from the receipts. A question is one call, however often it was polled. */
import type { Act } from '../../effect/act.ts';
import type { Reach } from '../../effect/effect.ts';
import type { Tier } from '../../effect/tier.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { readAfter } from '../../ledger/receipts/read-receipts.ts';
import type { Store } from '../../ledger/store.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Verdict } from './verdict.ts';

export interface PastCall {
  readonly server: string;
  readonly tool: string;
  readonly tier: Tier;
  readonly act: Act;
  readonly reach: Reach;
  readonly principal: string;
  readonly tenant: string;
  /** Absent where the ledger keeps none. */
  readonly arguments?: Readonly<Record<string, JsonValue>>;
  /** What became of it: it ran unasked, a person was asked, a rule refused it, or it was stopped for another reason. */
  readonly was: Verdict['kind'] | 'stopped';
  /** Of one that was stopped, the reason. */
  readonly outcome?: Receipt['outcome'];
  /** Nobody knows what it would have done: tier, act and reach are what its name suggests. */
  readonly effect?: 'unknown';
  /** What the person said, where one did. */
  readonly answer?: 'yes' | 'no';
}

const DENIALS: ReadonlySet<string> = new Set(['denied-by-policy', 'nobody-to-ask']);
const ASKED: ReadonlySet<string> = new Set(['waiting', 'declined', 'expired']);

export async function readPastCalls(store: Store, since: number): Promise<readonly PastCall[]> {
  const calls: PastCall[] = [];
  const questions = new Map<string, PastCall>();
  for await (const row of readAfter(store, { since })) {
    const receipt = JSON.parse(row.body) as Receipt; // our own canonical text
    if (row.server === '' || receipt.request !== undefined) continue;
    const call = toPastCall(row, receipt);
    // The last word on a question counts: it waited, and then it ran or not.
    if (call.was === 'ask' && row.approval !== '' && receipt.permit !== 'grant') {
      questions.set(row.approval, call);
    } else calls.push(call);
  }
  const asked = [...questions].map(([id, call]) => withAnswer(store, id, call));
  return [...calls, ...(await Promise.all(asked))];
}

const ANSWERS: Readonly<Record<string, PastCall['answer']>> = {
  APPROVED: 'yes',
  USED: 'yes',
  DECLINED: 'no',
};

/** A yes that covers more than the call, or that nobody came back for, is on no receipt of its question. */
async function withAnswer(store: Store, id: string, call: PastCall): Promise<PastCall> {
  if (call.answer !== undefined) return call;
  const question = await store.transaction((tx) => tx.find('approvals', { id }));
  const answer = ANSWERS[question?.state ?? ''];
  return answer === undefined ? call : { ...call, answer };
}

function toPastCall(row: ReceiptRow, receipt: Receipt): PastCall {
  const { act, tier, reach, permit, effect, outcome } = receipt;
  const args = toArguments(row.args);
  const isAsked = (permit !== undefined && permit !== 'policy') || ASKED.has(row.decision);
  const isStopped = !isAsked && wasStopped(receipt);
  const isYes = permit === 'approval' && !ASKED.has(row.decision);
  return {
    server: row.server,
    tool: row.operation,
    tier,
    act,
    reach,
    principal: row.principal,
    tenant: row.tenant,
    ...(args !== undefined && { arguments: args }),
    was: isAsked ? 'ask' : isStopped ? 'stopped' : DENIALS.has(row.outcome) ? 'deny' : 'allow',
    ...(isStopped && { outcome }),
    ...(effect !== undefined && { effect }),
    ...(isYes && { answer: 'yes' as const }),
    ...(row.decision === 'declined' && { answer: 'no' as const }),
  };
}

/** By something other than a rule: the request was invalid, an equal call was in progress, the caller cancelled it. */
function wasStopped({ decision, outcome, permit, sent }: Receipt): boolean {
  if (decision === 'refused') return !DENIALS.has(outcome);
  const wasEnded = decision === 'abandoned' || (decision === 'cancelled' && sent === false);
  return wasEnded && permit === undefined;
}

function toArguments(text: string): Readonly<Record<string, JsonValue>> | undefined {
  if (text === '') return undefined;
  const value = JSON.parse(text) as JsonValue; // our own canonical text
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, JsonValue>>) : undefined;
}
