/** One call: its whole history from request to receipt, and whether its record is intact. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { TIERS, isTier } from '../../effect/tier.ts';
import { toArgumentLines } from '../../gate/approvals/card.ts';
import type { QuestionEnds } from '../../gate/approvals/question-ends.ts';
import { describeDecision, readQuestionEnds } from '../../gate/approvals/question-ends.ts';
import { toLedgerFlag } from '../../gate/approvals/waiting-text.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import { toQuery } from '../data/call-filter.ts';
import type { Step } from '../data/call-steps.ts';
import { toSteps } from '../data/call-steps.ts';
import type { CallStory, Integrity } from '../data/call-story.ts';
import { readCallStory } from '../data/call-story.ts';
import { readBody } from '../door/check-request.ts';
import type { Markup } from '../page.ts';
import { page, refuse } from '../page.ts';
import { argumentTable } from './argument-table.ts';
import { foreignText, tierTag, toolLink, when, withSeparators } from './parts.ts';
import { countOf } from '../../lib/count-of.ts';

export function registerCall(app: Hono<Env>, { ledger, ledgerHint }: ConsoleServices): void {
  app.get('/calls/:id', async (c) => {
    const story = await readCallStory(ledger, c.req.param('id'));
    if (story === undefined) {
      return refuse(c, toProblem('not-found', 'The ledger has no such call.'));
    }
    const title = `Call ${story.row.seq}`;
    const ends = await readQuestionEnds(ledger.store, [story.row]);
    return c.html(
      page({ title, active: '/calls', body: toBody(story, ends, toLedgerFlag(ledgerHint)) }),
    );
  });
}

function toBody(story: CallStory, ends: QuestionEnds, flag: string): Markup {
  const { row } = story;
  return html`${summary(row, ends)}
    <section aria-labelledby="story">
      <h2 id="story">What happened</h2>
      <ol class="story">
        ${toSteps(story).map(toItem)}
      </ol>
      ${unsearchedNote(story)}
    </section>
    ${unknownNote(story)} ${callArguments(row)} ${callIntegrity(row, story.integrity, flag)}
    <section aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      <details>
        <summary>As it was signed</summary>
        ${foreignText(row.body)}
      </details>
    </section>`;
}

function unsearchedNote({ unsearched }: CallStory): Markup | '' {
  if (unsearched === 0) return '';
  return html`<p role="status">
    Something may be missing here: ${withSeparators(unsearched)} receipts are not indexed yet, and
    were not searched. They are being indexed; reload the page to see it all.
  </p>`;
}

function summary(row: ReceiptRow, ends: QuestionEnds): Markup {
  const { tier, server, operation, principal, tenant, outcome } = row;
  const isKnown = isTier(tier);
  const { rule, via, milliseconds, attempts, isUnknown } = readBody(row);
  return html`<dl>
    <dt>Tool</dt>
    <dd>
      ${server === '' ? html`<code>${showText(operation)}</code>` : toolLink(server, operation)}
    </dd>
    ${
      server === ''
        ? ''
        : html`<dt>Server</dt>
            <dd><a href="/calls?${toQuery({ server })}">${showText(server)}</a></dd>`
    }
    <dt>Tier</dt>
    <dd>
      ${
        isUnknown
          ? html`unknown; ${showText(tier)} is what the name suggests`
          : isKnown
            ? html`${tierTag(tier)}. ${TIERS[tier].meaning}`
            : showText(tier)
      }
    </dd>
    <dt>Caller</dt>
    <dd>
      ${
        principal === ''
          ? 'anonymous'
          : html`<a href="/calls?${toQuery({ principal })}">${showText(principal)}</a>`
      }
      ${tenant === '' ? '' : html`of ${showText(tenant)}`}
    </dd>
    <dt>Decision</dt>
    <dd>
      ${showText(describeDecision(row, ends))}
      ${rule === undefined ? '' : html`by the rule <b>${showText(rule)}</b>`}
    </dd>
    <dt>Outcome</dt>
    <dd>
      ${showText(outcome)} ${milliseconds === undefined ? '' : `after ${milliseconds} ms`}
      ${attempts === undefined ? '' : `, sent ${countOf(attempts, 'time')}`}
    </dd>
    <dt>World</dt>
    <dd>
      ${row.open_world === 1 ? 'open: it reached beyond what its server or caller owns' : 'closed'}
    </dd>
    <dt>At</dt>
    <dd>${when(row.at)} ${via === undefined ? '' : `over ${showText(via)}`}</dd>
  </dl>`;
}

function toItem({ at, what, detail, receipt, isThis }: Step): Markup {
  const words =
    receipt === undefined || isThis
      ? html`<b>${what}</b>`
      : html`<a href="/calls/${encodeURIComponent(receipt)}"><b>${what}</b></a>`;
  return html`<li ${isThis ? html`aria-current="true"` : ''}>
    ${when(at)} ${words} ${detail === undefined ? '' : html`<span>${detail}</span>`}
  </li>`;
}

function unknownNote({ keyRecord }: CallStory): Markup | '' {
  if (keyRecord?.state !== 'UNKNOWN') return '';
  return html`<p role="note">
    It is not known whether this call happened, and it is not retried automatically.
    <a href="/spend#unknown">See how to resolve it</a>
  </p>`;
}

/** Limits the size of a page, however much was sent. */
const MOST_LINES = 200;

