/**
 * One server: what it is, and its tools compared with what was accepted, to accept them or keep them
 * held back.
 */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { isTier } from '../../effect/tier.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import { writeLockFile, withPins } from '../../gate/tools/lock.ts';
import { toPinReceipt } from '../../ledger/receipts/pin-receipt.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ConsoleServices, ServerView, Env } from '../console-services.ts';
import type { PinWish } from '../data/server-pins.ts';
import { acceptTools, serverPins } from '../data/server-pins.ts';
import type { ToolView } from '../data/tools-view.ts';
import { listToolsView } from '../data/tools-view.ts';
import type { Markup } from '../page.ts';
import { page, refuse } from '../page.ts';
import { pinsSection } from './pins-section.ts';
import { toolsToReview } from './review.ts';
import { eraWords, serverPath, tierCounts } from './parts.ts';

export function registerServer(app: Hono<Env>, services: ConsoleServices): void {
  /** Concurrent answers must not overwrite each other: each reads what the other wrote. */
  let before: Promise<unknown> = Promise.resolve();

  app.get('/servers/:server', (c) => {
    const server = findServer(services, c.req.param('server'));
    if (server === undefined) return refuse(c, NO_SERVER);
    const tools = toolsOf(server, services);
    const pins = serverPins(server, services.lock ?? server.lock, tools);
    const open = toolsToReview(server, services, pins).length;
    const body = html`${facts(server, tools)} ${reviewLink(server, open)}
    ${pinsSection(server, pins, c.get('csrf'))}`;
    return c.html(page({ title: showText(server.name), active: '/servers', body }));
  });

  app.post('/servers/:server/pins', async (c) => {
    const { decision, definition, tier } = await c.req.parseBody();
    const server = findServer(services, c.req.param('server'));
    if (server === undefined) return refuse(c, NO_SERVER);
    const path = serverPath(server.name) ?? '/servers';
    // A tool stays held back by default; keeping it so changes nothing.
    if (decision === 'keep') return c.redirect(path, 303);
    const wish = readWish(decision, definition, tier);
    if (wish === undefined)
      return refuse(
        c,
        toProblem('invalid-request', 'No such choice.', {
          remedy: 'Open the page of the server and choose again.',
        }),
      );
    const by = c.get('who');
    const turn = before.then(() => applyWish(services, server, wish, by));
    before = turn.catch(() => {});
    const problem = await turn;
    if (problem !== undefined) return refuse(c, problem);
    return c.redirect(wish.kind === 'state' ? `${path}/review` : path, 303);
  });
}

const NO_SERVER: Problem = toProblem('not-found', 'No server with that name is behind this gate.');

async function applyWish(
  services: ConsoleServices,
  server: ServerView,
  wish: PinWish,
  by: string,
): Promise<Problem | undefined> {
  const { lock: path = server.lock, now, ledger } = services;
  const pins = serverPins(server, path, toolsOf(server, services));
  if (path === undefined || pins.kind !== 'pins')
    return toProblem('conflict', 'The gate has no lock file for pins. Start it with --lock.', {
      remedy: 'Start the gate with --lock and a path.',
    });
  const accepted = acceptTools(server, pins.rows, wish, { by, at: new Date(now()) });
  if (accepted.kind === 'refused') return accepted.problem;
  await writeLockFile(path, withPins(pins.lock, server.name, accepted.changes));
  const receipt = toPinReceipt({ who: by, server: server.name, at: now() });
  const args = [...accepted.changes].map(([tool, pin]) => ({
    tool,
    ...(pin && { definition: pin.definition, tier: pin.tier }),
  }));
  await ledger.record({ receipt, args });
  return undefined;
}

function readWish(kind: unknown, definition: unknown, tier: unknown): PinWish | undefined {
  if (typeof definition !== 'string' || definition === '') return undefined;
  if (kind === 'state') return isTier(tier) ? { kind, definition, tier } : undefined;
  return kind === 'accept' || kind === 'accept-new' || kind === 'drop'
    ? { kind, definition }
    : undefined;
}

function findServer({ servers }: ConsoleServices, name: string): ServerView | undefined {
  return servers().find((server) => server.name === name);
}

function toolsOf(server: ServerView, services: ConsoleServices): readonly ToolView[] {
  return listToolsView({ ...services, servers: () => [server] });
}

function reviewLink({ name }: ServerView, open: number): Markup | '' {
  const path = serverPath(name);
  if (open === 0 || path === undefined) return '';
  return html`<p class="notice">
    It is not certain what ${open === 1 ? '1 tool does' : `${open} tools do`}, so calls ask.
    <a href="${path}/review">${open === 1 ? 'Review it once' : 'Review them once'}</a>
  </p>`;
}

function facts(server: ServerView, tools: readonly ToolView[]): Markup {
  const { name, state, mode, trusted, address } = server;
  const nameless = server.tools.length - tools.length;
  return html`<dl>
    <dt>State</dt>
    <dd>${state}</dd>
    <dt>Protocol</dt>
    <dd>${eraWords(server)}</dd>
    <dt>Mode</dt>
    <dd>${mode}</dd>
    <dt>Trusted</dt>
    <dd>
      ${trusted ? 'yes; what it says about its tools counts' : 'no; its promises do not lower a risk'}
    </dd>
    <dt>Tools</dt>
    <dd>
      ${tierCounts(name, tools)}
      ${nameless > 0 ? html`<p>${nameless} more have no unique name.</p>` : ''}
    </dd>
    <dt>Reached by</dt>
    <dd><code>${showText(address)}</code></dd>
  </dl>`;
}
