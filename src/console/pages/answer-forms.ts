/**
 * The forms under a card. Yes, wider yes and no are forms of their own, so that the Enter key in the
 * reason can only refuse.
 */
import { html } from 'hono/html';
import { scopeToText } from '../../gate/approve/to-text.ts';
import type { GrantScope } from '../../gate/decide/verdict.ts';
import type { ApprovalView } from '../data/approval-view.ts';
import type { Markup } from '../page.ts';

const MINUTES = [1, 5, 15, 60, 240];

export function answerForms(view: ApprovalView, csrf: string): Markup {
  const { id, card } = view;
  if (card === undefined) return html``;
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
        <span>Reason, which the agent is told</span>
        <input name="reason" maxlength="500" autocomplete="off" placeholder="optional" />
      </label>
      <button>Refuse</button>
    </form>
    ${wider(view, csrf)}
  </div>`;
}

function wider(view: ApprovalView, csrf: string): Markup | '' {
  const { id, card, binding } = view;
  const scopes = (card?.scopes ?? []).filter(
    (scope) => scope !== 'call' && (scope !== 'session' || binding.session !== ''),
  );
  if (card === undefined || scopes.length === 0) return '';
  const most = card.grantMinutes;
  const choices = [...MINUTES.filter((minutes) => minutes < most), most];
  return html`<details>
    <summary>Approve more than this call</summary>
    <form method="post" action="/approvals/${id}">
      ${hidden(view, csrf)}
      <input type="hidden" name="decision" value="approve" />
      <label>
        <span>For</span>
        <select name="minutes">
          ${choices.map((minutes) => html`<option value="${minutes}">${minutes} minutes</option>`)}
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
  session: 'Approve this tool in this session',
});

/** The digest says what the person saw; another card under the same id is not what they answered. */
function hidden({ display }: ApprovalView, csrf: string): Markup {
  return html`<input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="display" value="${display}" />`;
}
