/** What became of a question that can no longer be answered: who decided what, when and how, and what the call did. */
import { html } from 'hono/html';
import type { ApprovalState, CallerState } from '../../gate/approvals/approval.ts';
import { CHANNEL_WORDS, describeWithdrawal } from '../../gate/approvals/approval.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { FoundReceipt } from '../../ledger/tables.ts';
import type { ApprovalView } from '../data/approval-view.ts';
import type { Markup } from '../page.ts';
import { tierTag, when } from './parts.ts';

const WORDS: Readonly<Record<Exclude<ApprovalState, 'APPROVED'>, string>> = Object.freeze({
  PENDING: 'Expired: nobody answered in time. The agent can make the call again.',
  DECLINED: 'Declined. The agent is told, and nothing runs.',
  USED: 'Approved, and the call was sent. Its result is not known here yet.',
  EXPIRED: 'Expired before it was used. The agent can make the call again.',
  WITHDRAWN: 'Withdrawn: no answer is needed any more, and nothing runs.',
});

const APPROVED_WORDS: Readonly<Record<CallerState, string>> = Object.freeze({
  held: 'Approved. The call runs as soon as its gate sees the answer.',
  away: 'Approved. Nothing runs yet: the caller was told to send the call again, and it runs when it does.',
  gone: 'Approved. Nothing runs yet: the caller has disconnected. The call runs if it comes back and sends it again.',
});

function toWords({ state, caller, expiresAt }: ApprovalView, result?: FoundReceipt): Markup {
  if (result !== undefined && state !== 'DECLINED') return toResult(result);
  if (state !== 'APPROVED') return html`${WORDS[state]}`;
  if (caller === 'held') return html`${APPROVED_WORDS.held}`;
  return html`${APPROVED_WORDS[caller]} The yes is valid until ${when(expiresAt)}.`;
}

export const OUTCOME_TITLES: Readonly<Record<ApprovalState, string>> = Object.freeze({
  PENDING: 'Expired',
  APPROVED: 'Approved',
  DECLINED: 'Declined',
  USED: 'Approved',
  EXPIRED: 'Expired',
  WITHDRAWN: 'Withdrawn',
});

function toResult({ id, decision, outcome }: FoundReceipt): Markup {
  const call = html`<a href="/calls/${encodeURIComponent(id)}">See the call</a>`;
  return decision === 'ran' && outcome === 'success'
    ? html`<b>It ran</b>, and the server reported success. ${call}`
    : html`<b>${decision === 'ran' ? 'It was sent' : 'It did not run'}</b>: ${showText(decision)},
        ${showText(outcome)}. ${call}`;
}

/** Above the queue, after an answer: what became of it, while it becomes of it. */
export function answeredNote(view: ApprovalView, result: FoundReceipt | undefined): Markup {
  const { id, state, binding, caller } = view;
  const isComing = state === 'USED' || (state === 'APPROVED' && caller === 'held');
  return html`<section
    id="answered"
    class="notice"
    role="status"
    data-state="${state}"
    ${isComing && result === undefined ? html`data-coming` : ''}
  >
    ${tierTag(binding.tier)} <code>${showText(binding.server)}</code> /
    <code>${showText(binding.tool)}</code>: ${toWords(view, result)}
    <a href="/approvals/${id}">See the question</a>
  </section>`;
}

export function approvalOutcome(view: ApprovalView, result: FoundReceipt | undefined): Markup {
  const { state, binding, approver, channel } = view;
  const reason = state === 'WITHDRAWN' ? describeWithdrawal(view.reason) : showText(view.reason);
  return html`<section class="outcome" data-state="${state}">
    <p class="notice">${toWords(view, result)}</p>
    <dl>
      <dt>Call</dt>
      <dd>
        ${tierTag(binding.tier)} <code>${showText(binding.server)}</code>
        <code>${showText(binding.tool)}</code>
      </dd>
      <dt>Asked by</dt>
      <dd><code>${showText(binding.principal)}</code> at ${when(view.createdAt)}</dd>
      ${
        approver === ''
          ? ''
          : html`<dt>Answered by</dt>
              <dd>${showText(approver)}, ${CHANNEL_WORDS[channel]}, at ${when(view.decidedAt)}</dd>`
      }
      ${
        reason === ''
          ? ''
          : html`<dt>Reason</dt>
              <dd>${reason}</dd>`
      }
      ${
        view.usedAt === 0
          ? ''
          : html`<dt>Sent</dt>
              <dd>${when(view.usedAt)}</dd>`
      }
    </dl>
  </section>`;
}
