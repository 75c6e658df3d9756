/** A tier on a page: its shape and its word; the colour comes on top. */
import { html } from 'hono/html';
import type { Tier } from '../../effect/tier.ts';
import type { Markup } from '../page.ts';
import { TIER_MARKS } from '../tier-mark.ts';

export function tierTag(tier: Tier): Markup {
  const { shape, word } = TIER_MARKS[tier];
  return html`<span class="tier" data-tier="${tier}"
    ><span aria-hidden="true">${shape}</span> ${word}</span
  >`;
}
