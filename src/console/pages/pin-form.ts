/** A form that answers for definitions that were shown. It names them by their hash, so that nothing else is accepted. */
import { html } from 'hono/html';
import type { Markup } from '../page.ts';
import { serverPath } from './server-path.ts';

export interface PinFormInit {
  readonly server: string;
  readonly csrf: string;
  readonly definition: string;
  readonly buttons: readonly PinButton[];
}

export interface PinButton {
  readonly decision: 'accept' | 'accept-new' | 'drop' | 'keep';
  readonly word: string;
}

export function pinForm({ server, csrf, definition, buttons }: PinFormInit): Markup | '' {
  const path = serverPath(server);
  if (path === undefined) return '';
  return html`<form method="post" action="${path}/pins">
    <input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="definition" value="${definition}" />
    ${buttons.map(
      ({ decision, word }) =>
        html`<button type="submit" name="decision" value="${decision}">${word}</button> `,
    )}
  </form>`;
}
