/** The waiting calls, and a page for each question. Viewing decides nothing; only a form does. */
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Approval } from '../../gate/approvals/approval.ts';
import { groupQuestions } from '../../gate/approvals/approval.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { GrantScope } from '../../gate/policy/verdict.ts';
import { GRANT_SCOPES } from '../../gate/policy/verdict.ts';
import type { FoundReceipt } from '../../ledger/tables.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import type { ApprovalView } from '../data/approval-view.ts';
import { toApprovalView } from '../data/approval-view.ts';
import { findResult } from '../data/find-result.ts';
import type { Markup } from '../page.ts';
import { page, refuse } from '../page.ts';
import { answerForms, approvalCard, queuedCard } from './approval-card.ts';
import { answeredNote, approvalOutcome, OUTCOME_TITLES } from './approval-outcome.ts';

const ID = /^[\da-f]{32}$/;

export function registerWaiting(app: Hono<Env>, services: ConsoleServices): void {
  app.get('/', async (context) => {
    await services.approvals.sweep();
    const pending = await services.approvals.listPending();
    const views = pending.map((each) => toApprovalView(each, services));
    const answered = await find(context.req.query('answered'), services);
    const note = answered === undefined ? undefined : await toNote(answered, services);
    const body = queue(views, context, { note, isNew: services.servers().length === 0 });
    return context.html(page({ title: 'Waiting', active: '/', body }));
  });
  app.get('/approvals/:id', async (context) => {
    const approval = await find(context.req.param('id'), services);
    if (approval === undefined) return refuse(context, UNKNOWN);
    const result = await findResult(services.ledger.store, approval.id);
    return context.html(toPage(toApprovalView(approval, services), context, { result }));
  });
  app.post('/approvals/:id', async (context) => {
    const form = await context.req.parseBody();
    const decision = form['decision'];
    if (decision !== 'approve' && decision !== 'decline') {
      return refuse(
        context,
        toProblem('invalid-input', 'The form neither approves nor declines.', {
          remedy: 'Send `decision` as approve or decline.',
        }),
      );
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
    if (answered.kind === 'decided') return context.redirect(`/?answered=${id}`, 303);
    const approval = await find(id, services);
    if (approval === undefined) return refuse(context, UNKNOWN);
    const view = toApprovalView(approval, services);
    return context.html(
      toPage(view, context, { notice: `Your answer was not accepted. ${answered.detail}` }),
      409,
    );
  });
}

const UNKNOWN = toProblem('not-found', 'No such question.');

async function find(id = '', { approvals }: ConsoleServices): Promise<Approval | undefined> {
  return ID.test(id) ? approvals.find(id) : undefined;
}

async function toNote(approval: Approval, services: ConsoleServices): Promise<Markup> {
  const result = await findResult(services.ledger.store, approval.id);
  return answeredNote(toApprovalView(approval, services), result);
}

const GET_STARTED: Markup = html`<p>To get started, put a gate in front of your servers:</p>
  <pre>plimsoll wrap</pre>`;

interface Around {
  readonly note: Markup | undefined;
  /** No gate has registered a server yet. */
  readonly isNew: boolean;
}

function queue(
  views: readonly ApprovalView[],
  context: Context<Env>,
  { note, isNew }: Around,
): Markup {
  const draw = (view: ApprovalView): Markup =>
    queuedCard(view, answerForms(view, context.get('csrf')));
  const count = views.length === 1 ? '1 call is waiting' : `${views.length} calls are waiting`;
  // The second click of a double click must not hit the card that takes the place of the answered one.
  const guarded = note === undefined ? '' : html`data-guarded`;
  return html`${note ?? ''}
    <p id="count" role="status" data-count="${views.length}">
      ${views.length === 0 ? 'Nothing is waiting.' : `${count} for an answer.`}
    </p>
    <div id="queue" data-live ${guarded}>
      ${groupQuestions(views).map(({ first, more }) => [first.map(draw), folded(more, draw)])}
    </div>
    <section id="nothing" class="empty" ${views.length === 0 ? '' : html`hidden`}>
      <h2>No calls need your approval</h2>
      <p>
        Reads run without asking. When an agent wants to spend, delete or share, the call waits here
        until you approve or decline it.
      </p>
      ${isNew ? GET_STARTED : ''}
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

interface Beside {
  readonly notice?: string;
  readonly result?: FoundReceipt | undefined;
}

function toPage(view: ApprovalView, context: Context<Env>, { notice, result }: Beside): Markup {
  const isOpen = view.leftMs > 0 && view.card !== undefined;
  const body = html`${notice === undefined ? '' : html`<p class="notice" role="alert">${notice}</p>`}
    ${isOpen ? approvalCard(view, answerForms(view, context.get('csrf'))) : approvalOutcome(view, result)}
    <p><a href="/">See waiting calls</a></p>`;
  return page({
    title: isOpen ? 'May this call run?' : OUTCOME_TITLES[view.state],
    active: '/',
    body,
  });
}

function isScope(value: unknown): value is GrantScope {
  return GRANT_SCOPES.some((scope) => scope === value);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
