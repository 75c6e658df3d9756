/** What became of a question that can no longer be answered: who said what, when and how. */
import { html } from 'hono/html';
import type { ApprovalState } from '../../gate/approve/approval.ts';
import { showText } from '../../gate/approve/show-text.ts';
import type { ApprovalView } from '../data/approval-view.ts';
import type { Markup } from '../page.ts';
import { tierTag } from './tier-tag.ts';

const WORDS: Readonly<Record<ApprovalState, string>> = Object.freeze({
  PENDING: 'Too late: nobody answered in time. The agent can make the call again.',
  APPROVED: 'Approved. The call runs as soon as its gate sees the answer.',
  DECLINED: 'Refused. The agent is told, and nothing runs.',
  USED: 'Approved, and the call was sent.',
  EXPIRED: 'Too late: the time is over, or the call has changed. The agent can make it again.',
});

export function approvalOutcome(view: ApprovalView): Markup {
  const { state, binding, approver, channel, reason } = view;
  return html`<section class="outcome" data-state="${state}">
    <p class="notice">${WORDS[state]}</p>
    <dl>
      <dt>Call</dt>
      <dd>
        ${tierTag(binding.tier)} <code>${showText(binding.server)}</code>
        <code>${showText(binding.tool)}</code>
      </dd>
      <dt>Asked by</dt>
      <dd><code>${showText(binding.principal)}</code> at ${time(view.createdAt)}</dd>
      ${
        approver === ''
          ? ''
          : html`<dt>Answered by</dt>
              <dd>${showText(approver)}, ${CHANNELS[channel]}, at ${time(view.decidedAt)}</dd>`
      }
      ${
        reason === ''
          ? ''
          : html`<dt>Reason</dt>
              <dd>${showText(reason)}</dd>`
      }
      ${
        view.usedAt === 0
          ? ''
          : html`<dt>Sent</dt>
              <dd>${time(view.usedAt)}</dd>`
      }
    </dl>
  </section>`;
}

const CHANNELS: Readonly<Record<ApprovalView['channel'], string>> = Object.freeze({
  '': '',
  elicitation: 'in the host',
  console: 'in the console',
  terminal: 'at a terminal',
  webhook: 'by webhook',
});

function time(ms: number): Markup {
  const text = new Date(ms).toISOString();
  return html`<time datetime="${text}">${text.replace('T', ' ').slice(0, 19)} UTC</time>`;
}
