/** What is in doubt, and how to settle it. Only shows: a person settles it in the terminal. */
import { html } from 'hono/html';
import { showText } from '../../gate/approve/show-text.ts';
import type { ClaimRow } from '../../ledger/tables.ts';
import type { UnknownCalls } from '../data/list-unknown.ts';
import type { Markup } from '../page.ts';
import { when } from './when.ts';

export function unknownCalls({ claims, hasMore }: UnknownCalls): Markup {
  return html`<section aria-labelledby="unknown">
    <h2 id="unknown">Unknown outcomes</h2>
    ${
      claims.length === 0
        ? html`<p class="empty">
            None. A call stands here when it was sent and no answer came back, so that nobody knows
            whether it happened.
          </p>`
        : html`<p>
              These calls were sent, and nobody knows whether they happened. Nothing runs them again
              by itself. Look at the other side, then say what you found:
            </p>
            ${claims.map(toItem)}`
    }
    ${hasMore ? html`<p>There are more: <code>plimsoll ledger unknown --ledger LEDGER</code></p>` : ''}
  </section>`;
}

function toItem({ id, operation, principal, key_hint, updated_at }: ClaimRow): Markup {
  return html`<article>
    <h3><code>${showText(operation)}</code></h3>
    <p>
      By ${principal === '' ? 'nobody known' : showText(principal)}, key ${showText(key_hint)}…,
      unknown since ${when(updated_at)}
    </p>
    <pre>
plimsoll ledger resolve ${showText(id)} --as executed --reason "…" --ledger LEDGER
plimsoll ledger resolve ${showText(id)} --as not-executed --reason "…" --ledger LEDGER</pre>
  </article>`;
}
