/** A table with a bar in each row, for counts by name. The figure stands beside its bar. */
import { html } from 'hono/html';
import type { Markup } from '../page.ts';

interface RowsOfBarsInit {
  readonly caption: string;
  readonly name: string;
  readonly rows: readonly BarRow[];
  /** The name of a CSS variable. */
  readonly colour: string;
}

interface BarRow {
  /** Made visible already, where others wrote it. */
  readonly label: string;
  readonly count: number;
}

const WIDTH = 240;

export function rowsOfBars({ caption, name, rows, colour }: RowsOfBarsInit): Markup {
  const largest = Math.max(1, ...rows.map(({ count }) => count));
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">${name}</th>
        <th scope="col">Calls</th>
        <td aria-hidden="true"></td>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ label, count }) =>
          html`<tr>
            <th scope="row">${label}</th>
            <td>${count}</td>
            <td aria-hidden="true">
              <svg viewBox="0 0 ${WIDTH} 10" width="${WIDTH}" height="10">
                <rect
                  width="${Math.max(1, Math.round((count / largest) * WIDTH))}"
                  height="10"
                  fill="var(${colour})"
                ></rect>
              </svg>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
