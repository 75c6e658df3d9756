/** A moment on a page: to the second for people, in full for machines, always UTC. */
import { html } from 'hono/html';
import type { Markup } from '../page.ts';

/** Milliseconds since 1970. */
export function when(time: number): Markup {
  const text = new Date(time).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`;
}
