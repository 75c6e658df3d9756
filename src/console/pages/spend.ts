/** Spend and budgets: calls by tier over time, spends by server, budgets left, and unknown outcomes. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Tier } from '../../effect/tier.ts';
import { TIER_NAMES, TIERS } from '../../effect/tier.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import type { Store } from '../../ledger/store.ts';
import type { Series } from '../charts/bars.ts';
import { rowsOfBars, stackedBars } from '../charts/bars.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import { toQuery } from '../data/call-filter.ts';
import { listUnknown } from '../data/call-story.ts';
import type { Bucket, Count, UsageSpan } from '../data/usage-over-time.ts';
import { readBudgetsLeft, openUsage } from '../data/usage-over-time.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { budgetsTable, unknownCalls } from './budgets-table.ts';
import { TIER_MARKS } from './parts.ts';

const SPANS: Readonly<Record<UsageSpan, { readonly words: string; readonly unit: string }>> =
  Object.freeze({
    day: { words: 'last 24 hours', unit: 'Hour, UTC' },
    month: { words: 'last 30 days', unit: 'Day, UTC' },
  });

const SERIES: readonly Series[] = TIER_NAMES.toSorted(
  (a, b) => TIERS[a].severity - TIERS[b].severity,
).map((tier) => ({ key: tier, ...TIER_MARKS[tier] }));

/** The tiers that move money: a repeat of such a call must be covered by a key. */
const SPENDS: readonly Tier[] = TIER_NAMES.filter((tier) => TIERS[tier].needsRepeatContract);

const MOST_SERVERS = 20;

export function registerSpend(app: Hono<Env>, services: ConsoleServices): void {
  const usage = openUsage(services.ledger.store);
  app.get('/spend', async (c) => {
    const span: UsageSpan = c.req.query('span') === 'month' ? 'month' : 'day';
    const buckets = await usage.read(span, services.now());
    const [oldest] = buckets;
    const { store } = services.ledger;
    const money = await readMoneyByServer(store, SPENDS, {
      start: oldest?.start ?? 0,
      end: services.now() + 1,
    });
    const pots = await readBudgetsLeft(services);
    const unknown = await listUnknown(store);
    const body = html`${spanLinks(span)} ${overTime(buckets, span)} ${byServer(buckets, span)}
    ${moneyTable(money)} ${budgetsTable(pots, services)} ${unknownCalls(unknown)}`;
    return c.html(page({ title: 'Spend and budgets', active: '/spend', body }));
  });
}

function spanLinks(span: UsageSpan): Markup {
  return html`<nav class="pager" aria-label="Span of time">
    ${Object.entries(SPANS).map(
      ([name, { words }]) =>
        html`<a href="/spend?span=${name}" ${name === span ? html`aria-current="page"` : ''}
          >${words}</a
        > `,
    )}
  </nav>`;
}

function overTime(buckets: readonly Bucket[], span: UsageSpan): Markup {
  const { words, unit } = SPANS[span];
  const bars = buckets.map(({ start, counts }) => ({
    label: toLabel(start, span),
    values: sumBy(counts.filter(hasRun), ({ tier }) => tier),
  }));
  const others = sumBy(
    buckets.flatMap(({ counts }) => counts.filter((count) => !hasRun(count))),
    ({ decision }) => decision,
  );
  const isEmpty = bars.every(({ values }) => values.size === 0);
  return html`<section aria-labelledby="over-time">
    <h2 id="over-time">Calls by tier, ${words}</h2>
    ${
      isEmpty
        ? html`<p class="empty">
            No calls ran in this time. Once an agent calls tools through the gate, they are counted
            here by tier. <a href="/servers">See the servers</a>
          </p>`
        : stackedBars({
            id: 'calls-by-tier',
            title: `Calls that ran in the ${words}, by tier`,
            unit,
            series: SERIES,
            bars,
          })
    }
    ${
      others.size === 0
        ? ''
        : html`<p>
            Not run:
            ${[...others].map(([decision, count]) => `${count} ${showText(decision)}`).join(', ')}
          </p>`
    }
  </section>`;
}

