/** Spends whose estimate is not there, or would itself change something, as refusals by name. */
import type { Operation } from '../../effect/operation.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Refusal } from './finding.ts';

export function checkEstimates(operations: readonly Operation[]): ReadonlyMap<string, Refusal> {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const refused = new Map<string, Refusal>();
  for (const { name, effect } of operations) {
    const estimate = effect.money?.estimate;
    if (estimate === undefined) continue;
    const partner = byName.get(estimate);
    if (partner !== undefined && TIERS[partner.effect.tier].looksOnly) continue;
    const what = partner === undefined ? 'got no tool' : 'is no read';
    const sentence = `Its estimate "${estimate}" ${what}; name an operation that only looks.`;
    refused.set(name, { operation: name, code: 'estimate-missing', sentence });
  }
  return refused;
}
