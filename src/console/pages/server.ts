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
import type { FoundServer } from '../data/find-server.ts';
import {
  findServer,
  findShownServer,
  NO_SERVER,
  onlyOf,
  serversNamed,
} from '../data/find-server.ts';
import type { PinWish } from '../data/server-pins.ts';
import { acceptTools, serverPins } from '../data/server-pins.ts';
import type { ToolView } from '../data/tools-view.ts';
import { listToolsView } from '../data/tools-view.ts';
import type { Markup } from '../page.ts';
import { page, refuse } from '../page.ts';
import { pinsSection } from './pins-section.ts';
import { toolsToReview } from './review.ts';
import { eraWords, pathOf, tierCounts } from './parts.ts';

export function registerServer(app: Hono<Env>, services: ConsoleServices): void {
  /** Concurrent answers must not overwrite each other: each reads what the other wrote. */
  let before: Promise<unknown> = Promise.resolve();

  app.get('/servers/:server', (c) => {
    const name = c.req.param('server');
    const found = findServer(services, name, c.req.query('at'));
    if (found === undefined) return refuse(c, NO_SERVER);
    const { server } = found;
    const tools = toolsOf(found, services);
    const pins = serverPins(server, services.lock ?? server.lock, tools);
    const open = toolsToReview(found, pins).length;
    const body = html`${alikeNote(serversNamed(services, name), found)}
    ${facts(server, tools, services.lock)} ${reviewLink(found, open)}
    ${pinsSection(found, pins, c.get('csrf'))}`;
    return c.html(page({ title: showText(server.name), active: '/servers', body }));
  });

  app.post('/servers/:server/pins', async (c) => {
    const { decision, definition, tier, at } = await c.req.parseBody();
    const shown = typeof at === 'string' ? at : undefined;
    const found = findShownServer(services, c.req.param('server'), shown);
    if ('code' in found) return refuse(c, found);
    const path = pathOf(found) ?? '/servers';
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
    const turn = before.then(() => applyWish(services, found, wish, by));
    before = turn.catch(() => {});
    const problem = await turn;
    if (problem !== undefined) return refuse(c, problem);
    return c.redirect(wish.kind === 'state' ? (pathOf(found, '/review') ?? path) : path, 303);
  });
}

async function applyWish(
  services: ConsoleServices,
  found: FoundServer,
  wish: PinWish,
  by: string,
): Promise<Problem | undefined> {
  const { server } = found;
  const { lock: path = server.lock, now, ledger } = services;
  const pins = serverPins(server, path, toolsOf(found, services));
  if (path === undefined || pins.kind !== 'pins') return noLock(server);
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

function noLock({ lockElsewhere }: ServerView): Problem {
  return lockElsewhere === undefined
    ? toProblem('conflict', 'The gate has no lock file for pins. Start it with --lock.', {
        remedy: 'Start the gate with --lock and a path.',
      })
    : toProblem(
        'conflict',
        `This console cannot write to that gate's lock, ${showText(lockElsewhere)}.`,
        {
          remedy: 'Accept the tools where the gate runs, with plimsoll pin --lock.',
        },
      );
}

function toolsOf(found: FoundServer, services: ConsoleServices): readonly ToolView[] {
  return listToolsView(onlyOf(found, services));
}

/** Whoever accepts something must know for which of them. */
function alikeNote(all: readonly FoundServer[], { at, server }: FoundServer): Markup | '' {
  if (all.length < 2) return '';
  const others = all.filter((each) => each.at !== at);
  return html`<p class="notice">
    ${all.length} gates have a server named ${showText(server.name)}, each with a lock of its own.
    What you accept here counts for this one only.
    ${others.map((each, place) => {
      const path = pathOf(each);
      const word = others.length === 1 ? 'See the other one' : `See another one (${place + 1})`;
      return path === undefined ? '' : html`<a href="${path}">${word}</a> `;
    })}
  </p>`;
}

function reviewLink(found: FoundServer, open: number): Markup | '' {
  const path = pathOf(found, '/review');
  if (open === 0 || path === undefined) return '';
  return html`<p class="notice">
    It is not certain what ${open === 1 ? '1 tool does' : `${open} tools do`}, so calls ask.
    <a href="${path}">${open === 1 ? 'Review it once' : 'Review them once'}</a>
  </p>`;
}

function facts(server: ServerView, tools: readonly ToolView[], lock = server.lock): Markup {
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
    <dt>Pins</dt>
    <dd>${pinsPlace(lock, server.lockElsewhere)}</dd>
  </dl>`;
}

function pinsPlace(lock: string | undefined, elsewhere: string | undefined): string | Markup {
  if (lock !== undefined) return html`in the lock <code>${showText(lock)}</code>`;
  return elsewhere === undefined
    ? 'its gate keeps none'
    : html`in the lock <code>${showText(elsewhere)}</code> of its gate, where this console cannot
        write`;
}
