/** Calls: what was called, by whom and how it ended, with filters, page by page, and as a download. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { TIERS, TIER_NAMES, isTier } from '../../effect/tier.ts';
import type { QuestionEnds } from '../../gate/approvals/question-ends.ts';
import { describeDecision, readQuestionEnds } from '../../gate/approvals/question-ends.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { FoundReceipt } from '../../ledger/tables.ts';
import { PROBLEMS } from '../../lib/problem-catalog.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import type { CallFilter, FilterReading } from '../data/call-filter.ts';
import { DECISIONS, readFilter, toQuery, toTimeText } from '../data/call-filter.ts';
import type { ExportFormat } from '../data/export-calls.ts';
import { EXPORT_FORMATS, exportCalls } from '../data/export-calls.ts';
import type { CallPage } from '../data/find-calls.ts';
import { findSomeCalls } from '../data/find-calls.ts';
import { readBody } from '../door/check-request.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { dataTable } from './data-table.ts';
import type { Choice } from './parts.ts';
import { TIER_MARKS, selectField, tierTag, when, withSeparators } from './parts.ts';

const A_PAGE = 50;

export function registerCalls(app: Hono<Env>, services: ConsoleServices): void {
  const { store } = services.ledger;
  app.get('/calls', async (c) => {
    const query = c.req.query();
    const reading = readFilter(query);
    const before = toNumber(query['before']);
    const found = await findSomeCalls(store, reading.filter, {
      ...(before !== undefined && { before }),
      limit: A_PAGE,
    });
    const isBare = before === undefined && toQuery(reading.filter) === '';
    const servers = services.servers().map(({ name }) => name);
    const ends = await readQuestionEnds(store, found.calls);
    const body =
      isBare && found.calls.length === 0 && reading.faults.length === 0
        ? emptyState()
        : html`${callsFilterForm(reading.filter, servers)}
          ${listing({ found, ends }, reading, before !== undefined)}`;
    return c.html(page({ title: 'Calls', active: '/calls', body }));
  });
  app.get('/calls/export', (c) => {
    const query = c.req.query();
    const { filter, faults } = readFilter(query);
    // Otherwise a download with an ignored filter would pass for the requested one.
    if (faults.length > 0) return c.text(`${faults.join('\n')}\n`, 400);
    const format: ExportFormat = query['format'] === 'ocsf' ? 'ocsf' : 'jsonl';
    return c.body(exportCalls(store, filter, format), 200, {
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': `attachment; filename="plimsoll-calls.${EXPORT_FORMATS[format].ending}"`,
    });
  });
}

interface Found {
  readonly found: CallPage;
  readonly ends: QuestionEnds;
}

function listing(
  { found, ends }: Found,
  { filter, faults }: FilterReading,
  isOlder: boolean,
): Markup {
  const { calls } = found;
  const none =
    found.next === undefined && !isOlder
      ? html`<p>No matching calls. <a href="/calls">Show all</a></p>`
      : html`<p>None here.</p>`;
  return html`${faults.map((fault) => html`<p role="alert">${fault}</p>`)}
  ${calls.length === 0 ? none : callsTable({ calls, ends }, 'Calls')}
  ${pager(found, filter, isOlder)} ${calls.length === 0 ? '' : exports(filter)}`;
}

/** Why it ends here, and what helps. */
function cutNote({ calls, unindexed }: CallPage): Markup {
  const matched = calls.length === 0 ? 'none' : `only ${calls.length}`;
  const rest =
    unindexed === undefined
      ? 'There may be older ones.'
      : `Below them are ${withSeparators(unindexed)} receipts that are not indexed yet. They are being indexed; reload the page to search them all.`;
  return html`<p role="status">
    Many calls were searched, and ${matched} of them matched. ${rest}
  </p>`;
}

function pager(found: CallPage, filter: CallFilter, isOlder: boolean): Markup {
  const { next, isCut } = found;
  const newest = toQuery(filter);
  return html`${isCut ? cutNote(found) : ''}
    <nav class="pager" aria-label="More calls">
      ${isOlder ? html`<a href="/calls${newest === '' ? '' : `?${newest}`}">Newest</a>` : ''}
      ${
        next === undefined
          ? ''
          : html`<a rel="next" href="/calls?${toQuery(filter, { before: String(next) })}"
              >${isCut ? 'Search older calls' : 'Older'}</a
            >`
      }
    </nav>`;
}

