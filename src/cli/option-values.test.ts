import { expect, it } from 'vitest';
import { TIER_MARKS } from '../console/pages/parts.ts';
import { TIER_NAMES } from '../effect/tier.ts';
import { toTier } from './option-values.ts';

it('a tier goes by its name, and by its word on the pages of the console', () => {
  for (const tier of TIER_NAMES) {
    expect(toTier(tier)).toBe(tier);
    expect(toTier(TIER_MARKS[tier].word)).toBe(tier);
  }
  expect(() => toTier('spend')).toThrow('spends (external_spend)');
});
