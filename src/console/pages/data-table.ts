/** A table of many columns: one row each on a wide screen, one block each on a narrow one, with the name of each column. */
import { html } from 'hono/html';
import type { Markup } from '../page.ts';

interface DataTable {
  /** The element that names it, or a name of its own for screen readers. */
  readonly name: { readonly labelledBy: string } | { readonly label: string };
  /** The first one names the rows. */
  readonly heads: readonly string[];
  readonly rows: readonly DataRow[];
}

export interface DataRow {
  readonly cells: readonly (string | Markup)[];
  readonly isCurrent?: boolean;
}

export function dataTable({ name, heads, rows }: DataTable): Markup {
  const named =
    'label' in name ? html`aria-label="${name.label}"` : html`aria-labelledby="${name.labelledBy}"`;
  return html`<div class="wide" role="group" ${named} tabindex="0">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => toRow(row, heads))}
      </tbody>
    </table>
  </div>`;
}

function toRow(
  { cells: [first = '', ...rest], isCurrent = false }: DataRow,
  heads: readonly string[],
): Markup {
  const cells = rest.map((cell, at) => html`<td data-head="${heads[at + 1] ?? ''}">${cell}</td>`);
  const current = isCurrent ? html` aria-current="true"` : '';
  // There are many of them, so they are written without spaces.
  return html`<tr${current}><th scope="row">${first}</th>${cells}</tr>`;
}
