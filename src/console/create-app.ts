/** All of the console as one application: the door first, then pages and API, each in its own module. */
import { Hono } from 'hono';
import { toProblem } from '../lib/problem.ts';
import { registerApi } from './api/register-api.ts';
import type { ConsoleServices } from './console-services.ts';
import type { DoorOptions } from './door/door.ts';
import { registerDoor } from './door/door.ts';
import type { Env } from './env.ts';
import { registerCall } from './pages/call.ts';
import { registerCalls } from './pages/calls.ts';
import { registerServer } from './pages/server.ts';
import { registerServers } from './pages/servers.ts';
import { registerSpend } from './pages/spend.ts';
import { registerTool } from './pages/tool.ts';
import { registerTools } from './pages/tools.ts';
import { registerWaiting } from './pages/waiting.ts';
import { registerWhatIf } from './pages/what-if.ts';
import { refuse } from './refuse.ts';
import { serveAssets } from './serve-assets.ts';
import type { QueueWatch } from './queue-watch.ts';

export interface AppParts {
  readonly services: ConsoleServices;
  readonly door: DoorOptions;
  readonly watch: QueueWatch;
}

const PAGES = [
  registerWaiting,
  registerTools,
  registerTool,
  registerCalls,
  registerCall,
  registerSpend,
  registerServers,
  registerServer,
  registerWhatIf,
];

export function createApp({ services, door, watch }: AppParts): Hono<Env> {
  const app = new Hono<Env>();
  app.notFound((context) => refuse(context, toProblem('not-found', 'There is no such page.')));
  app.onError((error, context) => {
    services.report('the console could not answer', error);
    return refuse(context, toProblem('internal-error', 'The console could not answer.'));
  });
  registerDoor(app, door);
  serveAssets(app);
  registerApi(app, services, { watch, sessions: door.sessions, cookie: door.cookie });
  for (const register of PAGES) register(app, services);
  return app;
}
