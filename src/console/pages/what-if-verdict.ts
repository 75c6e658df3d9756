/** A verdict in words: what becomes of the call, by which rule, under which terms, and what it would do. */
import { html } from 'hono/html';
import type { Mode } from '../../effect/effect.ts';
import { showText } from '../../gate/approve/show-text.ts';
import type { Terms, Verdict } from '../../gate/decide/verdict.ts';
import type { WhatIf } from '../data/what-if.ts';
import type { Markup } from '../page.ts';
import { tierTag } from './tier-tag.ts';
import { toolEffect } from './tool-effect.ts';

const WORDS: Readonly<Record<Verdict['kind'], string>> = {
  allow: 'It would run',
  ask: 'A person would be asked',
  deny: 'It would be refused',
};

export function whatIfVerdict(
  { verdict, tool, effect }: WhatIf & { kind: 'verdict' },
  mode: Mode | undefined,
): Markup {
  const { reading } = tool;
  const isNarrowed = effect !== reading.effect;
  return html`<p>
      <b>${WORDS[verdict.kind]}</b>, by the rule <code>${showText(verdict.rule)}</code>.
      ${tierTag(effect.tier)}${mode === undefined ? '' : `, ${mode}`}
    </p>
    ${grounds(verdict)}
    ${
      isNarrowed
        ? html`<p>
            These arguments make the difference: otherwise it ${tierTag(reading.effect.tier)}.
          </p>`
        : ''
    }
    <details open>
      <summary>What this call would do</summary>
      ${toolEffect({ ...effect, varies: [] })}
    </details>
    <details>
      <summary>How that is known (${Math.round(reading.confidence * 100)} % sure)</summary>
      <ol>
        ${reading.reasons.map(
          ({ text, source }) => html`<li>${showText(text)} <small>(${source})</small></li>`,
        )}
      </ol>
    </details>`;
}

function grounds(verdict: Verdict): Markup {
  switch (verdict.kind) {
    case 'allow':
      return html`<p>${termWords(verdict.terms)}</p>`;
    case 'ask': {
      const { channels, grants, expirySeconds } = verdict.asking;
      return html`<p>${showText(verdict.why)}</p>
        <p>
          Asked by ${channels.join(', ') || 'no channel'}, for ${expirySeconds} s; a yes may cover
          ${grants.join(', ')}. ${termWords(verdict.terms)}
        </p>`;
    }
    case 'deny':
      return html`<p>${showText(verdict.detail)} <code>${verdict.code}</code></p>`;
  }
}

function termWords({ budgets, cacheSeconds }: Terms): string {
  const drawn = budgets.map(({ name, limit, per }) => `${showText(name)} (${limit} a ${per})`);
  const budget = drawn.length === 0 ? 'It draws on no budget' : `It draws on ${drawn.join(', ')}`;
  return cacheSeconds === 0
    ? `${budget}.`
    : `${budget}; its answer may be kept for ${cacheSeconds} s.`;
}
