/** One call: its whole story from proposal to receipt, and whether the record of it is whole. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { isTier, TIERS } from '../../effect/tier.ts';
import { showText } from '../../gate/approve/show-text.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';
import type { ConsoleServices } from '../console-services.ts';
import type { CallStory } from '../data/call-story.ts';
import { readCallStory } from '../data/call-story.ts';
import type { Step } from '../data/call-steps.ts';
import { toSteps } from '../data/call-steps.ts';
import { toQuery } from '../data/call-filter.ts';
import { readBody } from '../data/read-body.ts';
import type { Env } from '../env.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { refuse } from '../refuse.ts';
import { callArguments } from './call-arguments.ts';
import { callIntegrity } from './call-integrity.ts';
import { foreignText } from './foreign-text.ts';
import { tierTag } from './tier-tag.ts';
import { toolLink } from './tool-link.ts';
import { when } from './when.ts';

export function registerCall(app: Hono<Env>, { ledger }: ConsoleServices): void {
  app.get('/calls/:id', async (c) => {
    const story = await readCallStory(ledger, c.req.param('id'));
    if (story === undefined) {
      return refuse(c, toProblem('not-found', 'The ledger has no such call.'));
    }
    const title = `Call ${story.row.seq}`;
    return c.html(page({ title, active: '/calls', body: toBody(story) }));
  });
}

function toBody(story: CallStory): Markup {
  const { row } = story;
  return html`${summary(row)}
    <section aria-labelledby="story">
      <h2 id="story">What happened</h2>
      <ol class="story">
        ${toSteps(story).map(toItem)}
      </ol>
    </section>
    ${unknownNote(story)} ${callArguments(row)} ${callIntegrity(row, story.integrity)}
    <section aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      <details>
        <summary>As it was signed</summary>
        ${foreignText(row.body)}
      </details>
    </section>`;
}

function summary(row: ReceiptRow): Markup {
  const { tier, server, operation, principal, tenant, decision, outcome } = row;
  const isKnown = isTier(tier);
  const { rule, via, milliseconds, attempts } = readBody(row);
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
    <dt>It</dt>
    <dd>${isKnown ? html`${tierTag(tier)}. ${TIERS[tier].meaning}` : showText(tier)}</dd>
    <dt>Who</dt>
    <dd>
      ${
        principal === ''
          ? 'nobody known'
          : html`<a href="/calls?${toQuery({ principal })}">${showText(principal)}</a>`
      }
      ${tenant === '' ? '' : html`of ${showText(tenant)}`}
    </dd>
    <dt>Decision</dt>
    <dd>
      ${showText(decision)} ${rule === undefined ? '' : html`by the rule <b>${showText(rule)}</b>`}
    </dd>
    <dt>Outcome</dt>
    <dd>
      ${showText(outcome)} ${milliseconds === undefined ? '' : `after ${milliseconds} ms`}
      ${attempts === undefined ? '' : `, sent ${attempts} times`}
    </dd>
    <dt>World</dt>
    <dd>${row.open_world === 1 ? 'open: it left what its server or caller owns' : 'closed'}</dd>
    <dt>At, UTC</dt>
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

function unknownNote({ claim }: CallStory): Markup | '' {
  if (claim?.state !== 'UNKNOWN') return '';
  return html`<p role="note">
    Nobody knows whether this call happened, and nothing runs it again by itself.
    <a href="/spend#unknown">See how to settle it</a>
  </p>`;
}
