/** Whether `_meta` carries a mark that makes a person be asked: a tier that asks, a whole effect, or a host's own key. */
import { worstTier } from '../../effect/effect.ts';
import { META_KEYS } from '../../effect/meta-keys.ts';
import { readDeclaredEffect } from '../../effect/reading/read-declared-effect.ts';
import { TIERS } from '../../effect/tier.ts';
import type { ToolSubject } from '../subject.ts';
import { memberOf } from './member-of.ts';

export function isMarked({ raw, stamp }: ToolSubject): boolean {
  if (stamp.tier.state === 'claimed' && TIERS[stamp.tier.value].asks) return true;
  const asks = [META_KEYS.claudeAsks, META_KEYS.cursorAsks];
  if (asks.some(({ key }) => memberOf(raw, '_meta', key) === true)) return true;
  const declared = readDeclaredEffect(raw);
  return declared !== undefined && TIERS[worstTier(declared)].asks;
}
