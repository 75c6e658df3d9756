/** The name of a tool, made visible, as a link to its page. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import type { Markup } from '../page.ts';
import { toolPath } from './tool-path.ts';

export function toolLink(server: string, tool: string): Markup {
  const path = toolPath(server, tool);
  const name = html`<code>${showText(tool)}</code>`;
  return path === undefined ? name : html`<a href="${path}">${name}</a>`;
}
