/** The policy in force: its version, how it asks, its rules and its budgets. */
import { html } from 'hono/html';
import { showText } from '../../gate/approvals/show-text.ts';
import {
  DEFAULT_RULES,
  DUPLICATE_INTENT,
  FIRST_USE,
  PRICE_UNKNOWN,
  QUARANTINED,
  UNKNOWN_METHOD,
} from '../../gate/policy/default-rules.ts';
import type { Policy } from '../../gate/policy/policy.ts';
import type { Budget, Match, Rule } from '../../gate/policy/verdict.ts';
import type { Markup } from '../page.ts';
import type { DataRow } from './data-table.ts';
import { dataTable } from './data-table.ts';
import { limitWords, VERDICT_WORDS } from './parts.ts';
import { countOf } from '../../lib/count-of.ts';

const HEADLESS: Readonly<Record<Policy['headless'], string>> = {
  no: 'people are asked',
  pend: 'calls wait, nobody is notified',
  refuse: 'calls that would ask are refused',
};

export function policySection(policy: Policy): Markup {
  const { version, mode, asking, headless, budgets, rules } = policy;
  return html`<section aria-labelledby="policy">
    <h2 id="policy">Policy in force</h2>
    <p>
      ${
        rules.length === 0
          ? html`There are no rules yet; the defaults are below. Rules go into a file:
              <code>plimsoll gate --policy policy.yaml</code>.`
          : 'The first rule that matches a call decides.'
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
        ${HEADLESS[headless]}, by ${asking.channels.join(', ') || 'no channel'}; a question expires
        after ${asking.expirySeconds} s
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

function budgetWords(budget: Budget): string {
  const { name, shared } = budget;
  return `${showText(name)}: ${limitWords(budget)}${shared ? ', shared by all' : ''}`;
}

/** The policy's rules in the order in which they are tried, then the defaults. */
interface RuleRow {
  readonly name: string;
  readonly calls: string;
  readonly when?: string;
  readonly outcome: string;
  readonly because: string;
}

/** Here and not in the rules, because only people read it. */
export const DEFAULT_CALLS: Readonly<Record<string, string>> = Object.freeze({
  [QUARANTINED]: 'tools that became riskier than what was accepted, or are listed twice',
  [DUPLICATE_INTENT]: 'an equal spend shortly after another',
  [PRICE_UNKNOWN]: 'a spend of unknown price under a budget that counts money',
  [UNKNOWN_METHOD]: 'requests and notifications outside of the protocol',
  'tier-asks': 'calls of tiers that ask: share, spend, destroy',
  'live-unsure': 'live calls of tools whose effect is uncertain',
  'looking-runs': 'calls that change nothing',
  'live-overwrites': 'live calls that overwrite something irrecoverably',
  'live-leaves': 'live calls that reach other parties',
  [FIRST_USE]: 'live calls of tools that their server says nothing about, until a lasting yes',
  'within-budgets': 'other calls that change ordinary state',
  'anything-else': 'everything else',
});

/** `decisive` is the name of the rule that decided about a call, to be highlighted. */
export function policyTable(policy: Policy, decisive?: string): Markup {
  const heads = ['Rule', 'Calls', 'When', 'Then', 'Because'];
  const rows = listRules(policy).map((row) => toRow(row, row.name === decisive));
  return dataTable({ name: { labelledBy: 'policy' }, heads, rows });
}

function toRow({ name, calls, when, outcome, because }: RuleRow, isCurrent: boolean): DataRow {
  return {
    isCurrent,
    cells: [
      html`<code>${showText(name)}</code>${isCurrent ? html` <b>← decides</b>` : ''}`,
      showText(calls),
      when === undefined ? '' : html`<code>${showText(when)}</code>`,
      outcome,
      showText(because),
    ],
  };
}

function listRules({ rules, duplicateMinutes, budgets, firstUse }: Policy): readonly RuleRow[] {
  const repeats = toDefault(DUPLICATE_INTENT, 'asks');
  return [
    toDefault(QUARANTINED, 'refused'),
    ...(duplicateMinutes === 0
      ? []
      : [{ ...repeats, because: `within ${countOf(duplicateMinutes, 'minute')}` }]),
    ...(budgets.some(({ counts }) => counts === 'money') ? [toDefault(PRICE_UNKNOWN, 'asks')] : []),
    {
      ...toDefault(UNKNOWN_METHOD, 'refused'),
      because: 'in live mode, unless the policy names the method',
    },
    ...rules.map(fromRule),
    ...DEFAULT_RULES.filter(({ name }) => name !== FIRST_USE || firstUse === 'ask').map(
      ({ name, says }) => toDefault(name, VERDICT_WORDS[says]),
    ),
  ];
}

function toDefault(name: string, outcome: string): RuleRow {
  return {
    name,
    calls: DEFAULT_CALLS[name] ?? '',
    outcome,
    because: 'built-in default',
  };
}

function fromRule({ name, match, when, then, because, repeats }: Rule): RuleRow {
  return {
    name,
    calls: matchWords(match),
    ...(when !== undefined && { when }),
    outcome: repeats === 'allow' ? `${VERDICT_WORDS[then]}, repeats too` : VERDICT_WORDS[then],
    because: because ?? '',
  };
}

function matchWords(match: Match = {}): string {
  const parts = Object.entries(match).map(
    ([name, values]: [string, string | readonly string[]]) =>
      `${name} ${[values].flat().join(' or ')}`,
  );
  return parts.length === 0 ? 'every call' : parts.join(', ');
}
