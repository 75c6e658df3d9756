/** The lines of a unified diff, marked by sign and element, never by colour alone. */
import { html } from 'hono/html';
import type { Markup } from '../page.ts';

/** `diff` has every character visible already. */
export function diffLines(diff: string): Markup {
  const lines = diff.replace(/\n$/, '').split('\n').slice(2); // without the labels
  return html`<pre class="diff">
${lines.map((line) => {
  if (line.startsWith('+')) return html`<ins>${`${line}\n`}</ins>`;
  return line.startsWith('-') ? html`<del>${`${line}\n`}</del>` : `${line}\n`;
})}</pre>`;
}
