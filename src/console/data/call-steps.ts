/** A call's history as steps in time, in plain words. Untrusted text is made visible here. */
import { describeWithdrawal } from '../../gate/approvals/approval.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { KeyRecord, KeyState } from '../../ledger/idempotency/key-record.ts';
import type { ApprovalRow, GrantRow, FoundReceipt } from '../../ledger/tables.ts';
import { DECISIONS } from './call-filter.ts';
import type { CallStory } from './call-story.ts';

export interface Step {
  /** Milliseconds. */
  readonly at: number;
  readonly what: string;
  readonly detail?: string;
  /** The receipt of this step, if there is one. */
  readonly receipt?: string;
  /** The receipt that the page is about. */
  readonly isThis?: true;
}

const STATES: Readonly<Record<KeyState, string>> = Object.freeze({
  CLAIMED: 'The key is reserved; nothing has been sent',
  DISPATCHED: 'The call is running',
  SUCCEEDED: 'The answer is stored for retries with the key',
  FAILED_FINAL: 'It was resolved as not executed',
  UNKNOWN: 'It is not known whether it happened',
  TOMBSTONE: 'The stored answer was deleted; the key stays used',
});

export function toSteps({ row, approval, grant, keyRecord, related }: CallStory): readonly Step[] {
  const steps = [
    ...(approval === undefined ? [] : approvalSteps(approval)),
    ...(grant === undefined ? [] : [grantStep(grant)]),
    ...(keyRecord === undefined ? [] : keyRecordSteps(keyRecord)),
    ...related.map((other) => receiptStep(other)),
    { ...receiptStep(row), isThis: true } as const,
  ];
  // Sorting is stable: steps with the same time stay in the order in which they must have happened.
  return steps.toSorted((a, b) => a.at - b.at);
}

function approvalSteps(approval: ApprovalRow): readonly Step[] {
  const { state, approver, channel, created_at, decided_at, used_at, expires_at } = approval;
  const asked = `Session ${orNone(approval.session)}, shown as ${short(approval.display)}`;
  const decided = state === 'DECLINED' ? 'declined' : 'approved';
  const { reason } = approval;
  const because = state === 'DECLINED' && reason !== '' ? `: ${showText(reason)}` : '';
  return [
    { at: created_at, what: 'A person was asked', detail: asked },
    ...(approver === ''
      ? []
      : [
          {
            at: decided_at,
            what: `${showText(approver)} ${decided} it`,
            detail: `By ${showText(channel)}${because}`,
          },
        ]),
    ...(used_at === 0 ? [] : [{ at: used_at, what: 'The approval was used, once' }]),
    ...(state === 'EXPIRED' ? [{ at: expires_at, what: 'The question expired' }] : []),
    ...(state === 'WITHDRAWN'
      ? [{ at: decided_at, what: `The question was withdrawn: ${describeWithdrawal(reason)}` }]
      : []),
  ];
}

function grantStep({ approver, channel, session, arguments: args, ...grant }: GrantRow): Step {
  const covers = args === '' ? 'any arguments' : 'these arguments';
  const where = session === '' ? '' : ', in this session';
  const extended = grant.scope === '' ? '' : ', longer with each use';
  const until = new Date(grant.expires_at).toISOString();
  return {
    at: grant.created_at,
    what: `${showText(approver)} approved more than one call`,
    detail: `By ${showText(channel)}; covers ${covers}${where}, until ${until}${extended}`,
  };
}

function keyRecordSteps(keyRecord: KeyRecord): readonly Step[] {
  const { state, key_hint, created_at, dispatched_at, updated_at } = keyRecord;
  return [
    { at: created_at, what: 'The key was reserved', detail: `Key ${key_hint}…` },
    ...(dispatched_at === 0
      ? []
      : [{ at: dispatched_at, what: 'The intent was made durable, then sent' }]),
    ...evidenceSteps(keyRecord),
    { at: updated_at, what: STATES[state], detail: `Key record ${state}` },
  ];
}

function evidenceSteps({ evidence, updated_at }: KeyRecord): readonly Step[] {
  return readList(evidence).map((entry) => {
    const { at, by, as, reason, kind } = entry;
    const time = typeof at === 'string' ? Date.parse(at) : NaN;
    const words = [as, reason].filter((part) => typeof part === 'string').map(showText);
    return {
      at: Number.isFinite(time) ? time : updated_at,
      what: typeof by === 'string' ? `${showText(by)} resolved it` : 'New evidence was recorded',
      detail: words.length > 0 ? words.join(': ') : showText(String(kind)),
    };
  });
}

function receiptStep({ id, at, operation, decision, outcome, principal }: FoundReceipt): Step {
  const words = new Map<string, string>(DECISIONS);
  return {
    at,
    what: `${showText(operation)}: ${words.get(decision) ?? showText(decision)}`,
    detail: `${showText(outcome)}, by ${orNone(principal)}`,
    receipt: id,
  };
}

/** What cannot be parsed is shown as it is. */
function readList(text: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return [];
    return list.map((entry: unknown) =>
      isRecord(entry) ? entry : { kind: JSON.stringify(entry) },
    );
  } catch {
    return [{ kind: text }];
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function orNone(text: string): string {
  return text === '' ? '(none)' : showText(text);
}

function short(digest: string): string {
  return `${digest.slice(0, 12)}…`;
}
