/** The sections of a tool's page: its last calls, hosts, parameters, claims and reasons. */
import { html } from 'hono/html';
import type { Answer } from '../../check/hosts/decide-host.ts';
import type { ToolHosts } from '../../check/hosts/host-table.ts';
import { HINT_DEFAULTS, HINT_NAMES } from '../../effect/hints.ts';
import type { Claim } from '../../effect/read-stamp.ts';
import type { QuestionEnds } from '../../gate/approvals/question-ends.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { Parameter } from '../../gate/tools/compare-parameters.ts';
import { own } from '../../gate/tools/tool-definition.ts';
import type { FoundReceipt } from '../../ledger/tables.ts';
import { toQuery } from '../data/call-filter.ts';
import type { ToolDetail } from '../data/tools-view.ts';
import { BASES, toSaidHint } from '../data/tools-view.ts';
import type { Markup } from '../page.ts';
import { callsTable } from './calls.ts';
import type { DataRow } from './data-table.ts';
import { dataTable } from './data-table.ts';
import { hintWord } from './parts.ts';

interface ToolCallsInit {
  readonly server: string;
  readonly tool: string;
  readonly calls: readonly FoundReceipt[];
  readonly ends: QuestionEnds;
}

export function toolCalls({ server, tool, calls, ends }: ToolCallsInit): Markup {
  if (calls.length === 0)
    return html`<p>It has not been called yet. Its calls will be listed here.</p>`;
  return html`${callsTable({ calls, ends }, 'Last calls', { isOfOneTool: true })}
    <p><a href="/calls?${toQuery({ server, operation: tool })}">All its calls</a></p>`;
}

/** What each host will do with a tool, based on its hints. */
const WORDS: Readonly<Record<Answer, string>> = {
  free: 'runs it',
  asks: 'asks',
  refuses: 'refuses',
  unknown: 'not known',
};

export function toolHosts({ answers, disagree, freeThough }: ToolHosts): Markup {
  const names = freeThough.map(({ name }) => name).join(', ');
  const heads = ['Host', 'Setting', 'Action', 'Because'];
  const rows = answers.map(({ host, answer, because }) => ({
    cells: [host.name, host.setting, WORDS[answer], showText(because)],
  }));
  return html`${
    freeThough.length === 0
      ? ''
      : html`<p class="warning">
          <b>Without the gate</b> it would run without asking in ${names}.
        </p>`
  }
  ${disagree ? html`<p>Hosts that use hints disagree about it.</p>` : ''}
  ${dataTable({ name: { labelledBy: 'hosts' }, heads, rows })}`;
}

/** The parameters of a tool, with those that matter for safety marked. */
const MOST = 200;
const LONGEST = 300;

export function toolParameters(parameters: readonly Parameter[]): Markup {
  if (parameters.length === 0) return html`<p>None.</p>`;
  const rest = parameters.length - MOST;
  const heads = ['Name', 'Type', 'Required', 'Note', 'Description'];
  const rows = parameters.slice(0, MOST).map(toParameterRow);
  return html`${dataTable({ name: { labelledBy: 'parameters' }, heads, rows })}
  ${rest > 0 ? html`<p>And ${rest} more.</p>` : ''}`;
}

function toParameterRow({ chain, required, schema, risky, guards }: Parameter): DataRow {
  const description = own(schema, 'description');
  const notes = [...(risky ? ['risky'] : []), ...(guards ? ['holds back'] : [])];
  return {
    cells: [
      html`<code>${showText(chain)}</code>`,
      typeWords(schema),
      required ? 'yes' : 'no',
      notes.join(', '),
      typeof description === 'string' ? shorten(description) : '',
    ],
  };
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

/** What a tool claims (true, false or unset), and the reasons for its inferred effect. */
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
            said === 'unset'
              ? `clients must assume ${HINT_DEFAULTS[name]}`
              : said === 'unclear'
                ? 'invalid; it must not be relied on'
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

export function toolReasons({ view, tool: { inferred } }: ToolDetail): Markup {
  return html`<p>
      <b>${view.basis}</b>, ${Math.round(inferred.confidence * 100)} % sure. ${BASES[view.basis]}
    </p>
    <ol>
      ${inferred.reasons.map(
        ({ text, source }) => html`<li>${showText(text)} <small>(${source})</small></li>`,
      )}
    </ol>`;
}

function claimWord(claim: Claim<unknown>): string {
  switch (claim.state) {
    case 'claimed':
      return showText([claim.value].flat().join(' ')) || 'none';
    case 'absent':
      return 'unset';
    case 'contradictory':
      return 'unclear';
  }
}
