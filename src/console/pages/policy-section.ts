/** The policy in force on a page: how it is called, how it asks, its rules and its budgets. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import type { Policy } from '../../gate/decide/policy.ts';
import type { Budget } from '../../gate/decide/verdict.ts';
import type { Markup } from '../page.ts';
import { policyTable } from './policy-table.ts';

const HEADLESS: Readonly<Record<Policy['headless'], string>> = {
  no: 'people are asked',
  pend: 'calls wait, nobody is told',
  refuse: 'what would ask is refused',
};

export function policySection(policy: Policy): Markup {
  const { version, mode, asking, headless, budgets, rules } = policy;
  return html`<section aria-labelledby="policy">
    <h2 id="policy">Policy in force</h2>
    <p>
      ${
        rules.length === 0
          ? html`Nobody has written a rule yet; what holds anyway is below. Rules go into a file:
              <code>plimsoll gate --policy policy.yaml</code>.`
          : 'The first rule that fits a call decides.'
      }
      <a href="/what-if">What would happen if …</a>
    </p>
    <dl>
      <dt>Version</dt>
      <dd><code>${version.slice(0, 12)}</code></dd>
      <dt>Mode</dt>
      <dd>${mode}</dd>
      <dt>Asking</dt>
      <dd>
        ${HEADLESS[headless]}, by ${asking.channels.join(', ') || 'no channel'}; an answer is good
        for ${asking.expirySeconds} s
      </dd>
      <dt>Budgets</dt>
      <dd>
        ${
          budgets.length === 0
            ? 'none'
            : html`<ul>
                ${budgets.map((budget) => html`<li>${budgetWords(budget)}</li>`)}
              </ul>`
        }
      </dd>
    </dl>
    ${policyTable(policy)}
  </section>`;
}

function budgetWords({ name, limit, counts, per, shared }: Budget): string {
  return `${showText(name)}: ${limit} ${counts} a ${per}${shared ? ', for all together' : ''}`;
}
