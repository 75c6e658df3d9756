/** How the console says no: as problem+json to scripts, as a page with the same words to people. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { showText } from '../gate/approve/show-text.ts';
import type { Problem } from '../lib/problem.ts';
import { toProblemResponse } from '../serve/http/http-problem.ts';
import { page } from './page.ts';

export function refuse(context: Context, problem: Problem): Response | Promise<Response> {
  if (problem.code === 'method-not-allowed') context.header('allow', 'GET, HEAD, POST');
  if (!wantsPage(context)) return toProblemResponse(problem);
  const body = html`<section class="empty">
    <p>${showText(problem.detail)}</p>
    <p><a href="/">See what waits</a></p>
  </section>`;
  // Every problem has a status that carries a body.
  const status = problem.status as ContentfulStatusCode;
  return context.html(page({ title: problem.title, active: '', body }), status);
}

function wantsPage({ req }: Context): boolean {
  const isScript = req.path.startsWith('/api') || req.path.startsWith('/assets');
  return !isScript && (req.header('accept') ?? '').includes('text/html');
}
