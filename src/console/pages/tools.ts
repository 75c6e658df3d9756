/** Tools by safety: what all servers offer, the gravest first, with search and filters. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { HINT_NAMES } from '../../effect/hints.ts';
import type { Tier } from '../../effect/tier.ts';
import { TIERS, TIER_NAMES } from '../../effect/tier.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { ConsoleServices, Env, ServerView } from '../console-services.ts';
import type { ToolFilter } from '../data/tool-filter.ts';
import { passes, readToolFilter, toHintWord, toQuery } from '../data/tool-filter.ts';
import type { SaidHint, ToolView } from '../data/tools-view.ts';
import { BASES, listToolsView } from '../data/tools-view.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { findingWords } from './findings.ts';
import type { DataRow } from './data-table.ts';
import { dataTable } from './data-table.ts';
import type { Choice } from './parts.ts';
import {
  TIER_MARKS,
  VERDICT_WORDS,
  hintWord,
  hintWords,
  selectField,
  tierTag,
  toolLink,
} from './parts.ts';
import { pinWord } from './pins-section.ts';

/** Limits the size of a page, however many tools there are. */
const A_PAGE = 60;

export function registerTools(app: Hono<Env>, services: ConsoleServices): void {
  app.get('/tools', (c) => {
    const query = c.req.query();
    const servers = services.servers();
    const all = listToolsView({ ...services, servers: () => servers });
    const body =
      all.length === 0
        ? emptyState(servers)
        : listing(all, readToolFilter(query), { servers, number: toNumber(query['page']) });
    return c.html(page({ title: 'Tools by safety', active: '/tools', body }));
  });
}

interface Shown {
  readonly servers: readonly ServerView[];
  readonly number: number;
}

function listing(all: readonly ToolView[], filter: ToolFilter, shown: Shown): Markup {
  const found = all.filter((tool) => passes(tool, filter));
  const last = Math.max(1, Math.ceil(found.length / A_PAGE));
  const number = Math.min(shown.number, last);
  const here = found.slice((number - 1) * A_PAGE, number * A_PAGE);
  const names = shown.servers.map(({ name }) => name);
  return html`${toolsFilterForm(filter, names)} ${summary(all, found, filter)}
  ${[...Map.groupBy(here, ({ tier }) => tier)].map(([tier, tools]) =>
    group(tier, tools, countOf(found, tier)),
  )}
  ${pager(filter, number, last)}`;
}

function summary(all: readonly ToolView[], found: readonly ToolView[], filter: ToolFilter): Markup {
  const { tier: chosen, ...rest } = filter;
  const ofAnyTier = all.filter((tool) => passes(tool, rest));
  const tiers = [...new Set(ofAnyTier.map(({ tier }) => tier))];
  const none =
    found.length === 0 ? html`<p>No matching tools. <a href="/tools">Show all</a></p>` : '';
  return html`<p>${found.length} of ${count(all.length, 'tool')}</p>
    <ul class="counts" aria-label="Tools by tier">
      ${tiers.map(
        (tier) =>
          html`<li>
            <a
              href="/tools${toQuery({ ...rest, tier })}"
              ${tier === chosen ? html`aria-current="true"` : ''}
              >${tierTag(tier)} <b>${countOf(ofAnyTier, tier)}</b></a
            >
          </li>`,
      )}
    </ul>
    ${none}`;
}

function group(tier: Tier, tools: readonly ToolView[], total: number): Markup {
  return html`<section aria-labelledby="tier-${tier}">
    <h2 id="tier-${tier}">${tierTag(tier)} <small>${total}</small></h2>
    <p>${TIERS[tier].meaning}</p>
    ${toolsTable(tools, `tier-${tier}`)}
  </section>`;
}

function pager(filter: ToolFilter, number: number, last: number): Markup | '' {
  if (last === 1) return '';
  const link = (to: number, word: string): Markup | '' =>
    to < 1 || to > last ? '' : html`<a href="/tools${toQuery(filter, to)}">${word}</a>`;
  return html`<nav class="pager" aria-label="More tools">
    ${link(number - 1, 'Previous')} <span>${number} of ${last}</span> ${link(number + 1, 'Next')}
  </nav>`;
}

