/** What a tool claims, in three values, and how what it does is known, reason by reason. */
import { html } from 'hono/html';
import { HINT_DEFAULTS, HINT_NAMES } from '../../effect/hints.ts';
import type { Claim } from '../../effect/read-stamp.ts';
import { showText } from '../../gate/approve/show-text.ts';
import { BASES } from '../data/basis.ts';
import { toSaidHint } from '../data/said-hint.ts';
import type { ToolDetail } from '../data/tool-detail.ts';
import type { Markup } from '../page.ts';
import { hintWord } from './hint-words.ts';

export function toolClaims({ stamp }: ToolDetail): Markup {
  return html`<table>
      <thead>
        <tr>
          <th scope="col">Hint</th>
          <th scope="col">Says</th>
          <th scope="col">Means</th>
        </tr>
      </thead>
      <tbody>
        ${HINT_NAMES.map((name) => {
          const said = toSaidHint(stamp.hints[name]);
          const means =
            said === 'unsaid'
              ? `clients must assume ${HINT_DEFAULTS[name]}`
              : said === 'unclear'
                ? 'it cannot hold; nobody may rely on it'
                : hintWord(name, said);
          return html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td>${said}</td>
            <td>${means}</td>
          </tr>`;
        })}
        <tr>
          <th scope="row">tier</th>
          <td>${claimWord(stamp.tier)}</td>
          <td>in <code>_meta</code></td>
        </tr>
        <tr>
          <th scope="row">scopes</th>
          <td>${claimWord(stamp.scopes)}</td>
          <td>in <code>_meta</code></td>
        </tr>
      </tbody>
    </table>
    ${
      stamp.findings.length === 0
        ? ''
        : html`<ul>
            ${stamp.findings.map(
              ({ message, pointer }) =>
                html`<li>${showText(message)} <code>${showText(pointer)}</code></li>`,
            )}
          </ul>`
    }`;
}

export function toolReasons({ view, tool: { reading } }: ToolDetail): Markup {
  return html`<p>
      <b>${view.basis}</b>, ${Math.round(reading.confidence * 100)} % sure. ${BASES[view.basis]}
    </p>
    <ol>
      ${reading.reasons.map(
        ({ text, source }) => html`<li>${showText(text)} <small>(${source})</small></li>`,
      )}
    </ol>`;
}

function claimWord(claim: Claim<unknown>): string {
  switch (claim.state) {
    case 'claimed':
      return showText([claim.value].flat().join(' ')) || 'none';
    case 'absent':
      return 'unsaid';
    case 'contradictory':
      return 'unclear';
  }
}
