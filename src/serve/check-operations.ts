/** What can be wrong between operations, found when the server is made. */
import type { Operation } from '../effect/operation.ts';
import { possibleEffects } from '../effect/effect.ts';
import { TIERS } from '../effect/tier.ts';

/** Throws one error that names everything to be mended. */
export function checkOperations(operations: readonly Operation[], canSignIn: boolean): void {
  const faults = [
    ...checkNames(operations),
    ...checkEstimates(operations),
    ...(canSignIn ? [] : checkReachable(operations)),
  ];
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
}

function* checkNames(operations: readonly Operation[]): Generator<string> {
  const seen = new Set<string>();
  for (const { name } of operations) {
    if (seen.has(name)) yield `${name}: two operations have this name; rename one`;
    seen.add(name);
  }
}

function* checkEstimates(operations: readonly Operation[]): Generator<string> {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  for (const { name, effect } of operations) {
    for (const { money } of possibleEffects(effect)) {
      if (money?.estimate === undefined) continue;
      const partner = byName.get(money.estimate);
      if (partner === undefined) {
        yield `${name}: its estimate "${money.estimate}" is not an operation of this server`;
      } else if (!TIERS[partner.effect.tier].looksOnly) {
        yield `${name}: its estimate "${money.estimate}" must be a read, so that asking costs nothing`;
      }
    }
  }
}

function* checkReachable(operations: readonly Operation[]): Generator<string> {
  for (const { name, scopes } of operations) {
    if (scopes.length > 0) {
      yield `${name}: it needs ${scopes.join(' ')}, but nobody can sign in; give createServer an authenticate function`;
    }
  }
}
