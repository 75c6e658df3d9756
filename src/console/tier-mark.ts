/** Each tier as people see it: a word, a shape and a colour, never the colour alone. */
import type { Tier } from '../effect/tier.ts';

export interface TierMark {
  readonly word: string;
  /** Drawn beside the word; tells tiers apart without colour. */
  readonly shape: string;
  /** The name of a CSS variable. */
  readonly colour: string;
}

export const TIER_MARKS: Readonly<Record<Tier, TierMark>> = Object.freeze({
  read: { word: 'reads', shape: '○', colour: '--tier-read' },
  compute: { word: 'changes', shape: '◐', colour: '--tier-compute' },
  share_export: { word: 'shares', shape: '△', colour: '--tier-share' },
  external_spend: { word: 'spends', shape: '◆', colour: '--tier-spend' },
  destructive: { word: 'destroys', shape: '■', colour: '--tier-destructive' },
});
