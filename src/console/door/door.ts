/**
 * The only entrance to the console: every request is checked here before any page or API handler sees
 * it.
 */
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { isSameInConstantTime } from '../../lib/secret.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Secret } from '../../lib/secret.ts';
import { bearerOf } from '../../serve/http/guard.ts';
import type { Env } from '../console-services.ts';
import { ALIVE_PATH } from '../running-console.ts';
import type { Markup } from '../page.ts';
import { page, refuse } from '../page.ts';
import type { OwnHosts } from './check-request.ts';
import { checkRequest, isApi, isRead, securityHeaders } from './check-request.ts';
import type { EntryLinks, Session, Sessions } from './sessions.ts';
import { SESSION_MS } from './sessions.ts';

export interface DoorOptions {
  readonly hosts: OwnHosts;
  /** The one of them where people sign in. At the others, scripts may use the API. */
  readonly home: () => string;
  readonly links: EntryLinks;
  readonly sessions: Sessions;
  /** The name of the user who signs in by a link. */
  readonly who: string;
  /** Lets scripts use the API. Default: only signed-in browsers may. */
  readonly apiToken?: Secret;
  /** Called when a visitor is not signed in, so that a new link can be shown. */
  readonly onKnock: () => Promise<void>;
  readonly cookie: () => string;
  /** Shows a gate that this is the console of its ledger. */
  readonly prove: (nonce: string) => string;
}

const LARGEST = 256 * 1024;

export function registerDoor(app: Hono<Env>, options: DoorOptions): void {
  app.use(securityHeaders());
  app.use(guard(options));
  app.use(
    bodyLimit({
      maxSize: LARGEST,
      onError: (context) =>
        refuse(
          context,
          toProblem('payload-too-large', 'The body is too large.', { limit: LARGEST }),
        ),
    }),
  );
  app.get(ALIVE_PATH, (context) => context.text(options.prove(context.req.query('nonce') ?? '')));
  app.use(requireHome(options));
  registerEnter(app, options);
  app.use(requireSession(options));
}

function guard({ hosts }: DoorOptions): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { req } = context;
    const problem = checkRequest(
      {
        method: req.method,
        path: req.path,
        host: req.header('host'),
        origin: req.header('origin'),
        site: req.header('sec-fetch-site'),
        type: req.header('content-type'),
        hasBearer: isApi(req.path) && bearerOf(req.header('authorization')) !== undefined,
      },
      hosts,
    );
    return problem === undefined ? next() : refuse(context, problem);
  };
}

/**
 * A browser sends what it holds for 127.0.0.1 to every port of it, and each of them may belong to
 * somebody else. So nobody signs in there, and no session is looked for. Where people do is not told:
 * anyone on this machine can ask.
 */
function requireHome({ home, onKnock }: DoorOptions): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { method, path } = context.req;
    const isHome = context.req.header('host')?.toLowerCase() === home();
    const isAsset = path.startsWith('/assets/') && isRead(method);
    const isScript = isApi(path) && bearerOf(context.req.header('authorization')) !== undefined;
    if (isHome || isAsset || isScript) return next();
    await onKnock();
    return refuse(context, toSignIn(path));
  };
}

/** Assets reveal nothing and are always served, so that a refusal page is readable. */
function requireSession(options: DoorOptions): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { method, path } = context.req;
    if (path.startsWith('/assets/') && isRead(method)) return next();
    const bearer = isApi(path) ? bearerOf(context.req.header('authorization')) : undefined;
    if (bearer !== undefined) {
      if (options.apiToken === undefined || !isSame(bearer, options.apiToken)) {
        return refuse(
          context,
          toProblem('token-rejected', 'The token is not valid for this console.'),
        );
      }
      context.set('who', `${options.who}, by a script`);
      context.set('csrf', '');
      context.set('session', '');
      return next();
    }
    const session = await options.sessions.find(getCookie(context, options.cookie()) ?? '');
    if (session === undefined) {
      await options.onKnock();
      return refuse(context, toSignIn(path));
    }
    if (!isRead(method) && !isSameInConstantTime(await csrfOf(context), session.csrf)) {
      return refuse(
        context,
        toProblem('forbidden', isApi(path) ? NO_CSRF : STALE_FORM, {
          remedy: isApi(path)
            ? 'Send X-Plimsoll-Csrf, or the API token.'
            : 'Reload the page and send the form again.',
        }),
      );
    }
    enter(context, session);
    return next();
  };
}

