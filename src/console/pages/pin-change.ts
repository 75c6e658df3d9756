/** One tool that is not as it was accepted: the direction, what changed in words, the lines, the choice. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import type { PinState } from '../data/server-pins.ts';
import type { Markup } from '../page.ts';
import type { PinButton } from './pin-form.ts';
import { pinForm } from './pin-form.ts';
import { tierTag } from './tier-tag.ts';
import { toolLink } from './tool-link.ts';

/** Longer than anybody reads; and what nobody reads, nobody accepts here. */
const LONGEST_DIFF = 40_000;

export function pinChange(server: string, row: PinState, csrf: string): Markup {
  const { name, drift, quarantined, tier, diff, definition, twice, pin } = row;
  const changes = 'changes' in drift ? drift.changes : [];
  const isLong = diff.length > LONGEST_DIFF;
  return html`<article class="drift">
    <h3>${toolLink(server, name)} <small>${headline(row)}</small></h3>
    <p>
      ${tier === undefined ? '' : html`It reads as ${tierTag(tier)} now.`}
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
            ${diffLines(diff)}
          </details>`
    }
    ${
      isLong
        ? html`<p>The change is too long to be read here; <code>plimsoll pin</code> shows it.</p>`
        : twice
          ? ''
          : pinForm({ server, csrf, definition, buttons: buttonsOf(row) })
    }
  </article>`;
}

function headline({ drift, twice }: PinState): string {
  if (twice) return 'listed twice in different words';
  return drift.kind === 'renamed' ? `renamed from ${showText(drift.from)}` : drift.kind;
}

function buttonsOf({ drift, quarantined }: PinState): readonly PinButton[] {
  if (drift.kind === 'gone') return [{ decision: 'drop', word: 'Let the pin go' }];
  const accept: PinButton = { decision: 'accept', word: 'Accept it as it is now' };
  return quarantined ? [accept, { decision: 'keep', word: 'Keep it held back' }] : [accept];
}

/** Marked by sign and element, never by colour alone. */
function diffLines(diff: string): Markup {
  const lines = diff.replace(/\n$/, '').split('\n').slice(2); // without the labels
  return html`<pre class="diff">
${lines.map((line) => {
  const shown = `${showText(line)}\n`;
  if (line.startsWith('+')) return html`<ins>${shown}</ins>`;
  return line.startsWith('-') ? html`<del>${shown}</del>` : shown;
})}</pre>`;
}
