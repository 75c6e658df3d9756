/** What holds beyond one call: grants, and the browsers that are signed in; each can be ended here. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { describeGrant } from '../../gate/approvals/grants.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { GrantRow } from '../../ledger/tables.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import type { Sessions, SignedIn } from '../door/sessions.ts';
import type { Markup } from '../page.ts';
import { page, refuse } from '../page.ts';
import { when } from './parts.ts';

export function registerAccess(
  app: Hono<Env>,
  { approvals }: ConsoleServices,
  sessions: Sessions,
): void {
  app.get('/access', async (context) => {
    const signedIn = await sessions.list();
    const csrf = context.get('csrf');
    const body = html`${grantsSection(await approvals.listGrants(), csrf)}
    ${sessionsSection(signedIn, context.get('session'), csrf)}`;
    return context.html(page({ title: 'Access', active: '/access', body }));
  });
  app.post('/access/grants/:id', async (context) => {
    const by = { approver: context.get('who'), channel: 'console' } as const;
    const isGone = await approvals.revokeGrant(context.req.param('id'), by);
    if (!isGone) return refuse(context, toProblem('not-found', 'No such grant.'));
    return context.redirect('/access', 303);
  });
  app.post('/access/sessions/:id', async (context) => {
    const isGone = await sessions.revoke(context.req.param('id'));
    if (!isGone) return refuse(context, toProblem('not-found', 'No such session.'));
    return context.redirect('/access', 303);
  });
}

function grantsSection(grants: readonly GrantRow[], csrf: string): Markup {
  return html`<section aria-labelledby="grants">
    <h2 id="grants">Approved beyond one call</h2>
    ${grants.length === 0 ? html`<p class="hint">Nothing: every call that asks waits for you.</p>` : ''}
    <ul class="list">
      ${grants.map(
        (grant) =>
          html`<li data-grant="${grant.id}">
            <p>
              <code>${showText(grant.server)}</code> / <code>${showText(grant.tool)}</code> for
              <code>${showText(grant.principal)}</code>
              <br /><small
                >${describeGrant(grant)}, until ${when(grant.expires_at)}; approved by
                ${showText(grant.approver)}
                ${when(grant.created_at)}${grant.used_at === 0 ? ', not used yet' : html`, last used ${when(grant.used_at)}`}</small
              >
            </p>
            <form method="post" action="/access/grants/${grant.id}">
              <input type="hidden" name="csrf" value="${csrf}" />
              <button>Revoke</button>
            </form>
          </li>`,
      )}
    </ul>
  </section>`;
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
