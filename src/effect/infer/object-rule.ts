/** One rule by which a verb means another act with certain objects; `act-with-object.ts` matches it. */
import type { Act } from '../act.ts';
import { TIERS } from '../tier.ts';
import type { Words } from './nouns.ts';
import { words } from './nouns.ts';
import { usualTier } from './reason.ts';

export interface ObjectRule {
  readonly act: Act;
  readonly verbs: Words;
  /** One of these accompanies the verb. */
  readonly nouns?: Words;
  /** It is the object itself, and not a word about another object: a message, not a message template. */
  readonly isHead?: boolean;
  /** And one of these. */
  readonly also?: Words;
  /** And none of these. */
  readonly without?: Words;
  /** The last noun is one of these. */
  readonly last?: Words;
  /** It asks for nobody. */
  readonly isMild: boolean;
}

type More = Omit<ObjectRule, 'act' | 'verbs' | 'nouns' | 'isMild'>;

export function rule(act: Act, verbs: string, nouns?: Words | string, more: More = {}): ObjectRule {
  const set = typeof nouns === 'string' ? words(nouns) : nouns;
  const isMild = !TIERS[usualTier(act)].asks;
  return { act, verbs: words(verbs), isMild, ...(set !== undefined && { nouns: set }), ...more };
}
