/** The servers behind the gate, the state of each, and the policy for all of them. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { showText } from '../../gate/approvals/show-text.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import type { FoundServer } from '../data/find-server.ts';
import { onlyOf, serversNamed } from '../data/find-server.ts';
import { listToolsView } from '../data/tools-view.ts';
import { serverPins } from '../data/server-pins.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import type { DataRow } from './data-table.ts';
import { dataTable } from './data-table.ts';
import { pinsSummary } from './pins-section.ts';
import { policySection } from './policy-section.ts';
import { eraWords, pathOf, tierCounts } from './parts.ts';

export function registerServers(app: Hono<Env>, services: ConsoleServices): void {
  app.get('/servers', (c) => {
    const found = services.servers().flatMap(({ name }) => serversNamed(services, name));
    const body = html`${found.length === 0 ? EMPTY : serverTable(found, services)}
    ${policySection(services.policy)}`;
    return c.html(page({ title: 'Servers', active: '/servers', body }));
  });
}

const HEADS = ['Server', 'State', 'Protocol', 'Mode', 'Trusted', 'Tools', 'Pins', 'Reached by'];

function serverTable(found: readonly FoundServer[], services: ConsoleServices): Markup {
  const rows = found.map((each) => toRow(each, services));
  return html`<section aria-labelledby="servers">
    <h2 id="servers">Behind the gates of this ledger</h2>
    ${dataTable({ name: { labelledBy: 'servers' }, heads: HEADS, rows })}
  </section>`;
}

function toRow(found: FoundServer, services: ConsoleServices): DataRow {
  const { server } = found;
  const { name, state, mode, trusted, address } = server;
  const tools = listToolsView(onlyOf(found, services));
  const path = pathOf(found);
  const shown = showText(name);
  return {
    cells: [
      path === undefined ? shown : html`<a href="${path}">${shown}</a>`,
      state,
      eraWords(server),
      mode,
      trusted ? 'yes' : 'no',
      tierCounts(name, tools),
      pinsSummary(serverPins(server, services.lock ?? server.lock, tools)),
      html`<code>${showText(address)}</code>`,
    ],
  };
}

const EMPTY: Markup = html`<section class="empty">
  <h2>No server is behind a gate yet</h2>
  <p>Put the servers of a host behind gates, or start a gate yourself:</p>
  <pre>
plimsoll wrap .mcp.json
plimsoll gate -- npx -y @modelcontextprotocol/server-memory</pre>
  <p>Every gate that uses this ledger registers here when it starts.</p>
</section>`;
