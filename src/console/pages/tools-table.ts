/** Tools as rows: what each does, what happens to it here, how that is known, what it says, its pin. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import type { ToolView } from '../data/list-tools-view.ts';
import type { Markup } from '../page.ts';
import { hintWords } from './hint-words.ts';
import { pinWord } from './pin-word.ts';
import { toolLink } from './tool-link.ts';
import { VERDICT_WORDS } from './verdict-words.ts';

export function toolsTable(tools: readonly ToolView[], labelledBy: string): Markup {
  return html`<div class="wide" role="group" aria-labelledby="${labelledBy}" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Tool</th>
          <th scope="col">Server</th>
          <th scope="col">Does</th>
          <th scope="col">Here it</th>
          <th scope="col">Known by</th>
          <th scope="col">Says</th>
          <th scope="col">Pin</th>
        </tr>
      </thead>
      <tbody>
        ${tools.map(toRow)}
      </tbody>
    </table>
  </div>`;
}

function toRow(tool: ToolView): Markup {
  const { server, name, title, act, verdict, rule, basis, confidence, hints } = tool;
  const heading = title === undefined || title === name ? '' : html`${showText(title)}<br />`;
  return html`<tr>
    <th scope="row">${heading}${toolLink(server, name)}</th>
    <td>${showText(server)}</td>
    <td>${act}</td>
    <td title="by the rule ${rule}">${VERDICT_WORDS[verdict]}</td>
    <td>${basis} <small>${Math.round(confidence * 100)} %</small></td>
    <td>${hintWords(hints) || html`<i>nothing</i>`}</td>
    <td>${pinWord(tool)}</td>
  </tr>`;
}
