/** The JSON API: everything that the pages show and do, for scripts. Described in `openapi.ts`. */
import type { Hono } from 'hono';
import { toProblem } from '../../lib/problem.ts';
import type { ConsoleServices } from '../console-services.ts';
import { listToolsView } from '../data/list-tools-view.ts';
import { passes, readToolFilter } from '../data/tool-filter.ts';
import type { Env } from '../env.ts';
import { refuse } from '../refuse.ts';
import { registerApprovalsApi } from './approvals-api.ts';
import { registerCallsApi } from './calls-api.ts';
import type { EventOptions } from './events.ts';
import { registerEvents } from './events.ts';
import { OPENAPI } from './openapi.ts';

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
    refuse(context, toProblem('not-found', 'The API has no such path; see /api/openapi.json.')),
  );
}
