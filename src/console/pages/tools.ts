/** Tools by safety: what all servers offer, the gravest first, with search and filters. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Tier } from '../../effect/tier.ts';
import { TIERS } from '../../effect/tier.ts';
import { showText } from '../../gate/approve/show-text.ts';
import type { ConsoleServices, ServerView } from '../console-services.ts';
import type { ToolView } from '../data/list-tools-view.ts';
import { listToolsView } from '../data/list-tools-view.ts';
import type { ToolFilter } from '../data/tool-filter.ts';
import { passes, readToolFilter, toQuery } from '../data/tool-filter.ts';
import type { Env } from '../env.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { tierTag } from './tier-tag.ts';
import { toolsFilterForm } from './tools-filter-form.ts';
import { toolsTable } from './tools-table.ts';

/** Keeps a page light, however many tools there are. */
const A_PAGE = 100;

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
    found.length === 0 ? html`<p>No tool is like that. <a href="/tools">Show all</a></p>` : '';
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
    ${link(number - 1, 'Before')} <span>${number} of ${last}</span> ${link(number + 1, 'Next')}
  </nav>`;
}

function emptyState(servers: readonly ServerView[]): Markup {
  if (servers.length === 0) {
    return html`<section class="empty">
      <h2>No server stands behind this gate yet</h2>
      <p>Put one there, and its tools are listed here by what they can do:</p>
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
      a client has connected to the gate and asked for them.
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
