/** The form that narrows the list of calls. It only asks; nothing changes by it. */
import { html } from 'hono/html';
import { TIER_NAMES, TIERS } from '../../effect/tier.ts';
import { showText } from '../../gate/approve/show-text.ts';
import { PROBLEMS } from '../../lib/problem-catalog.ts';
import type { CallFilter } from '../data/call-filter.ts';
import { DECISIONS, toTimeText } from '../data/call-filter.ts';
import type { Markup } from '../page.ts';
import { TIER_MARKS } from '../tier-mark.ts';
import type { Choice } from './select-field.ts';
import { selectField } from './select-field.ts';

const TIER_CHOICES: readonly Choice[] = TIER_NAMES.toSorted(
  (a, b) => TIERS[b].severity - TIERS[a].severity,
).map((tier) => ({ value: tier, word: `${TIER_MARKS[tier].shape} ${TIER_MARKS[tier].word}` }));

const DECISION_CHOICES: readonly Choice[] = [...DECISIONS].map(([value, word]) => ({
  value,
  word,
}));

const OUTCOMES: readonly string[] = ['success', 'input-required', ...Object.keys(PROBLEMS)];

export function callsFilterForm(filter: CallFilter, servers: readonly string[]): Markup {
  const { tier, server = '', operation = '', principal = '', decision, outcome = '' } = filter;
  return html`<form class="filters" method="get" action="/calls" role="search">
    ${selectField({ label: 'Tier', name: 'tier', choices: TIER_CHOICES, chosen: tier, any: 'any' })}
    <label>Server <input name="server" value="${server}" list="servers" /></label>
    <label>Tool <input name="operation" value="${operation}" /></label>
    <label>Who <input name="principal" value="${principal}" /></label>
    ${selectField({
      label: 'Decision',
      name: 'decision',
      choices: DECISION_CHOICES,
      chosen: decision,
      any: 'any',
    })}
    <label>Outcome <input name="outcome" value="${outcome}" list="outcomes" /></label>
    <label>Since, UTC ${timeInput('since', filter.since)}</label>
    <label>Until, UTC ${timeInput('until', filter.until)}</label>
    <label
      ><input type="checkbox" name="open" value="1" ${filter.openWorld ? html`checked` : ''} /> open
      world only</label
    >
    <button type="submit">Show</button>
    <datalist id="servers">
      ${servers.map((name) => html`<option value="${name}">${showText(name)}</option>`)}
    </datalist>
    <datalist id="outcomes">
      ${OUTCOMES.map((name) => html`<option value="${name}"></option>`)}
    </datalist>
  </form>`;
}

/** Finer than a minute only where the filter is. */
function timeInput(name: string, time: number | undefined): Markup {
  const value = time === undefined ? '' : toTimeText(time);
  return html`<input type="datetime-local" name="${name}" value="${value}" step="any" />`;
}
