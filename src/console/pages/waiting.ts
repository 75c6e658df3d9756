/** The pending calls, and a page for each question. Viewing decides nothing; only a form does. */
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Approval, ApprovalState, CallerState } from '../../gate/approvals/approval.ts';
import {
  CHANNEL_WORDS,
  describeWithdrawal,
  groupQuestions,
} from '../../gate/approvals/approval.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { GrantScope } from '../../gate/policy/verdict.ts';
import { GRANT_SCOPES } from '../../gate/policy/verdict.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import type { ApprovalView } from '../data/approval-view.ts';
import { toApprovalView } from '../data/approval-view.ts';
import type { Markup } from '../page.ts';
import { page, refuse } from '../page.ts';
import { answerForms, approvalCard, queuedCard } from './approval-card.ts';
import { tierTag, when } from './parts.ts';

const ID = /^[\da-f]{32}$/;

export function registerWaiting(app: Hono<Env>, services: ConsoleServices): void {
  app.get('/', async (context) => {
    await services.approvals.sweep();
    const pending = await services.approvals.listPending();
    const views = pending.map((each) => toApprovalView(each, services));
    return context.html(page({ title: 'Waiting', active: '/', body: queue(views, context) }));
  });
  app.get('/approvals/:id', async (context) => {
    const approval = await find(context, services);
    if (approval === undefined) return refuse(context, UNKNOWN);
    return context.html(toPage(toApprovalView(approval, services), context));
  });
  app.post('/approvals/:id', async (context) => {
    const form = await context.req.parseBody();
    const decision = form['decision'];
    if (decision !== 'approve' && decision !== 'decline') {
      return refuse(context, toProblem('invalid-input', 'The form neither approves nor declines.'));
    }
    const id = context.req.param('id');
    const { grant, minutes, reason } = form;
    const answered = await services.approvals.answer(id, {
      kind: decision,
      approver: context.get('who'),
      channel: 'console',
      display: toText(form['display']),
      ...(isScope(grant) && { grant }),
      ...(minutes !== undefined && { grantMinutes: Number(minutes) }),
      ...(decision === 'decline' && { reason: toText(reason) }),
    });
    // On a page without buttons: the second click of a double click must not hit the next card.
    if (answered.kind === 'decided') return context.redirect(`/approvals/${id}`, 303);
    const approval = await find(context, services);
    if (approval === undefined) return refuse(context, UNKNOWN);
    const view = toApprovalView(approval, services);
    return context.html(
      toPage(view, context, `Your answer was not accepted. ${answered.detail}`),
      409,
    );
  });
}

const UNKNOWN = toProblem('not-found', 'No such question.');

async function find(
  context: Context<Env>,
  { approvals }: ConsoleServices,
): Promise<Approval | undefined> {
  const id = context.req.param('id') ?? '';
  return ID.test(id) ? approvals.find(id) : undefined;
}

function queue(views: readonly ApprovalView[], context: Context<Env>): Markup {
  const draw = (view: ApprovalView): Markup =>
    queuedCard(view, answerForms(view, context.get('csrf')));
  const count = views.length === 1 ? '1 call is waiting' : `${views.length} calls are waiting`;
  return html`<p id="count" role="status" data-count="${views.length}">
      ${views.length === 0 ? 'Nothing is waiting.' : `${count} for an answer.`}
    </p>
    <div id="queue" data-live>
      ${groupQuestions(views).map(({ first, more }) => [first.map(draw), folded(more, draw)])}
    </div>
    <section id="nothing" class="empty" ${views.length === 0 ? '' : html`hidden`}>
      <h2>No calls need your approval</h2>
      <p>
        Reads run without asking. When an agent wants to spend, delete or share, the call waits here
        until you approve or decline it.
      </p>
      <p>To get started, put a server behind the gate:</p>
      <pre>plimsoll gate --console -- npx -y @modelcontextprotocol/server-filesystem .</pre>
    </section>`;
}

/** So that a tool that is called without end cannot hide the one call that matters. */
function folded(views: readonly ApprovalView[], draw: (view: ApprovalView) => Markup): Markup | '' {
  const [first] = views;
  if (first === undefined) return '';
  const { server, tool, principal } = first.binding;
  return html`<details
    class="alike"
    data-alike="${showText(JSON.stringify([server, tool, principal]))}"
  >
    <summary>
      ${views.length} more ${views.length === 1 ? 'call' : 'calls'} of
      <code>${showText(server)}</code> / <code>${showText(tool)}</code> by
      <code>${showText(principal)}</code>
    </summary>
    ${views.map(draw)}
  </details>`;
}

function toPage(view: ApprovalView, context: Context<Env>, notice?: string): Markup {
  const isOpen = view.leftMs > 0 && view.card !== undefined;
  const body = html`${notice === undefined ? '' : html`<p class="notice" role="alert">${notice}</p>`}
    ${isOpen ? approvalCard(view, answerForms(view, context.get('csrf'))) : approvalOutcome(view)}
    <p><a href="/">See pending calls</a></p>`;
  return page({ title: isOpen ? 'May this call run?' : TITLES[view.state], active: '/', body });
}

function isScope(value: unknown): value is GrantScope {
  return GRANT_SCOPES.some((scope) => scope === value);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The outcome of a question that can no longer be answered: who decided what, when and how. */
const WORDS: Readonly<Record<Exclude<ApprovalState, 'APPROVED'>, string>> = Object.freeze({
  PENDING: 'Expired: nobody answered in time. The agent can make the call again.',
  DECLINED: 'Declined. The agent is told, and nothing runs.',
  USED: 'Approved, and the call was sent.',
  EXPIRED: 'Expired before it was used. The agent can make the call again.',
  WITHDRAWN: 'Withdrawn: no answer is needed any more, and nothing runs.',
});

const APPROVED_WORDS: Readonly<Record<CallerState, string>> = Object.freeze({
  held: 'Approved. The call runs as soon as its gate sees the answer.',
  away: 'Approved. Nothing runs yet: the caller was told to send the call again, and it runs when it does.',
  gone: 'Approved. Nothing runs yet: the caller has disconnected. The call runs if it comes back and sends it again.',
});

function toWords({ state, caller, expiresAt }: ApprovalView): Markup {
  if (state !== 'APPROVED') return html`${WORDS[state]}`;
  if (caller === 'held') return html`${APPROVED_WORDS.held}`;
  return html`${APPROVED_WORDS[caller]} The yes is valid until ${when(expiresAt)}.`;
}

const TITLES: Readonly<Record<ApprovalState, string>> = Object.freeze({
  PENDING: 'Expired',
  APPROVED: 'Approved',
  DECLINED: 'Declined',
  USED: 'Approved',
  EXPIRED: 'Expired',
  WITHDRAWN: 'Withdrawn',
});

function approvalOutcome(view: ApprovalView): Markup {
  const { state, binding, approver, channel } = view;
  const reason = state === 'WITHDRAWN' ? describeWithdrawal(view.reason) : showText(view.reason);
  return html`<section class="outcome" data-state="${state}">
    <p class="notice">${toWords(view)}</p>
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
