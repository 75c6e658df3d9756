/** The parameters of a tool, those that matter for safety marked. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import type { Parameter } from '../../gate/pins/list-parameters.ts';
import { own } from '../../gate/pins/tool-definition.ts';
import type { Markup } from '../page.ts';

const MOST = 200;
const LONGEST = 300;

export function toolParameters(parameters: readonly Parameter[]): Markup {
  if (parameters.length === 0) return html`<p>It takes none.</p>`;
  const rest = parameters.length - MOST;
  return html`<div class="wide" role="group" aria-labelledby="parameters" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Needed</th>
            <th scope="col">Note</th>
            <th scope="col">What it says</th>
          </tr>
        </thead>
        <tbody>
          ${parameters.slice(0, MOST).map(toRow)}
        </tbody>
      </table>
    </div>
    ${rest > 0 ? html`<p>And ${rest} more.</p>` : ''}`;
}

function toRow({ chain, required, schema, risky, guards }: Parameter): Markup {
  const description = own(schema, 'description');
  const notes = [...(risky ? ['risky'] : []), ...(guards ? ['holds back'] : [])];
  return html`<tr>
    <th scope="row"><code>${showText(chain)}</code></th>
    <td>${typeWords(schema)}</td>
    <td>${required ? 'yes' : 'no'}</td>
    <td>${notes.join(', ')}</td>
    <td>${typeof description === 'string' ? shorten(description) : ''}</td>
  </tr>`;
}

function typeWords(schema: Parameter['schema']): string {
  const choices = own(schema, 'enum');
  if (Array.isArray(choices))
    return shorten(choices.map((each) => JSON.stringify(each)).join(' | '));
  const type = own(schema, 'type');
  const words = [type].flat().filter((word) => typeof word === 'string');
  return shorten(words.join(' | '));
}

function shorten(text: string): string {
  return showText(text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text);
}
