/** A question as a card. All untrusted text in it is shown as text, with every character visible. */
import { html } from 'hono/html';
import type { CallerState } from '../../gate/approvals/approval.ts';
import type { Card } from '../../gate/approvals/card.ts';
import { describeChannels } from '../../gate/approvals/approval-machine.ts';
import { scopeToText, sessionToText } from '../../gate/approvals/card-text.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { GrantScope } from '../../gate/policy/verdict.ts';
import type { ApprovalView } from '../data/approval-view.ts';
import type { Markup } from '../page.ts';
import { argumentTable } from './argument-table.ts';
import { diffLines } from './diff-lines.ts';
import { tierTag } from './parts.ts';
import { countOf } from '../../lib/count-of.ts';

/** Where a yes does not run the call at once. */
const CALLER_NOTICES: Readonly<Record<CallerState, string>> = Object.freeze({
  held: '',
  away: 'The caller was told to send the call again. If you approve, the call runs when it does.',
  gone: 'The caller has disconnected. If you approve, the call runs when it is sent again.',
});

/** Characters of arguments, beyond which a question is read and answered on a page of its own. */
const LONGEST_IN_QUEUE = 32 * 1024;

/** A card among others. One that is very long would keep all of them from being shown. */
export function queuedCard(view: ApprovalView, answers: Markup): Markup {
  const { id, card } = view;
  const length = (card?.arguments ?? []).reduce(
    (sum, { pointer, value }) => sum + pointer.length + value.length,
    0,
  );
  if (length <= LONGEST_IN_QUEUE) return approvalCard(view, answers);
  const link = html`<a href="/approvals/${id}">Open this question to read and answer it</a>`;
  const note = html`<p class="notice">The arguments have ${length} characters. ${link}.</p>`;
  return approvalCard(view, html``, note);
}

export function approvalCard(view: ApprovalView, answers: Markup, instead?: Markup): Markup {
  const { id, card, leftMs } = view;
  if (card === undefined) return html``;
  return html`<article
    class="card"
    id="approval-${id}"
    data-tier="${card.tier}"
    tabindex="-1"
    aria-labelledby="name-${id}"
  >
    <header>
      <h2 id="name-${id}">
        ${tierTag(card.tier)} <code>${card.server}</code> / <code>${card.tool}</code>
      </h2>
      <p class="left" data-left="${Math.ceil(leftMs / 1000)}">${toLeftText(leftMs)}</p>
    </header>
    ${card.title === undefined ? '' : html`<p class="said">“${card.title}” <small>says the server</small></p>`}
    ${price(card)} ${callerNotice(view)}
    <p class="does">
      ${card.meaning}${card.mode === 'sandbox' ? html` <strong>In a sandbox.</strong>` : ''}
    </p>
    ${card.warnings.map((warning) => html`<p class="warning">${warning}</p>`)} ${drift(view)}
    ${change(card)}
    <dl>
      <dt>Why it asks</dt>
      <dd>${card.why} ${reasons(card)}</dd>
      <dt>Caller</dt>
      <dd>
        <code>${card.principal}</code>${card.session === '' ? '' : `, ${sessionToText(card)}`}
      </dd>
    </dl>
    ${instead ?? argumentTable(card.arguments, 'Arguments, exactly as they will be sent')}
    ${answers}
    <footer>
      <a href="/approvals/${id}">Question ${id.slice(0, 8)}</a>
      <small>shown <code>${view.display.slice(0, 12)}</code></small>
    </footer>
  </article>`;
}

function change({ change: found }: Card): Markup | '' {
  if (found === undefined) return '';
  if (found.diff === '')
    return html`<p class="notice">It writes what <code>${found.from}</code> returns now.</p>`;
  return html`<details class="change" open>
    <summary>What changes, compared with what <code>${found.from}</code> returned</summary>
    ${diffLines(found.diff)}
  </details>`;
}

function callerNotice({ caller }: ApprovalView): Markup | '' {
  const text = CALLER_NOTICES[caller];
  return text === '' ? '' : html`<p class="notice" data-caller="${caller}">${text}</p>`;
}

