/**
 * Walks a person through the tools of a server that inference is not sure of, one click each: what they say is pinned,
 * and the policy goes by it from then on. `plimsoll tools --review` does the same at a terminal.
 */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { TIER_NAMES, TIERS } from '../../effect/tier.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import { propertiesOf } from '../../effect/schema.ts';
import { toReview } from '../../gate/tools/to-review.ts';
import type { KnownTool } from '../../gate/tools/tool-book.ts';
import { isObject } from '../../gate/protocol/read-frame.ts';
import type { ConsoleServices, Env, ServerView } from '../console-services.ts';
import type { PinState, ServerPins } from '../data/server-pins.ts';
import type { FoundServer } from '../data/find-server.ts';
import { findServer, NO_SERVER, onlyOf } from '../data/find-server.ts';
import { serverPins } from '../data/server-pins.ts';
import { listToolsView } from '../data/tools-view.ts';
import { knownTools } from '../data/what-if.ts';
import type { Markup } from '../page.ts';
import { page, refuse } from '../page.ts';
import { foreignText, pathOf, serverPath, tierTag, ownToolLink } from './parts.ts';

/** Limits the size of a page, however many tools there are. */
const A_PAGE = 10;
const MOST_REASONS = 4;

export function registerReview(app: Hono<Env>, services: ConsoleServices): void {
  app.get('/servers/:server/review', (c) => {
    const found = findServer(services, c.req.param('server'), c.req.query('at'));
    if (found === undefined) return refuse(c, NO_SERVER);
    const { server } = found;
    const views = listToolsView(onlyOf(found, services));
    const pins = serverPins(server, services.lock ?? server.lock, views);
    const open = toolsToReview(found, pins);
    const body = toBody(found, { open, pins, csrf: c.get('csrf') });
    return c.html(page({ title: `Review ${showText(server.name)}`, active: '/servers', body }));
  });
}

/** What is left to review of a server. */
export function toolsToReview(
  { server, pins }: FoundServer,
  known: ServerPins,
): readonly KnownTool[] {
  const stated = known.kind === 'pins' ? known.lock.servers.get(server.name) : undefined;
  return toReview(knownTools(server, pins), stated);
}

interface Shown {
  readonly open: readonly KnownTool[];
  readonly pins: ServerPins;
  readonly csrf: string;
}

function toBody(found: FoundServer, { open, pins, csrf }: Shown): Markup {
  const path = pathOf(found) ?? '/servers';
  const back = html`<p><a href="${path}">All about this server</a></p>`;
  if (open.length === 0) {
    return html`<p class="notice">
        Nothing is left to review: what its tools do is known well enough, or a person has said it.
      </p>
      ${back}`;
  }
  const rows = pins.kind === 'pins' ? pins.rows : undefined;
  const rest = open.length - A_PAGE;
  return html`<p>
      It is not certain what
      ${open.length === 1 ? 'this tool does' : `these ${open.length} tools do`}. Say it once, and it
      is pinned: calls run or ask by what you said, until the definition of the tool gets riskier.
    </p>
    ${rows === undefined ? noLock(found.server) : ''}
    ${open.slice(0, A_PAGE).map((tool) =>
      toolPart(tool, {
        found,
        csrf,
        row: rows?.find(({ name }) => name === tool.name),
      }),
    )}
    ${rest > 0 ? html`<p>And ${rest} more, which come next.</p>` : ''} ${back}`;
}

function noLock({ name, lockElsewhere }: ServerView): Markup {
  const flag = lockElsewhere === undefined ? '' : ` --lock ${showText(lockElsewhere)}`;
  return html`<p class="warning">
      This console has no lock file to keep your answers in. Review the tools at a
      terminal${lockElsewhere === undefined ? '' : ' where the gate runs'}, or start the console
      with
      <code>--lock</code>:
    </p>
    <pre>plimsoll tools --review --server ${showText(name)}${flag} -- COMMAND</pre>`;
}

interface Asked {
  readonly found: FoundServer;
  readonly csrf: string;
  readonly row: PinState | undefined;
}

function toolPart({ name, definition, inferred }: KnownTool, { found, csrf, row }: Asked): Markup {
  const { description, inputSchema } = definition;
  const takes = isObject(inputSchema) ? Object.keys(propertiesOf(inputSchema)) : [];
  const { effect, confidence, reasons } = inferred;
  const { name: server } = found.server;
  const path = serverPath(server, '/pins');
  return html`<article class="card" data-tier="${effect.tier}">
    <h2>${ownToolLink(found, name)}</h2>
    ${typeof description === 'string' && description !== '' ? foreignText(description) : html`<p>It has no description.</p>`}
    ${takes.length === 0 ? '' : html`<p>It takes ${takes.map((key, at) => html`${at === 0 ? '' : ', '}<code>${showText(key)}</code>`)}.</p>`}
    <p>Taken for: ${tierTag(effect.tier)}, with ${Math.round(confidence * 100)} % confidence.</p>
    <ul>
      ${reasons.slice(0, MOST_REASONS).map(({ text }) => html`<li>${showText(text)}</li>`)}
    </ul>
    ${
      row === undefined || row.twice || path === undefined
        ? ''
        : html`<form method="post" action="${path}" class="tiers">
            <input type="hidden" name="at" value="${found.at}" />
            <input type="hidden" name="csrf" value="${csrf}" />
            <input type="hidden" name="definition" value="${row.definition}" />
            <input type="hidden" name="decision" value="state" />
            <p>What does it do?</p>
            ${TIER_NAMES.map(
              (tier) =>
                html`<button name="tier" value="${tier}" title="${TIERS[tier].meaning}">
                  ${tierTag(tier)}
                </button> `,
            )}
          </form>`
    }
  </article>`;
}
