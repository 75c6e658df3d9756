/** The last calls of a tool, each with a link to its story. */
import { html } from 'hono/html';
import { isTier } from '../../effect/tier.ts';
import { showText } from '../../gate/approve/show-text.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';
import { toQuery } from '../data/call-filter.ts';
import type { Markup } from '../page.ts';
import { tierTag } from './tier-tag.ts';

export interface ToolCallsInit {
  readonly server: string;
  readonly tool: string;
  readonly calls: readonly ReceiptRow[];
}

export function toolCalls({ server, tool, calls }: ToolCallsInit): Markup {
  if (calls.length === 0)
    return html`<p>Nobody has called it yet. Its calls are listed here as they come.</p>`;
  return html`<div class="wide" role="group" aria-labelledby="calls" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">At</th>
            <th scope="col">It</th>
            <th scope="col">Who</th>
            <th scope="col">Decision</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          ${calls.map(toRow)}
        </tbody>
      </table>
    </div>
    <p><a href="/calls?${toQuery({ server, operation: tool })}">All its calls</a></p>`;
}

function toRow({ seq, id, at, tier, principal, decision, outcome }: ReceiptRow): Markup {
  const time = new Date(at).toISOString();
  return html`<tr>
    <th scope="row"><a href="/calls/${encodeURIComponent(id)}">${seq}</a></th>
    <td><time datetime="${time}">${time.slice(0, 19).replace('T', ' ')}</time></td>
    <td>${isTier(tier) ? tierTag(tier) : showText(tier)}</td>
    <td>${showText(principal)}</td>
    <td>${decision}</td>
    <td>${showText(outcome)}</td>
  </tr>`;
}
