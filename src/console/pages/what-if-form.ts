/** The form for a call that nobody makes. The name of the tool stands in it with every character visible. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import { own, toRecord } from '../../gate/pins/tool-definition.ts';
import type { ServerView } from '../console-services.ts';
import type { Question } from '../data/what-if.ts';
import type { Markup } from '../page.ts';
import { selectField } from './select-field.ts';

const MOST_NAMES = 300;

export function whatIfForm(
  { server, tool, argumentsText, principal, repeated }: Question,
  servers: readonly ServerView[],
  csrf: string,
): Markup {
  const choices = servers.map(({ name }) => ({ value: name, word: showText(name) }));
  const names = new Set(servers.flatMap(({ tools }) => tools.map(nameOf)).map(showText));
  return html`<p>Type in a call. It is judged as a real one would be, and goes nowhere.</p>
    <form class="what-if" method="post" action="/what-if">
      <input type="hidden" name="csrf" value="${csrf}" />
      ${selectField({ label: 'Server', name: 'server', choices, chosen: server })}
      <label
        >Tool
        <input
          name="tool"
          list="tool-names"
          value="${showText(tool)}"
          required
          autocomplete="off"
        />
      </label>
      <datalist id="tool-names">
        ${[...names].slice(0, MOST_NAMES).map((name) => html`<option value="${name}"></option>`)}
      </datalist>
      <label
        >Arguments, as JSON
        <textarea name="arguments" rows="6" spellcheck="false" placeholder="{}">
${argumentsText}</textarea>
      </label>
      <label>Caller <input name="principal" value="${principal}" autocomplete="off" /></label>
      <label class="check"
        ><input type="checkbox" name="repeated" value="1" ${repeated ? html`checked` : ''} /> as if
        an equal call had just been made</label
      >
      <button type="submit">Judge it</button>
    </form>`;
}

function nameOf(tool: unknown): string {
  const name = own(toRecord(tool), 'name');
  return typeof name === 'string' ? name : '';
}
