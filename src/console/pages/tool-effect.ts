/** What a tool does to the world, in words: its gravest case first, then what certain arguments change. */
import { html } from 'hono/html';
import type { Condition, Effect, Reach } from '../../effect/effect.ts';
import { effectsOf } from '../../effect/effect.ts';
import type { Repeat } from '../../effect/repeat.ts';
import { contractsOf } from '../../effect/repeat.ts';
import { TIERS } from '../../effect/tier.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { Markup } from '../page.ts';
import { tierTag } from './parts.ts';

const REACHES: Readonly<Record<Reach, string>> = {
  none: 'nothing outside the call',
  'own-store': "the server's own store",
  'own-account': "the caller's own account",
  'vendor-data': "a vendor's data",
  'third-party': 'other parties',
  'user-url': 'any address that the caller names',
};

const KEYS = {
  required: 'a new effect needs a new key; with the same key there is no second effect',
  optional: 'no second effect with the same key; without a key there is one',
  derived: 'the server derives the key from the content, so a repeat has no second effect',
} as const;

/** `estimate` is the tool that estimates the price, if one was found. */
export function toolEffect(effect: Effect, estimate?: string): Markup {
  const { tier, tierReason, repeat, reach, overwrites, reversible } = effect;
  const { varies, secrets, money, modes } = effect;
  return html`<dl>
      <dt>Tier</dt>
      <dd>${tierTag(tier)} — ${TIERS[tier].meaning}</dd>
      ${
        tierReason === undefined
          ? ''
          : html`<dt>Because</dt>
              <dd>${showText(tierReason)}</dd>`
      }
      <dt>Act</dt>
      <dd>${effectsOf(effect).map(actWords).join(', ')}</dd>
      <dt>Repeat</dt>
      <dd>${repeatWords(repeat)}</dd>
      <dt>Reaches</dt>
      <dd>${REACHES[reach]}</dd>
      <dt>Money</dt>
      <dd>${moneyWords(money, estimate)}</dd>
      <dt>Shown once</dt>
      <dd>${secrets.length === 0 ? 'no secrets' : secrets.map(showText).join(', ')}</dd>
      <dt>Undo</dt>
      <dd>
        ${reversible ? 'can be undone' : 'cannot be undone'}${
          overwrites ? '; overwrites existing content' : ''
        }
      </dd>
      <dt>Modes</dt>
      <dd>${modes.join(', ')}</dd>
    </dl>
    ${varies.length === 0 ? '' : variations(varies)}`;
}

function actWords({ act, object }: Effect): string {
  return object === 'unknown' ? act : `${act} (${showText(object)})`;
}

function conditionWords(condition: Condition): string {
  if ('state' in condition) return `the server finds: ${showText(condition.state)}`;
  const name = showText(condition.argument);
  if ('given' in condition) return `${name} is given`;
  return `${name} is ${condition.is.map((value) => showText(JSON.stringify(value))).join(' or ')}`;
}

interface VariationRow {
  /** All of them hold. */
  readonly when: readonly Condition[];
  readonly effect: Effect;
}

function toRows(
  varies: Effect['varies'],
  outer: readonly Condition[] = [],
): readonly VariationRow[] {
  return varies.flatMap(({ when, effect }) => {
    const all = [...outer, when];
    return [{ when: all, effect }, ...toRows(effect.varies, all)];
  });
}

function variations(varies: Effect['varies']): Markup {
  return html`<h3>With certain arguments</h3>
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Tier</th>
          <th scope="col">Act</th>
        </tr>
      </thead>
      <tbody>
        ${toRows(varies).map(
          ({ when, effect }) =>
            html`<tr>
              <th scope="row">${when.map(conditionWords).join(' and ')}</th>
              <td>${tierTag(effect.tier)}</td>
              <td>${effect.act}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function repeatWords(repeat: Repeat): string {
  return contractsOf(repeat).map(contractWords).join('; ');
}

function contractWords(repeat: Repeat): string {
  switch (repeat.kind) {
    case 'end-state':
      return repeat.result === 'same'
        ? 'a second call changes nothing more and returns the same'
        : 'a second call changes nothing more, but may return something else';
    case 'key':
      return KEYS[repeat.need];
    case 'version':
      return `the version must match${repeat.need === 'optional' ? ', if one is given' : ''}`;
    case 'fresh':
      return 'every call has a new effect';
  }
}

function moneyWords(money: Effect['money'], estimate: string | undefined): string {
  if (money === undefined) return 'none';
  const estimator = money.estimate ?? estimate;
  const price =
    estimator === undefined
      ? 'no tool estimates the price'
      : `${showText(estimator)} estimates the price`;
  return `${money.moves}, counted in ${showText(money.unit)}; ${price}`;
}