function toSignIn(path: string): Problem {
  const [detail, remedy] = isApi(path) ? NO_TOKEN : NOT_SIGNED_IN;
  return toProblem('unauthenticated', detail, { remedy });
}

/** Pages show the first text only. */
const NOT_SIGNED_IN = [
  'You are not signed in. Run plimsoll console --open in a terminal: it opens this console in your browser and ' +
    'signs the browser in, once for 90 days. ' +
    'The terminal where the gate or the console runs now shows a new link as well.',
  'Run plimsoll console --open in a terminal.',
] as const;
const NO_TOKEN = [
  'The request has no API token and no session.',
  'Send the API token as Authorization: Bearer …; plimsoll console --api-token-env NAME takes it from the variable NAME.',
] as const;
const NO_CSRF =
  'A request with the cookie of a browser needs the header X-Plimsoll-Csrf with the csrf of GET /api/session. Nothing was ' +
  'done; a script sends the API token as Authorization: Bearer … instead.';
const STALE_FORM = 'The form does not belong to this session. Nothing was done; reload the page.';

function enter(context: Context<Env>, { id, who, csrf }: Session): void {
  context.set('who', who);
  context.set('session', id);
  context.set('csrf', csrf);
}

async function csrfOf(context: Context<Env>): Promise<string> {
  if (isApi(context.req.path)) return context.req.header('x-plimsoll-csrf') ?? '';
  const { csrf } = await context.req.parseBody();
  return typeof csrf === 'string' ? csrf : '';
}

function isSame(given: string, secret: Secret): boolean {
  return isSameInConstantTime(given, secret.reveal());
}

/**
 * Signing in with a link from the terminal. A GET shows a button and changes nothing; only the button's
 * POST uses the link.
 */
interface EnterOptions {
  readonly links: EntryLinks;
  readonly sessions: Sessions;
  readonly who: string;
  readonly cookie: () => string;
}

const SPENT = 'This link has already been used, or is older than ten minutes.';

function registerEnter(app: Hono<Env>, options: EnterOptions): void {
  const { links, sessions, who, cookie } = options;
  app.get('/enter', async (context) => {
    const token = context.req.query('token') ?? '';
    const isGood = await links.isGood(token);
    const isIn = (await sessions.find(getCookie(context, cookie()) ?? '')) !== undefined;
    if (!isGood && isIn) return context.redirect('/', 303);
    return context.html(isGood ? entryPage(token, who) : spentPage(), isGood ? 200 : 403);
  });
  app.post('/enter', async (context) => {
    const { token } = await context.req.parseBody();
    if (typeof token !== 'string' || !(await links.use(token)))
      return context.html(spentPage(), 403);
    const name = cookie();
    // The browser's previous session ends.
    await sessions.end(getCookie(context, name) ?? '');
    const browser = context.req.header('user-agent') ?? '';
    setCookie(context, name, await sessions.start(who, browser), {
      path: '/',
      maxAge: SESSION_MS / 1000,
      httpOnly: true,
      sameSite: 'Strict',
      secure: name.startsWith('__Host-'),
    });
    return context.redirect('/', 303);
  });
}

function entryPage(token: string, who: string): Markup {
  const body = html`<section class="empty">
    <p>You sign in as <strong>${who}</strong>, and can then approve or decline waiting calls.</p>
    <form method="post" action="/enter">
      <input type="hidden" name="token" value="${token}" />
      <button class="yes">Sign in</button>
    </form>
  </section>`;
  return page({ title: 'Sign in', active: '', body });
}

function spentPage(): Markup {
  const body = html`<section class="empty">
    <p>${SPENT}</p>
    <p>Run <code>plimsoll console --open</code> in a terminal for a new one.</p>
  </section>`;
  return page({ title: 'The link has expired', active: '', body });
}
