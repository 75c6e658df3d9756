/** One tool: what it does, what it claims, how that is known, what hosts do with it, its last calls. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { readQuestionEnds } from '../../gate/approvals/question-ends.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import { findCalls } from '../data/find-calls.ts';
import type { FoundServer } from '../data/find-server.ts';
import { findServer, onlyOf } from '../data/find-server.ts';
import type { ToolDetail } from '../data/tools-view.ts';
import { toolDetail } from '../data/tools-view.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { findingList } from './findings.ts';
import { foreignText, serverPath, VERDICT_WORDS } from './parts.ts';
import { pinWord } from './pins-section.ts';
import { toolCalls, toolClaims, toolReasons, toolHosts, toolParameters } from './tool-sections.ts';
import { toolEffect } from './tool-effect.ts';

const LAST_CALLS = 20;

export function registerTool(app: Hono<Env>, services: ConsoleServices): void {
  app.get('/tools/:server/:tool', async (c) => {
    const { server, tool } = c.req.param();
    const found = findServer(services, server, c.req.query('at'));
    const detail =
      found === undefined ? undefined : toolDetail(onlyOf(found, services), server, tool);
    if (found === undefined || detail === undefined) {
      const body = html`<p>
        ${showText(server)} does not list a tool <code>${showText(tool)}</code> now.
        <a href="/tools">See all tools</a>
      </p>`;
      return c.html(page({ title: 'No such tool', active: '/tools', body }), 404);
    }
    const { store } = services.ledger;
    const { calls } = await findCalls(store, { server, operation: tool }, { limit: LAST_CALLS });
    const ends = await readQuestionEnds(store, calls);
    const title = showText(detail.view.title ?? tool);
    const body = html`${placeNote(found)}
    ${toBody(detail, toolCalls({ server, tool, calls, ends }))}`;
    return c.html(page({ title, active: '/tools', body }));
  });
}

/** Another gate may have a tool of this name that does something else. */
function placeNote({ server: { lock, lockElsewhere }, isOneOfMany }: FoundServer): Markup | '' {
  const path = lock ?? lockElsewhere;
  if (!isOneOfMany || path === undefined) return '';
  return html`<p class="notice">
    Several gates have a server of this name. This one uses the lock
    <code>${showText(path)}</code>.
  </p>`;
}

function toBody(detail: ToolDetail, calls: Markup): Markup {
  const { server, view, tool, hosts, parameters, estimate } = detail;
  const { effect } = tool.inferred;
  const query = new URLSearchParams({ server: server.name, tool: view.name }).toString();
  return html`<p>
      <code>${showText(view.name)}</code> of ${showText(server.name)}. Its riskiest call here:
      <b>${VERDICT_WORDS[view.verdict]}</b>, by the rule <code>${showText(view.rule)}</code>.
      <a href="/what-if?${query}">What would happen if …</a>
    </p>
    ${
      view.description === undefined
        ? html`<p>It has no description.</p>`
        : html`<section aria-labelledby="description">
            <h2 id="description">In the server's words</h2>
            ${foreignText(view.description)}
          </section>`
    }
    ${section('effect', 'What it does', toolEffect(effect, estimate))}
    ${section('claims', 'What it claims', toolClaims(detail))}
    ${section('known', 'How that is known', toolReasons(detail))}
    ${section('check', 'What check finds', findingList(view.findings))}
    ${section('pin', 'What was accepted', pinPart(detail))}
    ${hosts === undefined ? '' : section('hosts', 'What each host will do', toolHosts(hosts))}
    ${section('parameters', 'Parameters', toolParameters(parameters))}
    ${section('calls', 'Last calls', calls)}`;
}

function section(id: string, title: string, body: Markup): Markup {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`;
}

function pinPart({ view, pin, check, server }: ToolDetail): Markup {
  const drift = check?.drift;
  const changes = drift !== undefined && 'changes' in drift ? drift.changes : [];
  const path = serverPath(server.name);
  return html`<p>
      ${pinWord(view)}${
        pin === undefined
          ? ''
          : `; accepted by ${showText(pin.acceptedBy)}, ${pin.acceptedAt.slice(0, 10)}`
      }.
      ${path === undefined ? '' : html`<a href="${path}">The pins of this server</a>`}
    </p>
    ${
      changes.length === 0
        ? ''
        : html`<ul>
            ${changes.map(
              ({ direction, text }) => html`<li><b>${direction}</b>: ${showText(text)}</li>`,
            )}
          </ul>`
    }`;
}