function callArguments({ args, salt }: ReceiptRow): Markup {
  return html`<section aria-labelledby="arguments">
    <h2 id="arguments">Arguments</h2>
    ${args === '' ? notKept(salt) : toTable(args)}
  </section>`;
}

function notKept(salt: string): Markup {
  return salt === ''
    ? html`<p>They were not stored, or have been erased.</p>`
    : html`<p>
        Only a salted digest of them is stored: anyone who has the arguments can prove that they
        match, and nobody can guess them from it.
      </p>`;
}

function toTable(args: string): Markup {
  const { lines } = toArgumentLines(args);
  const rest = lines.length - MOST_LINES;
  return html`${argumentTable(lines.slice(0, MOST_LINES), 'As they were sent')}
  ${rest > 0 ? html`<p>And ${rest} more.</p>` : ''}`;
}

/** Whether the record of a call is intact: the row itself, and its place in the signed log. */
function callIntegrity(row: ReceiptRow, { findings, inclusion }: Integrity, flag: string): Markup {
  const isBroken = findings.length > 0 || inclusion.kind === 'refuted';
  return html`<section aria-labelledby="integrity">
    <h2 id="integrity">Integrity</h2>
    ${isBroken ? html`<p role="alert"><b>This record was changed after it was written.</b></p>` : ''}
    ${
      findings.length === 0
        ? html`<p>The receipt matches its hash, and its columns match the receipt.</p>`
        : html`<ul>
            ${findings.map(({ message }) => html`<li>${showText(message)}</li>`)}
          </ul>`
    }
    ${toPlace(row, inclusion, flag)}
    <p>Leaf <code>${showText(row.leaf)}</code></p>
  </section>`;
}

/** `flag` names the ledger in commands. */
function toPlace({ seq }: ReceiptRow, inclusion: Integrity['inclusion'], flag: string): Markup {
  switch (inclusion.kind) {
    case 'proved': {
      const { size, proof, checkpoint } = inclusion.proof;
      return html`<p>
          It is in the signed log of ${countOf(size, 'receipt')}; the proof was just recomputed.
        </p>
        <details>
          <summary>The proof</summary>
          <pre>${proof.join('\n')}</pre>
          <pre>${checkpoint.trimEnd().split('\n').map(showText).join('\n')}</pre>
        </details>`;
    }
    case 'covered':
      return html`<p>
          A signed checkpoint of ${countOf(inclusion.size, 'receipt')} covers it. The log is long;
          to recompute the proof, run:
        </p>
        <pre>plimsoll audit show ${seq}${flag}</pre>`;
    case 'unsigned':
      return html`<p>No checkpoint covers it yet; the next one will, within a minute or so.</p>`;
    case 'refuted':
      return html`<p>${showText(inclusion.detail)} To see where, run:</p>
        <pre>plimsoll audit verify${flag}</pre>`;
  }
}
