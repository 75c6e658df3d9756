/** Words of others, line by line, every character visible, nothing of it taken for markup. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import type { Markup } from '../page.ts';

const LONGEST = 20_000;

export function foreignText(text: string): Markup {
  const lines = text.slice(0, LONGEST).split('\n').map(showText).join('\n');
  const rest = text.length - LONGEST;
  return html`<pre class="foreign">${lines}</pre>
    ${rest > 0 ? html`<p>And ${rest} more characters.</p>` : ''}`;
}
