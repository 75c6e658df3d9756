/** What check finds about a tool: in a word beside it, and whole on its page. */
import { html } from 'hono/html';
import type { Finding, Severity } from '../../check/rule.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { Markup } from '../page.ts';

const WORDS: Readonly<Record<Severity, readonly [string, string]>> = Object.freeze({
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  info: ['note', 'notes'],
});

/** `1 error, 2 warnings`; empty when there is nothing. */
export function findingWords(findings: readonly Finding[]): string {
  return [...Map.groupBy(findings, ({ severity }) => severity)]
    .map(([severity, those]) => `${those.length} ${WORDS[severity][those.length === 1 ? 0 : 1]}`)
    .join(', ');
}

export function findingList(findings: readonly Finding[]): Markup {
  if (findings.length === 0) return html`<p><code>plimsoll check</code> finds nothing.</p>`;
  return html`<ul>
    ${findings.map(
      ({ severity, message, code, pointer }) =>
        html`<li>
          <b>${WORDS[severity][0]}</b>: ${showText(message)}
          <small><code>${showText(code)}</code> at <code>${showText(pointer)}</code></small>
        </li>`,
    )}
  </ul>`;
}
