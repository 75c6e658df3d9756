/** The frame of every page: head, navigation, logo. `html` escapes what is inside. */
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { showText } from '../gate/approvals/show-text.ts';
import type { Problem } from '../lib/problem.ts';
import { toProblemResponse } from '../serve/http/http-problem.ts';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

interface PageInit {
  readonly title: string;
  /** The path of the entry in the navigation. */
  readonly active: string;
  readonly body: Markup;
}

const ENTRIES = [
  { path: '/', word: 'Waiting' },
  { path: '/tools', word: 'Tools' },
  { path: '/calls', word: 'Calls' },
  { path: '/spend', word: 'Spend' },
  { path: '/servers', word: 'Servers' },
  { path: '/access', word: 'Access' },
] as const;

/** The load line: a circle crossed by a bar. */
const MARK: Markup = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
  <circle cx="12" cy="12" r="7" fill="none" stroke="currentColor" stroke-width="2"></circle>
  <path d="M1 12h22" stroke="currentColor" stroke-width="2"></path>
</svg>`;

/** Outside the template: bundlers rewrite templates that end a script. */
const SCRIPT: Markup = raw('<script src="/assets/console.js" defer></script>');

export function page({ title, active, body }: PageInit): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Plimsoll</title>
        <link rel="icon" href="/assets/mark.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/console.css" />
        ${SCRIPT}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the page</a>
        <header>
          <a class="home" href="/">${MARK}<span>Plimsoll</span></a>
          <nav aria-label="Pages">
            ${ENTRIES.map(
              ({ path, word }) =>
                html`<a href="${path}" ${path === active ? html`aria-current="page"` : ''}
                  >${word}</a
                >`,
            )}
          </nav>
        </header>
        <main id="main">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
}

/** How the console refuses: problem+json for scripts, a page with the same text for people. */
export function refuse(context: Context, problem: Problem): Response | Promise<Response> {
  if (problem.code === 'method-not-allowed') context.header('allow', 'GET, HEAD, POST');
  if (!wantsPage(context)) return toProblemResponse(problem);
  const body = html`<section class="empty">
    <p>${showText(problem.detail)}</p>
    <p><a href="/">See waiting calls</a></p>
  </section>`;
  // Every problem has a status that carries a body.
  const status = problem.status as ContentfulStatusCode;
  return context.html(page({ title: problem.title, active: '', body }), status);
}

function wantsPage({ req }: Context): boolean {
  const isScript = req.path.startsWith('/api') || req.path.startsWith('/assets');
  return !isScript && (req.header('accept') ?? '').includes('text/html');
}
