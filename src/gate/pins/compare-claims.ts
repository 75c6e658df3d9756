/** Compares what two definitions declare in `_meta`. */
import { META_KEYS } from '../../effect/meta-keys.ts';
import { isTier, TIERS } from '../../effect/tier.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Direction, DriftChange } from './drift.ts';
import { toPointer } from './drift.ts';
import type { JsonRecord } from './tool-definition.ts';
import { own, toRecord } from './tool-definition.ts';

const { sideEffect, effect, claudeAsks, cursorAsks } = META_KEYS;

export function compareClaims(before: JsonRecord, after: JsonRecord): readonly DriftChange[] {
  const old = toRecord(own(before, '_meta'));
  const now = toRecord(own(after, '_meta'));
  return Object.values(META_KEYS).flatMap(({ key }): DriftChange[] => {
    const was = own(old, key);
    const is = own(now, key);
    if (textOf(was) === textOf(is)) return [];
    const text = `its ${key} is another`;
    return [
      { code: 'claim', direction: pointOf(key, was, is), pointer: toPointer('_meta', key), text },
    ];
  });
}

function pointOf(key: string, was?: JsonValue, is?: JsonValue): Direction {
  if (key === claudeAsks.key || key === cursorAsks.key) return is === true ? 'safer' : 'riskier';
  // Silence is neither better nor worse than a claim; what the claim did to the reading shows there.
  if (was === undefined || is === undefined) return 'neutral';
  if (key === sideEffect.key) return stepOf(severityOf(was), severityOf(is)) ?? 'riskier';
  if (key === effect.key) {
    // What else a declared effect says has no order; a change of it is for a person to see.
    return stepOf(severityOf(tierIn(was)), severityOf(tierIn(is))) ?? 'riskier';
  }
  return 'neutral';
}

function severityOf(tier: JsonValue | undefined): number {
  return isTier(tier) ? TIERS[tier].severity : Number.POSITIVE_INFINITY;
}

function tierIn(value: JsonValue | undefined): JsonValue | undefined {
  return own(toRecord(value), 'tier');
}

function stepOf(was: number, is: number): Direction | undefined {
  if (was === is) return undefined;
  return is > was ? 'riskier' : 'safer';
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : toCanonicalJson(value);
}
