/** A question as a card. Everything in it that others wrote is shown as text, every character visible. */
import { html } from 'hono/html';
import type { ArgumentLine } from '../../gate/approvals/argument-lines.ts';
import { scopeToText } from '../../gate/approvals/card-text.ts';
import type { Card } from '../../gate/approvals/card.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { GrantScope } from '../../gate/policy/verdict.ts';
import type { ApprovalView } from '../data/approval-view.ts';
import type { Markup } from '../page.ts';
import { tierTag } from './parts.ts';

export function approvalCard(view: ApprovalView, answers: Markup): Markup {
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
    ${price(card)}
    <dl>
      <dt>Asks</dt>
      <dd>
        <code>${card.principal}</code
        >${card.session === '' ? '' : html` in session <code>${card.session}</code>`}
      </dd>
      <dt>Effect</dt>
      <dd>
        ${card.meaning}${card.mode === 'sandbox' ? html` <strong>In a sandbox.</strong>` : ''}
      </dd>
      <dt>Why you</dt>
      <dd>${card.why} ${reasons(card)}</dd>
    </dl>
    ${card.warnings.map((warning) => html`<p class="warning">${warning}</p>`)} ${drift(view)}
    ${argumentTree(card.arguments)} ${answers}
    <footer>
      <a href="/approvals/${id}">Question ${id.slice(0, 8)}</a>
      <small>shown <code>${view.display.slice(0, 12)}</code></small>
    </footer>
  </article>`;
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

/** One line for each leaf, its path before it: what stands inside what can be read, and nothing hides in a fold. */
function argumentTree(lines: readonly ArgumentLine[]): Markup {
  if (lines.length === 0) return html`<p class="hint">No arguments.</p>`;
  return html`<table class="arguments">
    <caption>
      Arguments, exactly as they will be sent
    </caption>
    <tbody>
      ${lines.map(
        (line) =>
          html`<tr>
            <th scope="row">${path(line.pointer)}</th>
            <td><code>${line.value}</code>${cut(line)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function cut({ cut: left }: ArgumentLine): Markup | '' {
  if (left === undefined) return '';
  return html` <small>… ${left.omittedBytes} bytes left out …</small> <code>${left.tail}</code>
    <small>SHA-256 of the whole: <code>${left.sha256}</code></small>`;
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

/** Each key has a box of its own, so that no key can look like two. */
function path(pointer: string): Markup {
  if (pointer === '') return html`(all)`;
  const keys = pointer.slice(1).split('/');
  return html`${keys.map((key, index) => html`${index === 0 ? '' : ' › '}<code>${toKey(key)}</code>`)}`;
}

function toKey(key: string): string {
  return key === '' ? '""' : key.replaceAll('~1', '/').replaceAll('~0', '~');
}

function toLeftText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return minutes === 0 ? `${rest} s left` : `${minutes} min ${rest} s left`;
}

/**
 * The forms under a card. Yes, wider yes and no are forms of their own, so that the Enter key in the
 * reason can only refuse.
 */
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
