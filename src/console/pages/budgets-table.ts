/** What is left of each budget, as a meter and figures. */
import { html } from 'hono/html';
import { toLedgerFlag } from '../../gate/approvals/waiting-text.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { KeyRecordRow } from '../../ledger/tables.ts';
import type { ConsoleServices } from '../console-services.ts';
import type { UnknownCalls } from '../data/call-story.ts';
import type { Pot } from '../data/usage-over-time.ts';
import type { Markup } from '../page.ts';
import type { DataRow } from './data-table.ts';
import { dataTable } from './data-table.ts';
import { limitWords, when } from './parts.ts';

export function budgetsTable(
  pots: readonly Pot[],
  { policy }: Pick<ConsoleServices, 'policy'>,
): Markup {
  const untouched = policy.budgets.filter((budget) => pots.every((pot) => pot.budget !== budget));
  return html`<section aria-labelledby="budgets">
    <h2 id="budgets">Budgets</h2>
    ${policy.budgets.length === 0 ? emptyState() : ''} ${pots.length === 0 ? '' : toTable(pots)}
    ${untouched.map(
      (budget) =>
        html`<p>${showText(budget.name)}: ${limitWords(budget)} for each caller. Not used yet.</p>`,
    )}
  </section>`;
}

function toTable(pots: readonly Pot[]): Markup {
  const heads = ['Budget', 'Whose', 'Used', 'Left', 'Resets'];
  return dataTable({ name: { label: 'Budgets and what is left' }, heads, rows: pots.map(toRow) });
}

function toRow({ budget, principal, tenant, used, endsAt }: Pot): DataRow {
  const { name, limit, shared } = budget;
  const owner =
    tenant === '' ? showText(principal) : `${showText(principal)} of ${showText(tenant)}`;
  const label = `${used} of ${limit} used`;
  return {
    cells: [
      showText(name),
      shared ? 'shared by all' : owner,
      html`<meter
          min="0"
          max="${limit}"
          high="${limit * 0.8}"
          value="${used}"
          aria-label="${label}"
        >
          ${label}
        </meter>
        ${used} of ${limitWords(budget)}`,
      String(Math.max(0, limit - used)),
      when(endsAt),
    ],
  };
}

function emptyState(): Markup {
  return html`<div class="empty">
    <p>The policy sets no budget. One stops an agent that calls too much or too often:</p>
    <pre>
budgets:
  - name: calls per day
    counts: calls
    limit: 500
    per: day</pre>
  </div>`;
}

/**
 * Calls with an unknown outcome, and how to resolve them. Read-only: a person resolves them in the
 * terminal.
 */
export function unknownCalls({ keyRecords, hasMore }: UnknownCalls, ledgerHint?: string): Markup {
  const flag = toLedgerFlag(ledgerHint);
  return html`<section aria-labelledby="unknown">
    <h2 id="unknown">Unknown outcomes</h2>
    ${
      keyRecords.length === 0
        ? html`<p class="empty">
            None. A call is listed here when it was sent and no answer arrived, so that it is not
            known whether it happened. Ordinary writes without a key are not tracked.
          </p>`
        : html`<p>
              These calls were sent, and it is not known whether they happened. They are not retried
              automatically. Check the system they act on, then record what you found:
            </p>
            ${keyRecords.map((keyRecord) => toItem(keyRecord, flag))}`
    }
    ${hasMore ? html`<p>There are more: <code>plimsoll ledger unknown${flag}</code></p>` : ''}
  </section>`;
}

function toItem(
  { id, operation, principal, key_hint, updated_at }: KeyRecordRow,
  flag: string,
): Markup {
  return html`<article>
    <h3><code>${showText(operation)}</code></h3>
    <p>
      By ${principal === '' ? 'an anonymous caller' : showText(principal)}, key
      ${showText(key_hint)}…, unknown since ${when(updated_at)}
    </p>
    <pre>
plimsoll ledger resolve ${showText(id)} --as executed --reason "…"${flag}
plimsoll ledger resolve ${showText(id)} --as not-executed --reason "…"${flag}</pre>
  </article>`;
}
