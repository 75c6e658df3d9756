/** A choice in a form, with its label. */
import { html } from 'hono/html';
import type { Markup } from '../page.ts';

export interface Choice {
  readonly value: string;
  readonly word: string;
}

export interface SelectInit {
  readonly label: string;
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
  /** What is said for no choice; without it, one must be made. */
  readonly any?: string;
}

export function selectField({ label, name, choices, chosen, any }: SelectInit): Markup {
  const all = any === undefined ? choices : [{ value: '', word: any }, ...choices];
  return html`<label
    >${label}
    <select name="${name}">
      ${all.map(
        ({ value, word }) =>
          html`<option value="${value}" ${value === (chosen ?? '') ? html`selected` : ''}>
            ${word}
          </option>`,
      )}
    </select></label
  >`;
}
