/** Calls: what was called, by whom and how it ended, with filters, page by page, and as a download. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ConsoleServices } from '../console-services.ts';
import type { CallFilter, FilterReading } from '../data/call-filter.ts';
import { readFilter, toQuery } from '../data/call-filter.ts';
import type { ExportFormat } from '../data/export-calls.ts';
import { EXPORT_FORMATS, exportCalls } from '../data/export-calls.ts';
import type { CallPage } from '../data/find-calls.ts';
import { findCalls } from '../data/find-calls.ts';
import type { Env } from '../env.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { callsFilterForm } from './calls-filter-form.ts';
import { callsTable } from './calls-table.ts';

const A_PAGE = 50;

export function registerCalls(app: Hono<Env>, services: ConsoleServices): void {
  const { store } = services.ledger;
  app.get('/calls', async (c) => {
    const query = c.req.query();
    const reading = readFilter(query);
    const before = toNumber(query['before']);
    const found = await findCalls(store, reading.filter, {
      ...(before !== undefined && { before }),
      limit: A_PAGE,
    });
    const isBare = before === undefined && toQuery(reading.filter) === '';
    const servers = services.servers().map(({ name }) => name);
    const body =
      isBare && found.calls.length === 0 && reading.faults.length === 0
        ? emptyState()
        : html`${callsFilterForm(reading.filter, servers)}
          ${listing(found, reading, before !== undefined)}`;
    return c.html(page({ title: 'Calls', active: '/calls', body }));
  });
  app.get('/calls/export', (c) => {
    const query = c.req.query();
    const { filter, faults } = readFilter(query);
    // A download of something else than was asked for would pass for what was asked for.
    if (faults.length > 0) return c.text(`${faults.join('\n')}\n`, 400);
    const format: ExportFormat = query['format'] === 'ocsf' ? 'ocsf' : 'jsonl';
    return c.body(exportCalls(store, filter, format), 200, {
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': `attachment; filename="plimsoll-calls.${EXPORT_FORMATS[format].ending}"`,
    });
  });
}

function listing(found: CallPage, { filter, faults }: FilterReading, isOlder: boolean): Markup {
  const { calls } = found;
  const none =
    found.next === undefined && !isOlder
      ? html`<p>No call is like that. <a href="/calls">Show all</a></p>`
      : html`<p>None here.</p>`;
  return html`${faults.map((fault) => html`<p role="alert">${fault}</p>`)}
  ${calls.length === 0 ? none : callsTable(calls, 'Calls')} ${pager(found, filter, isOlder)}
  ${calls.length === 0 ? '' : exports(filter)}`;
}

function pager({ next, isCut, calls }: CallPage, filter: CallFilter, isOlder: boolean): Markup {
  const newest = toQuery(filter);
  const cut = html`<p>
    Many calls had to be looked at, and ${calls.length === 0 ? 'none' : `only ${calls.length}`} of
    them fit. There may be more further back.
  </p>`;
  return html`${isCut ? cut : ''}
    <nav class="pager" aria-label="More calls">
      ${isOlder ? html`<a href="/calls${newest === '' ? '' : `?${newest}`}">Newest</a>` : ''}
      ${
        next === undefined
          ? ''
          : html`<a rel="next" href="/calls?${toQuery(filter, { before: String(next) })}"
              >${isCut ? 'Look further back' : 'Older'}</a
            >`
      }
    </nav>`;
}

function exports(filter: CallFilter): Markup {
  return html`<p>
    All calls like these, as they were signed:
    ${Object.entries(EXPORT_FORMATS).map(
      ([format, { word }]) =>
        html`<a href="/calls/export?${toQuery(filter, { format })}" download>${word}</a> `,
    )}
  </p>`;
}

function emptyState(): Markup {
  return html`<section class="empty">
    <h2>No call has been made yet</h2>
    <p>
      Every call through the gate leaves a receipt here: who called what, what was decided, and how
      it ended. Let your agent call a tool of a server behind the gate, and reload.
    </p>
    <p><a href="/servers">See the servers</a> · <a href="/tools">See the tools</a></p>
  </section>`;
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
