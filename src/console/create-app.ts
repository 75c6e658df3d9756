/** All of the console as one application: the door first, then pages and API, each in its own module. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { toProblem } from '../lib/problem.ts';
import { registerApi } from './api/register-api.ts';
import type { ConsoleServices, Env } from './console-services.ts';
import type { DoorOptions } from './door/door.ts';
import { registerDoor } from './door/door.ts';
import { registerAccess } from './pages/access.ts';
import { registerCall } from './pages/call.ts';
import { registerCalls } from './pages/calls.ts';
import { registerReview } from './pages/review.ts';
import { registerServer } from './pages/server.ts';
import { registerServers } from './pages/servers.ts';
import { registerSpend } from './pages/spend.ts';
import { registerTool } from './pages/tool.ts';
import { registerTools } from './pages/tools.ts';
import { registerWaiting } from './pages/waiting.ts';
import { registerWhatIf } from './pages/what-if.ts';
import type { QueueWatch } from './queue-watch.ts';
import { refuse } from './page.ts';

interface AppParts {
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
  registerReview,
  registerWhatIf,
];

export function createApp({ services, door, watch }: AppParts): Hono<Env> {
  const app = new Hono<Env>();
  app.notFound((context) =>
    refuse(
      context,
      toProblem('not-found', 'No such page.', { remedy: 'Begin at the first page, /.' }),
    ),
  );
  app.onError((error, context) => {
    services.report('the console failed to answer', error);
    return refuse(
      context,
      toProblem('internal-error', 'The console failed to answer. The cause is in its log.', {
        remedy: 'Read the log of the gate or the console.',
      }),
    );
  });
  registerDoor(app, door);
  serveAssets(app);
  app.use(async (_, next) => {
    await services.refresh?.();
    await next();
    services.ledger.indexSoon();
  });
  registerAccess(app, services, door.sessions);
  registerApi(app, services, { watch, sessions: door.sessions, cookie: door.cookie });
  for (const register of PAGES) register(app, services);
  return app;
}

/** The few files that pages load, read once and sent with an ETag so that browsers can revalidate them. */
const TYPES: Readonly<Record<string, string>> = Object.freeze({
  'console.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'mark.svg': 'image/svg+xml',
});

interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

function serveAssets(app: Hono<Env>): void {
  const assets = new Map(Object.entries(TYPES).map(([name, type]) => [name, load(name, type)]));
  app.get('/assets/:name', (context) => {
    const asset = assets.get(context.req.param('name'));
    if (asset === undefined) return refuse(context, toProblem('not-found', 'No such file.'));
    context.header('etag', asset.tag);
    context.header('cache-control', 'private, no-cache');
    if (context.req.header('if-none-match') === asset.tag) return context.body(null, 304);
    context.header('content-type', asset.type);
    return context.body(asset.bytes);
  });
}

function load(name: string, type: string): Asset {
  const bytes = new Uint8Array(readFileSync(new URL(`./assets/${name}`, import.meta.url)));
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { type, bytes, tag: `"${digest}"` };
}
