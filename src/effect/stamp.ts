/**
 * The stamp: what a declaration puts on the wire under one convention. Annotations, where the title
 * goes, and `_meta`. Where the effect depends on arguments, the stamp is the worst case.
 */
import type { Effect } from './effect.ts';
import { effectsOf, possibleEffects, worstTier } from './effect.ts';
import type { Hints } from './hints.ts';
import { worstHints } from './hints.ts';
import type { Convention } from './convention.ts';
import { applyExceptions } from './convention.ts';
import type { MetaField } from './meta-keys.ts';
import { META_KEYS } from './meta-keys.ts';
import type { Declaration } from './operation.ts';
import { TIERS } from './tier.ts';

export interface Stamp {
  readonly title?: string;
  readonly annotations: Hints & { readonly title?: string };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export function stamp(declaration: Declaration, convention: Convention): Stamp {
  const { title } = declaration;
  const meta = deriveMeta(declaration, convention.meta);
  return Object.freeze({
    ...(convention.titleIn.includes('tool') && { title }),
    annotations: Object.freeze({
      ...(convention.titleIn.includes('annotations') && { title }),
      ...deriveHints(declaration, convention),
    }),
    ...(Object.keys(meta).length > 0 && { _meta: Object.freeze(meta) }),
  });
}

function deriveHints({ name, effect }: Declaration, convention: Convention): Hints {
  const effects = possibleEffects(effect).flatMap(toParts);
  const hints = convention.worstCase?.(effects) ?? worstHints(effects.map(convention.hints));
  return applyExceptions(convention, name, hints);
}

/** Each act of a call makes its own promises; what a repeat does is said of the call as a whole. */
function toParts(effect: Effect): readonly Effect[] {
  return effectsOf(effect).map((part) => ({ ...part, repeat: effect.repeat }));
}

function deriveMeta(
  declaration: Declaration,
  fields: readonly MetaField[],
): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  for (const field of fields) {
    const value = metaValue(field, declaration);
    if (value !== undefined) meta[META_KEYS[field].key] = value;
  }
  return meta;
}

function metaValue(field: MetaField, { effect, scopes, produces }: Declaration): unknown {
  const tier = worstTier(effect);
  switch (field) {
    case 'sideEffect':
      return tier;
    case 'requiredScope':
      return scopes.length > 0 ? scopes.join(' ') : undefined;
    case 'produces':
      return produces;
    case 'effect':
      return toWireEffect(effect);
    case 'claudeAsks':
    case 'cursorAsks':
      return TIERS[tier].asks ? true : undefined;
  }
}

/** The reasons are the author's notes and are not sent. */
function toWireEffect(effect: Effect): Readonly<Record<string, unknown>> {
  const { tierReason: _tier, secretsReason: _secrets, varies, also, ...own } = effect;
  const facts = also === undefined ? own : { ...own, also: also.map(toWireEffect) };
  if (varies.length === 0) return facts;
  return {
    ...facts,
    varies: varies.map(({ when, effect: other }) => ({ when, effect: toWireEffect(other) })),
  };
}