function exports(filter: CallFilter): Markup {
  return html`<p>
    All matching calls, as signed:
    ${Object.entries(EXPORT_FORMATS).map(
      ([format, { word }]) =>
        html`<a href="/calls/export?${toQuery(filter, { format })}" download>${word}</a> `,
    )}
  </p>`;
}

function emptyState(): Markup {
  return html`<section class="empty">
    <h2>No calls yet</h2>
    <p>
      Every call through the gate has a receipt here: who called what, what was decided, and how it
      ended. Let your agent call a tool of a server behind the gate, then reload.
    </p>
    <p><a href="/servers">See the servers</a> · <a href="/tools">See the tools</a></p>
  </section>`;
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The form that filters the list of calls. It is a GET and changes nothing. */
const TIER_CHOICES: readonly Choice[] = TIER_NAMES.toSorted(
  (a, b) => TIERS[b].severity - TIERS[a].severity,
).map((tier) => ({ value: tier, word: `${TIER_MARKS[tier].shape} ${TIER_MARKS[tier].word}` }));

const DECISION_CHOICES: readonly Choice[] = [...DECISIONS].map(([value, word]) => ({
  value,
  word,
}));

const OUTCOMES: readonly string[] = [
  'success',
  'tool-error',
  'input-required',
  ...Object.keys(PROBLEMS),
];

function callsFilterForm(filter: CallFilter, servers: readonly string[]): Markup {
  const { tier, server = '', operation = '', principal = '', decision, outcome = '' } = filter;
  return html`<form class="filters" method="get" action="/calls" role="search">
    ${selectField({ label: 'Tier', name: 'tier', choices: TIER_CHOICES, chosen: tier, any: 'any' })}
    <label>Server <input name="server" value="${server}" list="servers" /></label>
    <label>Tool <input name="operation" value="${operation}" /></label>
    <label>Caller <input name="principal" value="${principal}" /></label>
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

/** Seconds are shown only if the filter has them. */
function timeInput(name: string, time: number | undefined): Markup {
  const value = time === undefined ? '' : toTimeText(time);
  return html`<input type="datetime-local" name="${name}" value="${value}" step="any" />`;
}

interface Column {
  readonly head: string;
  readonly cell: (row: FoundReceipt, ends: QuestionEnds) => string | Markup;
  /** The same for all calls of one tool. */
  readonly isFixedByTool?: true;
}

const COLUMNS: readonly Column[] = [
  { head: 'At', cell: ({ at }) => when(at) },
  { head: 'Tier', cell: toTierCell },
  { head: 'Server', cell: ({ server }) => showText(server), isFixedByTool: true },
  {
    head: 'Tool',
    cell: ({ operation }) => html`<code>${showText(operation)}</code>`,
    isFixedByTool: true,
  },
  { head: 'Caller', cell: ({ principal }) => showText(principal) },
  { head: 'Decision', cell: (row, ends) => showText(describeDecision(row, ends)) },
  { head: 'Outcome', cell: ({ outcome }) => showText(outcome) },
  { head: 'World', cell: ({ open_world }) => (open_world === 1 ? 'open' : '') },
];

function toTierCell(row: FoundReceipt): string | Markup {
  if (readBody(row).isUnknown) return 'unknown';
  return isTier(row.tier) ? tierTag(row.tier) : showText(row.tier);
}

/** `label` names the table for screen readers. */
export function callsTable(
  { calls, ends }: { readonly calls: readonly FoundReceipt[]; readonly ends: QuestionEnds },
  label: string,
  { isOfOneTool = false }: { readonly isOfOneTool?: boolean } = {},
): Markup {
  const columns = COLUMNS.filter(({ isFixedByTool }) => !(isOfOneTool && isFixedByTool));
  const rows = calls.map((row) => ({
    cells: [
      html`<a href="/calls/${encodeURIComponent(row.id)}">${row.seq}</a>`,
      ...columns.map(({ cell }) => cell(row, ends)),
    ],
  }));
  return dataTable({ name: { label }, heads: ['Call', ...columns.map(({ head }) => head)], rows });
}
