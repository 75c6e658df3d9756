/** How many tools of a server there are of each tier, each with a link to them. */
import { html } from 'hono/html';
import type { ToolView } from '../data/list-tools-view.ts';
import { toQuery } from '../data/tool-filter.ts';
import type { Markup } from '../page.ts';
import { tierTag } from './tier-tag.ts';

/** `tools` come gravest first. */
export function tierCounts(server: string, tools: readonly ToolView[]): Markup {
  if (tools.length === 0) return html`none known yet`;
  return html`<ul class="counts">
    ${[...Map.groupBy(tools, ({ tier }) => tier)].map(
      ([tier, those]) =>
        html`<li>
          <a href="/tools${toQuery({ server, tier })}">${tierTag(tier)} <b>${those.length}</b></a>
        </li>`,
    )}
  </ul>`;
}
