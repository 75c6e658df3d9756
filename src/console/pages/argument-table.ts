/** The arguments of a call as a table. Everything in it is shown as text, with every character visible. */
import { html } from 'hono/html';
import type { ArgumentLine } from '../../gate/approvals/card.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { Markup } from '../page.ts';
import type { ArgumentRow } from './argument-rows.ts';
import { toArgumentRows } from './argument-rows.ts';

export function argumentTable(lines: readonly ArgumentLine[], caption: string): Markup {
  if (lines.length === 0) return html`<p class="hint">No arguments.</p>`;
  return table(toArgumentRows(lines), caption);
}

function table(rows: readonly ArgumentRow[], caption: string): Markup {
  return html`<table class="arguments">
    <caption>
      ${caption}
    </caption>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row">${path(row)}</th>
            <td>${toCell(row)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function toCell(row: ArgumentRow): Markup {
  switch (row.kind) {
    case 'leaf':
      return argumentValue(row.value);
    case 'text':
      return multiLine(row.text);
    case 'group':
      return html`${row.members.map(
        ({ key, value }, at) =>
          html`${at === 0 ? '' : ', '}${row.isList ? '' : html`<code class="member">${toKey(key)}</code> `}<code
              >${value}</code
            >`,
      )}`;
    case 'fold':
      return html`<details class="long">
        <summary>${row.rows.length} rows: open to read all</summary>
        ${table(row.rows, 'All of it')}
      </details>`;
  }
}

const LONGEST_OPEN = 1000;
const BEGINNING = 200;

/** A long value is folded, so that it pushes nothing out of sight, and opens in full. */
function argumentValue(value: string): Markup {
  if (value.length <= LONGEST_OPEN) return html`<code>${value}</code>`;
  return html`<details class="long">
    <summary>
      <code>${value.slice(0, BEGINNING).toWellFormed()}</code>… (${value.length} characters: open to
      read all)
    </summary>
    <code>${value}</code>
  </details>`;
}

const MOST_LINES = 12;
const FIRST_LINES = 4;

function multiLine(text: string): Markup {
  const lines = text.split('\n');
  // The first newline of a <pre> is not shown; this one stands in for it.
  const whole = html`<pre class="foreign">${`\n${lines.map(showLine).join('\n')}`}</pre>`;
  if (lines.length <= MOST_LINES && text.length <= LONGEST_OPEN) return whole;
  const first = lines.slice(0, FIRST_LINES).join('\n').slice(0, BEGINNING).toWellFormed();
  return html`<details class="long">
    <summary>
      ${lines.length} lines, ${text.length} characters: open to read all
      <pre class="foreign">${`\n${first.split('\n').map(showLine).join('\n')}`}</pre>
    </summary>
    ${whole}
  </details>`;
}

/** Tabs that indent a line hide nothing; any others are made visible. */
function showLine(line: string): string {
  const [indent = ''] = /^\t*/.exec(line) ?? [];
  return `${indent}${showText(line.slice(indent.length))}`;
}

/** Each key has its own box, so that no key can look like two. */
function path(row: ArgumentRow): Markup {
  const { pointer } = row;
  if (pointer === '') return html`(all)`;
  const keys = pointer.slice(pointer.indexOf('/') + 1).split('/');
  const beside = pointer.slice(0, pointer.indexOf('/'));
  const last =
    row.kind === 'group' && row.isList ? html` › <code>0–${row.members.length - 1}</code>` : '';
  return html`${beside}${keys.map(
    (key, index) => html`${index === 0 ? '' : ' › '}<code>${toKey(key)}</code>`,
  )}${last}`;
}

function toKey(key: string): string {
  return key === '' ? '""' : key.replaceAll('~1', '/').replaceAll('~0', '~');
}
