/** Calls as rows, each with a link to its story. What others wrote is made visible. */
import { html } from 'hono/html';
import { isTier } from '../../effect/tier.ts';
import { showText } from '../../gate/approve/show-text.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';
import type { Markup } from '../page.ts';
import { tierTag } from './tier-tag.ts';
import { when } from './when.ts';

/** `label` names the table for those who cannot see it. */
export function callsTable(calls: readonly ReceiptRow[], label: string): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">At, UTC</th>
          <th scope="col">It</th>
          <th scope="col">Server</th>
          <th scope="col">Tool</th>
          <th scope="col">Who</th>
          <th scope="col">Decision</th>
          <th scope="col">Outcome</th>
          <th scope="col">World</th>
        </tr>
      </thead>
      <tbody>
        ${calls.map(toRow)}
      </tbody>
    </table>
  </div>`;
}

function toRow(row: ReceiptRow): Markup {
  const { seq, id, at, tier, server, operation, principal, decision, outcome } = row;
  return html`<tr>
    <th scope="row"><a href="/calls/${encodeURIComponent(id)}">${seq}</a></th>
    <td>${when(at)}</td>
    <td>${isTier(tier) ? tierTag(tier) : showText(tier)}</td>
    <td>${showText(server)}</td>
    <td><code>${showText(operation)}</code></td>
    <td>${showText(principal)}</td>
    <td>${showText(decision)}</td>
    <td>${showText(outcome)}</td>
    <td>${row.open_world === 1 ? 'open' : ''}</td>
  </tr>`;
}
