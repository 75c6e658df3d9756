/** The form that narrows the list of tools. It only asks; nothing changes by it. */
import { html } from 'hono/html';
import { HINT_NAMES } from '../../effect/hints.ts';
import { TIER_NAMES, TIERS } from '../../effect/tier.ts';
import { showText } from '../../gate/approve/show-text.ts';
import { BASES } from '../data/basis.ts';
import type { SaidHint } from '../data/said-hint.ts';
import type { ToolFilter } from '../data/tool-filter.ts';
import { toHintWord } from '../data/tool-filter.ts';
import type { Markup } from '../page.ts';
import { TIER_MARKS } from '../tier-mark.ts';
import { hintWord } from './hint-words.ts';
import type { Choice } from './select-field.ts';
import { selectField } from './select-field.ts';
import { VERDICT_WORDS } from './verdict-words.ts';

const SAID: readonly SaidHint[] = ['true', 'false', 'unsaid', 'unclear'];

const TIER_CHOICES: readonly Choice[] = TIER_NAMES.toSorted(
  (a, b) => TIERS[b].severity - TIERS[a].severity,
).map((tier) => ({ value: tier, word: `${TIER_MARKS[tier].shape} ${TIER_MARKS[tier].word}` }));

const HINT_CHOICES: readonly Choice[] = HINT_NAMES.flatMap((name) =>
  SAID.map((said) => ({ value: toHintWord({ name, said }), word: hintWord(name, said) })),
);

const BASIS_CHOICES: readonly Choice[] = Object.keys(BASES).map((value) => ({
  value,
  word: value,
}));

const VERDICT_CHOICES: readonly Choice[] = Object.entries(VERDICT_WORDS).map(([value, word]) => ({
  value,
  word,
}));

export function toolsFilterForm(filter: ToolFilter, servers: readonly string[]): Markup {
  const { q = '', tier, server, hint, evidence, verdict } = filter;
  const names = servers.map((name) => ({ value: name, word: showText(name) }));
  return html`<form class="filters" method="get" action="/tools" role="search">
    <label>Search <input type="search" name="q" value="${q}" /></label>
    ${selectField({ label: 'Tier', name: 'tier', choices: TIER_CHOICES, chosen: tier, any: 'any' })}
    ${selectField({ label: 'Server', name: 'server', choices: names, chosen: server, any: 'any' })}
    ${selectField({
      label: 'Says',
      name: 'hint',
      choices: HINT_CHOICES,
      chosen: hint && toHintWord(hint),
      any: 'anything',
    })}
    ${selectField({
      label: 'Known by',
      name: 'evidence',
      choices: BASIS_CHOICES,
      chosen: evidence,
      any: 'any',
    })}
    ${selectField({
      label: 'Here it',
      name: 'verdict',
      choices: VERDICT_CHOICES,
      chosen: verdict,
      any: 'any',
    })}
    <button type="submit">Show</button>
  </form>`;
}
