/** Pages of the console without its door: somebody is signed in, and every form is good. */
import { Hono } from 'hono';
import type { ConsoleServices, ServerView, Env } from '../../src/console/console-services.ts';
import { registerReview } from '../../src/console/pages/review.ts';
import { registerServer } from '../../src/console/pages/server.ts';
import { registerServers } from '../../src/console/pages/servers.ts';
import { registerTool } from '../../src/console/pages/tool.ts';
import { registerTools } from '../../src/console/pages/tools.ts';
import { registerWhatIf } from '../../src/console/pages/what-if.ts';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import { DEFAULT_POLICY } from '../../src/gate/policy/policy.ts';
import { openPins } from '../../src/gate/tools/pins.ts';
import { openBudgets } from '../../src/gate/call/budgets.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';

export interface ConsolePages extends AsyncDisposable {
  readonly services: ConsoleServices;
  get(path: string): Promise<string>;
  request(path: string): Promise<Response>;
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Response>;
}

export interface PagesInit extends Partial<Pick<ConsoleServices, 'policy' | 'lock' | 'pins'>> {
  /** Asked for anew with every page. */
  readonly servers?: () => readonly ServerView[];
}

export async function openConsolePages(init: PagesInit = {}): Promise<ConsolePages> {
  const { servers = () => [], policy = DEFAULT_POLICY, lock, pins } = init;
  const ledger = await openLedger('sqlite::memory:');
  const services: ConsoleServices = {
    ledger,
    approvals: openApprovals(ledger.store),
    budgets: openBudgets(ledger.store),
    policy,
    ...(pins !== undefined && { pins }),
    ...(lock !== undefined && { lock, pins: openPins(lock) }),
    servers,
    now: () => Date.UTC(2026, 0, 2),
    report: () => {},
  };
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    context.set('who', 'mia');
    context.set('csrf', 'the-csrf-token');
    await next();
  });
  for (const register of [
    registerTools,
    registerTool,
    registerServers,
    registerServer,
    registerReview,
    registerWhatIf,
  ])
    register(app, services);
  const headers = { accept: 'text/html' };
  const request = async (path: string): Promise<Response> => app.request(path, { headers });
  return {
    services,
    request,
    get: async (path) => (await request(path)).text(),
    post: async (path, fields) =>
      app.request(path, { method: 'POST', headers, body: new URLSearchParams(fields) }),
    [Symbol.asyncDispose]: () => ledger[Symbol.asyncDispose](),
  };
}

export function serverView(tools: readonly unknown[], more: Partial<ServerView> = {}): ServerView {
  return {
    name: 'notes',
    address: 'node notes.js',
    state: 'up',
    era: 'modern',
    trusted: false,
    mode: 'live',
    tools,
    ...more,
  };
}