function byServer(buckets: readonly Bucket[], span: UsageSpan): Markup {
  const spends = buckets.flatMap(({ counts }) =>
    counts.filter((count) => hasRun(count) && SPENDS.includes(count.tier)),
  );
  const rows = [...sumBy(spends, ({ server }) => server)]
    .map(([server, count]) => ({
      label: server === '' ? '(without a gate)' : showText(server),
      count,
    }))
    .toSorted((a, b) => b.count - a.count);
  const [tier = 'external_spend'] = SPENDS;
  const more = rows.length - MOST_SERVERS;
  return html`<section aria-labelledby="by-server">
    <h2 id="by-server">Spends by server, ${SPANS[span].words}</h2>
    ${
      rows.length === 0
        ? html`<p class="empty">Nothing was spent through the gate in this time.</p>`
        : html`${rowsOfBars({
              caption: 'Calls that may have moved money',
              name: 'Server',
              rows: rows.slice(0, MOST_SERVERS),
              colour: TIER_MARKS[tier].colour,
            })}
            ${more > 0 ? html`<p>And ${more} more servers.</p>` : ''}
            <p><a href="/calls?${toQuery({ tier })}">See these calls</a></p>`
    }
  </section>`;
}

/** Amounts of different units are never added. */
function moneyTable({ sums, unknown }: Awaited<ReturnType<typeof readMoneyByServer>>): Markup | '' {
  if (sums.length === 0 && unknown === 0) return '';
  return html`<section aria-labelledby="money">
    <h2 id="money">Money by server</h2>
    ${
      sums.length === 0
        ? ''
        : html`<table>
            <caption>
              What the servers' estimates told before the calls ran
            </caption>
            <thead>
              <tr>
                <th scope="col">Server</th>
                <th scope="col">Amount</th>
                <th scope="col">Calls</th>
              </tr>
            </thead>
            <tbody>
              ${sums.slice(0, MOST_SERVERS).map(moneyRow)}
            </tbody>
          </table>`
    }
    ${unknown === 0 ? '' : html`<p>${unknown} more without a known price.</p>`}
  </section>`;
}

function moneyRow({ server, amount, unit, calls }: ServerMoney): Markup {
  return html`<tr>
    <th scope="row">${server === '' ? '(without a gate)' : showText(server)}</th>
    <td>${Number(amount.toFixed(6))} ${showText(unit)}</td>
    <td>${calls}</td>
  </tr>`;
}

/** A call that may have run counts: its money may have been spent. */
function hasRun({ decision }: Count): boolean {
  return decision === 'ran' || decision === 'unknown';
}

function sumBy(
  counts: readonly Count[],
  keyOf: (count: Count) => string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const count of counts) {
    const key = keyOf(count);
    sums.set(key, (sums.get(key) ?? 0) + count.count);
  }
  return sums;
}

function toLabel(start: number, span: UsageSpan): string {
  const text = new Date(start).toISOString();
  return span === 'day' ? text.slice(11, 16) : text.slice(5, 10);
}

/** Adds up what the calls of a span of time cost, by server and unit, as far as a price was known. */
interface ServerMoney {
  readonly server: string;
  /** Empty where the price had none. */
  readonly unit: string;
  readonly amount: number;
  readonly calls: number;
}

interface MoneyByServer {
  /** The largest amount of each unit first. */
  readonly sums: readonly ServerMoney[];
  /** Calls that may have cost something, nobody knows how much. */
  readonly unknown: number;
}

const MOST = 10_000;

/** A call that may have run counts: its money may have been spent. */
const DECISIONS: readonly Receipt['decision'][] = ['ran', 'unknown'];

async function readMoneyByServer(
  store: Store,
  tiers: readonly Tier[],
  { start, end }: { readonly start: number; readonly end: number },
): Promise<MoneyByServer> {
  const spent = `SELECT body FROM receipts WHERE at >= ? AND at < ? AND tier IN (${marks(tiers)})
    AND decision IN (${marks(DECISIONS)}) ORDER BY at DESC LIMIT ${MOST}`;
  const values = [start, end, ...tiers, ...DECISIONS];
  const rows = await store.transaction((tx) => tx.execute(spent, values));
  // Written from receipts; whether they are intact is for the audit to say.
  const receipts = rows.map(({ body }) => JSON.parse(String(body)) as Receipt);
  const known = receipts.filter(({ amount }) => amount !== undefined);
  const groups = Map.groupBy(known, ({ server = '', unit = '' }) => JSON.stringify([server, unit]));
  const sums = [...groups.values()].map((alike) => ({
    server: alike[0]?.server ?? '',
    unit: alike[0]?.unit ?? '',
    amount: alike.reduce((sum, { amount = 0 }) => sum + amount, 0),
    calls: alike.length,
  }));
  const ordered = sums.toSorted((a, b) => a.unit.localeCompare(b.unit) || b.amount - a.amount);
  return { sums: ordered, unknown: receipts.length - known.length };
}

function marks(values: readonly string[]): string {
  return values.map(() => '?').join(', ');
}
