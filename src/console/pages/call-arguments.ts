/** The arguments of a call, as far as the ledger keeps them, one leaf a row, every character visible. */
import { html } from 'hono/html';
import type { ArgumentLine } from '../../gate/approve/argument-lines.ts';
import { toArgumentLines } from '../../gate/approve/argument-lines.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';
import type { Markup } from '../page.ts';

/** Keeps a page light, however much was sent. */
const MOST_LINES = 200;

export function callArguments({ args, salt }: ReceiptRow): Markup {
  return html`<section aria-labelledby="arguments">
    <h2 id="arguments">Arguments</h2>
    ${args === '' ? notKept(salt) : toTable(args)}
  </section>`;
}

function notKept(salt: string): Markup {
  return salt === ''
    ? html`<p>They are not kept, or were forgotten.</p>`
    : html`<p>
        Only a salted digest of them is kept: whoever has them can show that they were these, and
        nobody can guess them from it.
      </p>`;
}

function toTable(args: string): Markup {
  const { lines } = toArgumentLines(args);
  const rest = lines.length - MOST_LINES;
  return html`<div class="scroll" role="region" aria-label="Arguments, leaf by leaf" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          ${lines.slice(0, MOST_LINES).map(toRow)}
        </tbody>
      </table>
    </div>
    ${rest > 0 ? html`<p>And ${rest} more.</p>` : ''}`;
}

function toRow({ pointer, value, cut }: ArgumentLine): Markup {
  return html`<tr>
    <th scope="row"><code>${pointer === '' ? '(all)' : pointer}</code></th>
    <td>
      <code>${value}</code>
      ${
        cut === undefined
          ? ''
          : html`… ${cut.omittedBytes} bytes left out … <code>${cut.tail}</code>`
      }
    </td>
  </tr>`;
}
