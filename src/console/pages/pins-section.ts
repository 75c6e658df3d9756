/** The pins of a server: what changed, in which direction, line by line, and the buttons that accept it. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import type { ServerView } from '../console-services.ts';
import type { PinState, ServerPins } from '../data/server-pins.ts';
import { digestOf, newRows } from '../data/server-pins.ts';
import type { Markup } from '../page.ts';
import { pinChange } from './pin-change.ts';
import { pinForm } from './pin-form.ts';
import { tierTag } from './tier-tag.ts';
import { toolLink } from './tool-link.ts';

const MOST_NEW = 200;

export function pinsSection(server: ServerView, pins: ServerPins, csrf: string): Markup {
  return html`<section aria-labelledby="pins">
    <h2 id="pins">What was accepted</h2>
    ${toBody(server, pins, csrf)}
  </section>`;
}

function toBody(server: ServerView, pins: ServerPins, csrf: string): Markup {
  if (pins.kind === 'none') return NO_PINS;
  if (pins.kind === 'faults')
    return html`<p>The lock cannot be read. The pins that were read last hold on.</p>
      <ul>
        ${pins.faults.map((fault) => html`<li>${showText(fault)}</li>`)}
      </ul>`;
  if (pins.rows.length === 0)
    return html`<p>
      The server has not listed its tools yet; it does when a client first asks for them.
    </p>`;
  const fresh = newRows(pins.rows);
  const changed = pins.rows.filter(({ drift }) => drift.kind !== 'same' && drift.kind !== 'new');
  const twice = pins.rows.filter((row) => row.twice && row.drift.kind === 'new');
  const same = pins.rows.length - fresh.length - changed.length - twice.length;
  return html`<p>${same} of ${pins.rows.length} are as accepted.</p>
    ${[...changed, ...twice].map((row) => pinChange(server.name, row, csrf))}
    ${fresh.length === 0 ? '' : freshPart(server.name, fresh, csrf)}`;
}

function freshPart(server: string, fresh: readonly PinState[], csrf: string): Markup {
  return html`<h3>Not accepted yet</h3>
    <p>
      Nobody has said yes to these. They run by the policy; once accepted, a change that makes them
      riskier holds them back.
    </p>
    <ul>
      ${fresh
        .slice(0, MOST_NEW)
        .map(
          ({ name, tier }) =>
            html`<li>${tier === undefined ? '' : tierTag(tier)} ${toolLink(server, name)}</li>`,
        )}
    </ul>
    ${
      fresh.length > MOST_NEW
        ? html`<p>And ${fresh.length - MOST_NEW} more; <code>plimsoll pin</code> accepts them.</p>`
        : pinForm({
            server,
            csrf,
            definition: digestOf(fresh),
            buttons: [
              {
                decision: 'accept-new',
                word: fresh.length === 1 ? 'Accept it' : `Accept these ${fresh.length}`,
              },
            ],
          })
    }`;
}

const NO_PINS: Markup = html`<p>
    Nothing is pinned, so that nobody notices when a tool changes. Accept the tools as they are now,
    and then start the gate with the lock:
  </p>
  <pre>
plimsoll pin --server NAME --accept -- COMMAND
plimsoll gate --lock plimsoll.lock.json …</pre>`;
