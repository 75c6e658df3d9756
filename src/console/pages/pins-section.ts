/** The pins of a server: what changed, in which direction, line by line, and the buttons that accept it. */
import { html } from 'hono/html';
import { showText } from '../../gate/approvals/show-text.ts';
import type { ServerView } from '../console-services.ts';
import type { PinState, ServerPins } from '../data/server-pins.ts';
import type { FoundServer } from '../data/find-server.ts';
import { digestOf, newRows } from '../data/server-pins.ts';
import type { ToolView } from '../data/tools-view.ts';
import type { Markup } from '../page.ts';
import { diffLines } from './diff-lines.ts';
import { ownToolLink, serverPath, tierTag } from './parts.ts';

const MOST_NEW = 200;

export function pinsSection(found: FoundServer, pins: ServerPins, csrf: string): Markup {
  return html`<section aria-labelledby="pins">
    <h2 id="pins">What was accepted</h2>
    ${toBody(found, pins, csrf)}
  </section>`;
}

function toBody(found: FoundServer, pins: ServerPins, csrf: string): Markup {
  if (pins.kind === 'none') return noPins(found.server);
  if (pins.kind === 'faults')
    return html`<p>The lock cannot be read. The pins that were read last stay in force.</p>
      <ul>
        ${pins.faults.map((fault) => html`<li>${showText(fault)}</li>`)}
      </ul>`;
  if (pins.rows.length === 0)
    return html`<p>
      The server has not listed its tools yet; it does so when a client first requests them.
    </p>`;
  const fresh = newRows(pins.rows);
  const changed = pins.rows.filter(({ drift }) => drift.kind !== 'same' && drift.kind !== 'new');
  const twice = pins.rows.filter((row) => row.twice && row.drift.kind === 'new');
  const same = pins.rows.length - fresh.length - changed.length - twice.length;
  return html`<p>${same} of ${pins.rows.length} are as accepted.</p>
    ${[...changed, ...twice].map((row) => pinChange(found, row, csrf))}
    ${fresh.length === 0 ? '' : freshPart(found, fresh, csrf)}`;
}

