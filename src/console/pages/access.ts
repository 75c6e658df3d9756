/** Who is signed in to the console, and how to sign a browser out. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { showText } from '../../gate/approvals/show-text.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import type { Sessions, SignedIn } from '../door/sessions.ts';
import type { Markup } from '../page.ts';
import { page, refuse } from '../page.ts';
import { when } from './parts.ts';

export function registerAccess(app: Hono<Env>, _: ConsoleServices, sessions: Sessions): void {
  app.get('/access', async (context) => {
    const signedIn = await sessions.list();
    const body = sessionsSection(signedIn, context.get('session'), context.get('csrf'));
    return context.html(page({ title: 'Access', active: '/access', body }));
  });
  app.post('/access/sessions/:id', async (context) => {
    const isGone = await sessions.revoke(context.req.param('id'));
    if (!isGone) return refuse(context, toProblem('not-found', 'No such session.'));
    return context.redirect('/access', 303);
  });
}

function sessionsSection(rows: readonly SignedIn[], own: string, csrf: string): Markup {
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Signed-in browsers</h2>
    <ul class="list">
      ${rows.map(
        (row) =>
          html`<li data-session="${row.id}">
            <p>
              <strong>${showText(row.who)}</strong>
              ${row.id === own ? html`<em>this browser</em>` : ''}
              <br /><small>${row.browser === '' ? 'unknown browser' : showText(row.browser)}</small>
              <br /><small
                >at ${showText(row.place)}, signed in ${when(row.created_at)}, last used
                ${when(row.used_at)}</small
              >
            </p>
            <form method="post" action="/access/sessions/${row.id}">
              <input type="hidden" name="csrf" value="${csrf}" />
              <button>Sign out</button>
            </form>
          </li>`,
      )}
    </ul>
    <p class="hint">
      <code>plimsoll console --open</code> in a terminal signs another browser in. A session ends
      after 30 days without use, and after 90 days.
    </p>
    <p>
      <label hidden
        ><input type="checkbox" id="sound" /> Play a sound in this browser when a call waits</label
      >
    </p>
  </section>`;
}
