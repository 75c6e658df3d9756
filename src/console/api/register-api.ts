/** The JSON API: everything that the pages show and do, for scripts. Described in `openapi.ts`. */
import type { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { streamSSE } from 'hono/streaming';
import type { FoundReceipt } from '../../ledger/tables.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import { readFilter } from '../data/call-filter.ts';
import { findCalls } from '../data/find-calls.ts';
import { passes, readToolFilter } from '../data/tool-filter.ts';
import { listToolsView } from '../data/tools-view.ts';
import type { Sessions } from '../door/sessions.ts';
import type { QueueState, QueueWatch } from '../queue-watch.ts';
import { registerApprovalsApi } from './approvals-api.ts';
import { OPENAPI } from './openapi.ts';
import { refuse } from '../page.ts';

export function registerApi(app: Hono<Env>, services: ConsoleServices, events: EventOptions): void {
  app.get('/api/openapi.json', (context) => context.json(OPENAPI));
  app.get('/api/session', (context) =>
    context.json({ who: context.get('who'), csrf: context.get('csrf') }),
  );
  registerApprovalsApi(app, services);
  registerEvents(app, events);
  app.get('/api/tools', (context) => {
    const filter = readToolFilter(context.req.query());
    const tools = listToolsView(services).filter((tool) => passes(tool, filter));
    return context.json({ tools });
  });
  registerCallsApi(app, services);
  app.get('/api/budgets', async (context) => {
    const { principal, tenant } = context.req.query();
    const budgets = services.policy.budgets.filter(
      ({ shared }) => shared || principal !== undefined,
    );
    const usage = await services.budgets.usage(budgets, {
      id: principal ?? '',
      scopes: [],
      ...(tenant !== undefined && { tenant }),
    });
    return context.json({ budgets: usage });
  });
  app.get('/api/servers', (context) => context.json({ servers: services.servers() }));
  app.all('/api/*', (context) =>
    refuse(
      context,
      toProblem('not-found', 'The API has no such path; see /api/openapi.json.', {
        remedy: 'Use a path of /api/openapi.json.',
      }),
    ),
  );
}

/** Calls over the API: receipts by filter, newest first, page by page. */
const USUAL = 50;
const MOST = 500;

function registerCallsApi(app: Hono<Env>, { ledger }: ConsoleServices): void {
  app.get('/api/calls', async (context) => {
    const query = context.req.query();
    const { filter, faults } = readFilter(query);
    const [fault] = faults;
    if (fault !== undefined)
      return refuse(
        context,
        toProblem('invalid-input', fault, { remedy: 'Correct the query, then send it again.' }),
      );
    const before = toNumber(query['before']);
    const limit = Math.min(toNumber(query['limit']) ?? USUAL, MOST);
    const { calls, ...rest } = await findCalls(ledger.store, filter, {
      ...(before !== undefined && { before }),
      limit,
    });
    return context.json({ calls: calls.map(toView), ...rest });
  });
}

/** Without the salt and the arguments: approving calls does not require reading everything ever sent. */
function toView({ seq, leaf, body }: FoundReceipt): unknown {
  return { seq, leaf, receipt: JSON.parse(body) as unknown };
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * Server-sent events: the queue's version and length, whenever it changes. They say that something
 * changed, never what.
 */
interface EventOptions {
  readonly watch: QueueWatch;
  readonly sessions: Sessions;
  readonly cookie: () => string;
}

/** Shorter than the idle timeout of proxies. */
const BEAT_MS = 15_000;

function registerEvents(app: Hono<Env>, { watch, sessions, cookie }: EventOptions): void {
  app.get('/api/events', (context) => {
    // A stream that is not read would never report its end.
    if (context.req.method === 'HEAD') return context.body(null);
    const token = getCookie(context, cookie());
    return streamSSE(context, async (stream) => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const send = (state: QueueState): void => {
        void stream.writeSSE({ event: 'approvals', data: JSON.stringify(state) });
      };
      const beat = setInterval(() => {
        // Scripts with a token have no session that could expire.
        const alive = token === undefined ? Promise.resolve(true) : sessions.isLive(token);
        alive.then(
          (isLive) => (isLive ? void stream.write(': still here\n\n') : end()),
          // A ledger that is not there now says nothing about the session.
          () => {},
        );
      }, BEAT_MS);
      const stop = watch.listen({ changed: send, ended: end });
      stream.onAbort(end);
      await ended;
      clearInterval(beat);
      stop();
    });
  });
}