function emptyState(servers: readonly ServerView[]): Markup {
  if (servers.length === 0) {
    return html`<section class="empty">
      <h2>No servers behind this gate yet</h2>
      <p>Start the gate with a server, and its tools are listed here by what they can do:</p>
      <pre>plimsoll gate --console -- npx -y @modelcontextprotocol/server-memory</pre>
      <p>
        With <code>plimsoll wrap</code> the servers in the configuration of your host go through the
        gate.
      </p>
    </section>`;
  }
  return html`<section class="empty">
    <h2>No tools are known yet</h2>
    <p>
      ${servers.map(({ name }) => showText(name)).join(', ')}: the tools are listed here as soon as
      a client has connected to the gate and listed them.
    </p>
    <p><a href="/servers">See the servers</a></p>
  </section>`;
}

function countOf(tools: readonly ToolView[], wanted: Tier): number {
  return tools.filter(({ tier }) => tier === wanted).length;
}

function count(number: number, word: string): string {
  return number === 1 ? `1 ${word}` : `${number} ${word}s`;
}

function toNumber(text = ''): number {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** The form that filters the list of tools. It is a GET and changes nothing. */
const SAID: readonly SaidHint[] = ['true', 'false', 'unset', 'unclear'];

const TIER_CHOICES: readonly Choice[] = TIER_NAMES.toSorted(
  (a, b) => TIERS[b].severity - TIERS[a].severity,
).map((tier) => ({ value: tier, word: `${TIER_MARKS[tier].shape} ${TIER_MARKS[tier].word}` }));

const HINT_CHOICES: readonly Choice[] = HINT_NAMES.flatMap((name) =>
  SAID.map((said) => ({ value: toHintWord({ name, said }), word: hintWord(name, said) })),
);

const BASIS_CHOICES: readonly Choice[] = Object.keys(BASES).map((value) => ({
  value,
  word: value,
}));

const VERDICT_CHOICES: readonly Choice[] = Object.entries(VERDICT_WORDS).map(([value, word]) => ({
  value,
  word,
}));

function toolsFilterForm(filter: ToolFilter, servers: readonly string[]): Markup {
  const { q = '', tier, server, hint, evidence, verdict } = filter;
  const names = servers.map((name) => ({ value: name, word: showText(name) }));
  return html`<form class="filters" method="get" action="/tools" role="search">
    <label>Search <input type="search" name="q" value="${q}" /></label>
    ${selectField({ label: 'Tier', name: 'tier', choices: TIER_CHOICES, chosen: tier, any: 'any' })}
    ${selectField({ label: 'Server', name: 'server', choices: names, chosen: server, any: 'any' })}
    ${selectField({
      label: 'Says',
      name: 'hint',
      choices: HINT_CHOICES,
      chosen: hint && toHintWord(hint),
      any: 'anything',
    })}
    ${selectField({
      label: 'Known by',
      name: 'evidence',
      choices: BASIS_CHOICES,
      chosen: evidence,
      any: 'any',
    })}
    ${selectField({
      label: 'Here it',
      name: 'verdict',
      choices: VERDICT_CHOICES,
      chosen: verdict,
      any: 'any',
    })}
    <button type="submit">Show</button>
  </form>`;
}

/** Tools as rows: what each does, the verdict on it, how that is known, its hints, its pin. */
function toolsTable(tools: readonly ToolView[], labelledBy: string): Markup {
  const heads = ['Tool', 'Server', 'Does', 'Here it', 'Known by', 'Says', 'Pin', 'Check'];
  return dataTable({ name: { labelledBy }, heads, rows: tools.map(toRow) });
}

function toRow(tool: ToolView): DataRow {
  const { server, name, title, act, verdict, rule, basis, confidence, hints } = tool;
  const heading = title === undefined || title === name ? '' : html`${showText(title)}<br />`;
  return {
    cells: [
      html`${heading}${toolLink(server, name)}`,
      showText(server),
      act,
      html`<span title="by the rule ${rule}">${VERDICT_WORDS[verdict]}</span>`,
      html`${basis} <small>${Math.round(confidence * 100)} %</small>`,
      hintWords(hints) || html`<i>nothing</i>`,
      pinWord(tool),
      findingWords(tool.findings),
    ],
  };
}
