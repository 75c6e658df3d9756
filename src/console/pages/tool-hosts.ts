/** What each host will do with a tool, by what the tool says of itself. */
import { html } from 'hono/html';
import type { Answer } from '../../check/hosts/host.ts';
import type { ToolHosts } from '../../check/hosts/to-host-rows.ts';
import { showText } from '../../gate/approve/show-text.ts';
import type { Markup } from '../page.ts';

const WORDS: Readonly<Record<Answer, string>> = {
  free: 'runs it',
  asks: 'asks',
  refuses: 'refuses',
  unknown: 'not known',
};

export function toolHosts({ answers, disagree, freeThough }: ToolHosts): Markup {
  const names = freeThough.map(({ name }) => name).join(', ');
  return html`${
      freeThough.length === 0
        ? ''
        : html`<p class="warning"><b>Without the gate</b> it would run unasked in ${names}.</p>`
    }
    ${disagree ? html`<p>Hosts that go by hints do not agree about it.</p>` : ''}
    <div class="wide" role="group" aria-labelledby="hosts" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col">Setting</th>
            <th scope="col">It</th>
            <th scope="col">Because</th>
          </tr>
        </thead>
        <tbody>
          ${answers.map(
            ({ host, answer, because }) =>
              html`<tr>
                <th scope="row">${host.name}</th>
                <td>${host.setting}</td>
                <td>${WORDS[answer]}</td>
                <td>${showText(because)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}
