/** Coming in by a link from the terminal. A GET shows a button and changes nothing; only the button's POST uses the link up. */
import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Env } from '../env.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import type { EntryLinks } from './entry-links.ts';
import type { Sessions } from './sessions.ts';

export interface EnterOptions {
  readonly links: EntryLinks;
  readonly sessions: Sessions;
  readonly who: string;
  readonly cookie: (context: Context) => string;
}

const SPENT = 'This link was used already, or is older than ten minutes.';

export function registerEnter(app: Hono<Env>, options: EnterOptions): void {
  const { links, sessions, who, cookie } = options;
  app.get('/enter', (context) => {
    const token = context.req.query('token') ?? '';
    const isGood = links.isGood(token);
    if (!isGood && sessions.find(getCookie(context, cookie(context)) ?? '') !== undefined) {
      return context.redirect('/', 303);
    }
    return context.html(isGood ? entryPage(token, who) : spentPage(), isGood ? 200 : 403);
  });
  app.post('/enter', async (context) => {
    const { token } = await context.req.parseBody();
    if (typeof token !== 'string' || !links.use(token)) return context.html(spentPage(), 403);
    const name = cookie(context);
    // A session that the browser had before is not carried on.
    sessions.end(getCookie(context, name) ?? '');
    setCookie(context, name, sessions.start(who), {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure: name.startsWith('__Host-'),
    });
    return context.redirect('/', 303);
  });
}

function entryPage(token: string, who: string): Markup {
  const body = html`<section class="empty">
    <p>You come in as <strong>${who}</strong>, and can then answer for calls that wait.</p>
    <form method="post" action="/enter">
      <input type="hidden" name="token" value="${token}" />
      <button class="yes">Come in</button>
    </form>
  </section>`;
  return page({ title: 'Come in', active: '', body });
}

function spentPage(): Markup {
  const body = html`<section class="empty">
    <p>${SPENT}</p>
    <p>Load <a href="/">the console</a> once more: the terminal then shows a new link.</p>
  </section>`;
  return page({ title: 'The link is spent', active: '', body });
}
