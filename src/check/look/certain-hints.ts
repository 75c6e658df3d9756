/**
 * The hints whose only right value the tool's own words tell beyond doubt, for a fix. Claims are left
 * out of the reading, and whatever lies between a plain read and a plain removal is left to the author.
 */
import { changeOf } from '../../effect/effect.ts';
import type { Hints } from '../../effect/hints.ts';
import { TIERS } from '../../effect/tier.ts';
import type { ToolSubject } from '../subject.ts';
import { plainReading } from './plain-reading.ts';

const CERTAIN = 0.9;

export function certainHints(tool: ToolSubject): Hints {
  const { effect, confidence } = plainReading(tool);
  if (confidence < CERTAIN || effect.varies.length > 0) return {};
  if (TIERS[effect.tier].looksOnly) return { readOnlyHint: true, destructiveHint: false };
  if (changeOf(effect) === 'removes') return { readOnlyHint: false, destructiveHint: true };
  return { readOnlyHint: false };
}
