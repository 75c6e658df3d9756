/** Spend and budgets: calls by tier over time, spends by server, budgets left, and unknown outcomes. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Tier } from '../../effect/tier.ts';
import { TIER_NAMES, TIERS } from '../../effect/tier.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { CallCount } from '../../ledger/receipts/count-calls.ts';
import { hasRun, isSpend } from '../../ledger/receipts/count-calls.ts';
import type { Series } from '../charts/bars.ts';
import { rowsOfBars, stackedBars } from '../charts/bars.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import { toQuery } from '../data/call-filter.ts';
import { listUnknown } from '../data/call-story.ts';
import type { ServerMoney, UsageOverTime, UsageSpan } from '../data/usage-over-time.ts';
import { readBudgetsLeft, readUsageOverTime } from '../data/usage-over-time.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { budgetsTable, unknownCalls } from './budgets-table.ts';
import { TIER_MARKS, withSeparators } from './parts.ts';

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
  const { store } = services.ledger;
  app.get('/spend', async (c) => {
    const span: UsageSpan = c.req.query('span') === 'month' ? 'month' : 'day';
    const { buckets, money, missing } = await readUsageOverTime(store, span, services.now());
    const pots = await readBudgetsLeft(services);
    const unknown = await listUnknown(store);
    const body = html`${spanLinks(span)} ${notCounted(missing)} ${overTime(buckets, span)}
    ${byServer(buckets, span)} ${moneyTable(money)} ${budgetsTable(pots, services)}
    ${unknownCalls(unknown, services.ledgerHint)}`;
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

function notCounted(missing: number): Markup | '' {
  if (missing === 0) return '';
  return html`<p role="status">
    Up to ${withSeparators(missing)} of the newest calls are not counted here yet. They are being
    counted; reload the page to see them.
  </p>`;
}

function overTime(buckets: UsageOverTime['buckets'], span: UsageSpan): Markup {
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

function byServer(buckets: UsageOverTime['buckets'], span: UsageSpan): Markup {
  const spends = buckets.flatMap(({ counts }) => counts.filter(isSpend));
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
function moneyTable({ sums, unknown }: UsageOverTime['money']): Markup | '' {
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

function sumBy(
  counts: readonly CallCount[],
  keyOf: (count: CallCount) => string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const count of counts) {
    const key = keyOf(count);
    sums.set(key, (sums.get(key) ?? 0) + count.calls);
  }
  return sums;
}

function toLabel(start: number, span: UsageSpan): string {
  const text = new Date(start).toISOString();
  return span === 'day' ? text.slice(11, 16) : text.slice(5, 10);
}
