/** Whether the record of a call is whole: the row by itself, and its place in the signed log. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';
import type { Integrity } from '../data/call-story.ts';
import type { Markup } from '../page.ts';

export function callIntegrity(row: ReceiptRow, { findings, inclusion }: Integrity): Markup {
  const isBroken = findings.length > 0 || inclusion.kind === 'refuted';
  return html`<section aria-labelledby="integrity">
    <h2 id="integrity">Integrity</h2>
    ${isBroken ? html`<p role="alert"><b>This record was changed after it was made.</b></p>` : ''}
    ${
      findings.length === 0
        ? html`<p>The receipt is what its hash says, and its columns say what it says.</p>`
        : html`<ul>
            ${findings.map(({ message }) => html`<li>${showText(message)}</li>`)}
          </ul>`
    }
    ${toPlace(row, inclusion)}
    <p>Leaf <code>${showText(row.leaf)}</code></p>
  </section>`;
}

function toPlace({ seq }: ReceiptRow, inclusion: Integrity['inclusion']): Markup {
  switch (inclusion.kind) {
    case 'proved': {
      const { size, proof, checkpoint } = inclusion.proof;
      return html`<p>It is in the signed log of ${size} receipts; the proof was recomputed now.</p>
        <details>
          <summary>The proof</summary>
          <pre>${proof.join('\n')}</pre>
          <pre>${checkpoint.trimEnd().split('\n').map(showText).join('\n')}</pre>
        </details>`;
    }
    case 'covered':
      return html`<p>
          A signed checkpoint of ${inclusion.size} receipts covers it. The log is long; to recompute
          the proof, run:
        </p>
        <pre>plimsoll audit show ${seq} --ledger LEDGER</pre>`;
    case 'unsigned':
      return html`<p>No checkpoint covers it yet; the next one will, within a minute or so.</p>`;
    case 'refuted':
      return html`<p>${showText(inclusion.detail)} To see where, run:</p>
        <pre>plimsoll audit verify --ledger LEDGER</pre>`;
  }
}