function price({ price: told }: Card): Markup | '' {
  if (told === undefined) return '';
  const { amount, unit, from } = told;
  return html`<p class="price">
    <strong>${amount} ${unit}</strong> <small>says <code>${from}</code></small>
  </p>`;
}

function reasons({ reasons: texts }: Card): Markup | '' {
  if (texts.length === 0) return '';
  return html`<details>
    <summary>how that is known</summary>
    <ul>
      ${texts.map((text) => html`<li>${text}</li>`)}
    </ul>
  </details>`;
}

function drift({ drift: found }: ApprovalView): Markup | '' {
  if (found === undefined || found.kind === 'same') return '';
  if (found.kind === 'new')
    return html`<p class="warning">Nobody has accepted this tool yet: it has no pin.</p>`;
  return html`<details class="drift" open>
    <summary>Changed since it was accepted</summary>
    <ul>
      ${found.changes.map(
        ({ direction, pointer, text }) =>
          html`<li>
            <strong>${direction}</strong>
            <code>${showText(pointer === '' ? '/' : pointer)}</code> ${showText(text)}
          </li>`,
      )}
    </ul>
  </details>`;
}

function toLeftText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return minutes === 0 ? `${rest} s left` : `${minutes} min ${rest} s left`;
}

/**
 * The forms under a card. Approve, approve more and decline are separate forms, so that the Enter key
 * in the reason can only decline.
 */
const MINUTES = [1, 5, 15, 60, 240];

export function answerForms(view: ApprovalView, csrf: string): Markup {
  const { id, card } = view;
  if (card === undefined) return html``;
  if (!card.channels.includes('console')) {
    return html`<p class="notice">
      This question cannot be answered here. ${describeChannels(card.channels)}
    </p>`;
  }
  return html`<div class="answers">
      <form method="post" action="/approvals/${id}">
        ${hidden(view, csrf)}
        <input type="hidden" name="decision" value="approve" />
        <button class="yes" name="grant" value="call">Approve once</button>
      </form>
      <form method="post" action="/approvals/${id}" class="no">
        ${hidden(view, csrf)}
        <input type="hidden" name="decision" value="decline" />
        <label>
          <span>Reason, shown to the agent</span>
          <input name="reason" maxlength="500" autocomplete="off" placeholder="optional" />
        </label>
        <button>Decline</button>
      </form>
    </div>
    ${wider(view, csrf)}`;
}

function wider(view: ApprovalView, csrf: string): Markup | '' {
  const { id, card, binding } = view;
  const scopes = (card?.scopes ?? []).filter(
    (scope) => scope !== 'call' && (scope !== 'session' || binding.session !== ''),
  );
  if (card === undefined || scopes.length === 0) return '';
  const most = card.grantMinutes;
  const choices = [...MINUTES.filter((minutes) => minutes < most), most];
  return html`<details class="wider">
    <summary>Approve more than this call</summary>
    <form method="post" action="/approvals/${id}">
      ${hidden(view, csrf)}
      <input type="hidden" name="decision" value="approve" />
      <label>
        <span>For</span>
        <select name="minutes">
          ${choices.map((minutes) => html`<option value="${minutes}">${countOf(minutes, 'minute')}</option>`)}
        </select>
      </label>
      ${scopes.map((scope) => html`<button name="grant" value="${scope}">${WORDS[scope]}</button>`)}
    </form>
    <p class="hint">At the most: ${scopes.map((scope) => scopeToText(scope, card)).join('; ')}.</p>
  </details>`;
}

const WORDS: Readonly<Record<GrantScope, string>> = Object.freeze({
  call: 'Approve once',
  arguments: 'Approve whenever the arguments are the same',
  session: 'Approve this tool, whatever the arguments',
  lasting: 'Approve this tool from now on',
});

/** The digest identifies what the person saw; an answer does not apply to another card with the same id. */
function hidden({ display }: ApprovalView, csrf: string): Markup {
  return html`<input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="display" value="${display}" />`;
}