function freshPart(found: FoundServer, fresh: readonly PinState[], csrf: string): Markup {
  return html`<h3>Not accepted yet</h3>
    <p>
      Nobody has accepted these. They run as the policy allows; once accepted, they are held back if
      a change makes them riskier.
    </p>
    <ul>
      ${fresh
        .slice(0, MOST_NEW)
        .map(
          ({ name, tier }) =>
            html`<li>${tier === undefined ? '' : tierTag(tier)} ${ownToolLink(found, name)}</li>`,
        )}
    </ul>
    ${
      fresh.length > MOST_NEW
        ? html`<p>And ${fresh.length - MOST_NEW} more; <code>plimsoll pin</code> accepts them.</p>`
        : pinForm({
            found,
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

function noPins({ name, lockElsewhere }: ServerView): Markup {
  if (lockElsewhere === undefined) return NO_PINS;
  return html`<p>
      Its gate uses a lock that this console cannot write to: the gate runs on another machine, or
      the file is not there. Accept its tools where the gate runs:
    </p>
    <pre>
plimsoll pin --server ${showText(name)} --accept --lock ${showText(lockElsewhere)} -- COMMAND</pre>`;
}

const NO_PINS: Markup = html`<p>
    Nothing is pinned, so changes of tools go unnoticed. Accept the tools as they are now, then
    start the gate with the lock:
  </p>
  <pre>
plimsoll pin --server NAME --accept --lock plimsoll.lock.json -- COMMAND
plimsoll gate --lock plimsoll.lock.json …</pre>`;

/** Longer than anybody reads; what nobody reads cannot be accepted here. */
const LONGEST_DIFF = 40_000;

function pinChange(found: FoundServer, row: PinState, csrf: string): Markup {
  const { name, drift, quarantined, tier, diff, definition, twice, pin } = row;
  const changes = 'changes' in drift ? drift.changes : [];
  const isLong = diff.length > LONGEST_DIFF;
  return html`<article class="drift">
    <h3>${ownToolLink(found, name)} <small>${headline(row)}</small></h3>
    <p>
      ${tier === undefined ? '' : html`Now inferred: ${tierTag(tier)}.`}
      ${
        pin === undefined
          ? ''
          : html`Accepted by ${showText(pin.acceptedBy)} on ${pin.acceptedAt.slice(0, 10)} as
            ${tierTag(pin.tier)}.`
      }
      ${quarantined || twice ? html`<b>Held back: calls are refused.</b>` : ''}
    </p>
    ${
      changes.length === 0
        ? ''
        : html`<ul>
            ${changes.map(
              ({ direction, pointer, text }) =>
                html`<li>
                  <b>${direction}</b>: ${showText(text)} <code>${showText(pointer || '/')}</code>
                </li>`,
            )}
          </ul>`
    }
    ${
      diff === '' || isLong
        ? ''
        : html`<details ${quarantined ? html`open` : ''}>
            <summary>What changed, line by line</summary>
            ${diffLines(diff.split('\n').map(showText).join('\n'))}
          </details>`
    }
    ${
      isLong
        ? html`<p>The change is too long to show here; <code>plimsoll pin</code> shows it.</p>`
        : twice
          ? ''
          : pinForm({ found, csrf, definition, buttons: buttonsOf(row) })
    }
  </article>`;
}

function headline({ drift, twice }: PinState): string {
  if (twice) return 'listed twice with different definitions';
  return drift.kind === 'renamed' ? `renamed from ${showText(drift.from)}` : drift.kind;
}

function buttonsOf({ drift, quarantined }: PinState): readonly PinButton[] {
  if (drift.kind === 'gone') return [{ decision: 'drop', word: 'Remove the pin' }];
  const accept: PinButton = { decision: 'accept', word: 'Accept it as it is now' };
  return quarantined ? [accept, { decision: 'keep', word: 'Keep it held back' }] : [accept];
}

/**
 * A form that accepts the definitions that were shown. It names them by their hash, so that nothing
 * else is accepted.
 */
interface PinFormInit {
  readonly found: FoundServer;
  readonly csrf: string;
  readonly definition: string;
  readonly buttons: readonly PinButton[];
}

interface PinButton {
  readonly decision: 'accept' | 'accept-new' | 'drop' | 'keep';
  readonly word: string;
}

function pinForm({ found, csrf, definition, buttons }: PinFormInit): Markup | '' {
  const path = serverPath(found.server.name, '/pins');
  if (path === undefined) return '';
  return html`<form method="post" action="${path}">
    <input type="hidden" name="at" value="${found.at}" />
    <input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="definition" value="${definition}" />
    ${buttons.map(
      ({ decision, word }) =>
        html`<button type="submit" name="decision" value="${decision}">${word}</button> `,
    )}
  </form>`;
}

/** How a tool compares with what was accepted, in a few words. */
type PinKind = NonNullable<ToolView['pin']>;

const WORDS: Readonly<Record<PinKind, string>> = {
  same: 'as accepted',
  new: 'not accepted yet',
  safer: 'changed, safer',
  neutral: 'changed, neither safer nor riskier',
  riskier: 'changed, riskier',
  renamed: 'renamed',
};

export function pinWord({ pin, quarantined }: Pick<ToolView, 'pin' | 'quarantined'>): string {
  const word = pin === undefined ? 'none' : WORDS[pin];
  return quarantined ? `${word}; held back` : word;
}

/** How the tools of a server compare with what was accepted, in one line. */
export function pinsSummary(pins: ServerPins): string {
  if (pins.kind === 'none') return 'no pins';
  if (pins.kind === 'faults') return 'the lock cannot be read';
  const { rows } = pins;
  const count = (test: (row: (typeof rows)[number]) => boolean): number => rows.filter(test).length;
  const parts: readonly (readonly [number, string])[] = [
    [count(({ quarantined, twice }) => quarantined || twice), 'held back'],
    [count(({ drift, quarantined }) => isChanged(drift.kind) && !quarantined), 'changed'],
    [newRows(rows).length, 'not accepted yet'],
    [count(({ drift }) => drift.kind === 'gone'), 'gone'],
    [count(({ drift }) => drift.kind === 'same'), 'as accepted'],
  ];
  const words = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return words.join(', ') || 'no tools known yet';
}

function isChanged(kind: string): boolean {
  return kind === 'safer' || kind === 'neutral' || kind === 'riskier' || kind === 'renamed';
}
