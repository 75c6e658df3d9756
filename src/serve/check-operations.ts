/** Finds conflicts between operations when the server is created. */
import type { Convention } from '../effect/convention.ts';
import { takesKey } from '../effect/idempotency-key.ts';
import type { Operation } from '../effect/operation.ts';
import { possibleEffects, worstTier } from '../effect/effect.ts';
import { checkClassLists } from '../effect/safety-class.ts';
import { readStamp } from '../effect/read-stamp.ts';
import { stamp } from '../effect/stamp.ts';
import { TIERS } from '../effect/tier.ts';

/** Throws one error that lists everything to fix. */
export function checkOperations(
  operations: readonly Operation[],
  convention: Convention,
  can: { readonly signIn: boolean; readonly keyRecord: boolean },
): void {
  const faults = [
    ...checkNames(operations),
    ...checkEstimates(operations),
    ...checkStamps(operations, convention),
    ...checkExceptions(operations, convention),
    ...checkLists(operations, convention),
    ...(can.signIn ? [] : checkReachable(operations)),
    ...(can.keyRecord ? [] : checkKeyed(operations)),
  ];
  if (faults.length > 0) throw new OperationsError(faults.join('\n'));
}

/** Operations that do not go together. The author fixes them; code does not catch it. */
class OperationsError extends TypeError {
  override readonly name = 'OperationsError';
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
      } else if (!TIERS[worstTier(partner.effect)].readsOnly) {
        yield `${name}: its estimate "${money.estimate}" must be a read, so that estimating has no effect`;
      }
    }
  }
}

/**
 * A convention's exceptions can still contradict each other on one tool; reading the stamp back finds
 * that.
 */
function* checkStamps(operations: readonly Operation[], convention: Convention): Generator<string> {
  for (const operation of operations) {
    for (const { message } of readStamp({ name: operation.name, ...stamp(operation, convention) })
      .findings) {
      yield `${operation.name}: under convention ${convention.name}, ${message}; fix the exception`;
    }
  }
}

/** A misspelled exception would leave the hints of its operation as they are. */
function* checkExceptions(
  operations: readonly Operation[],
  convention: Convention,
): Generator<string> {
  const names = new Set(operations.map(({ name }) => name));
  for (const name of convention.expects ?? []) {
    if (!names.has(name)) {
      yield `${name}: convention ${convention.name} has an exception for it, but this server has no such operation; fix the name`;
    }
  }
}

/** What a team says of its tools in public must be what the tools say. */
function* checkLists(operations: readonly Operation[], convention: Convention): Generator<string> {
  const tools = operations.map((operation) => ({
    name: operation.name,
    hints: stamp(operation, convention).annotations,
  }));
  for (const { kind, message } of checkClassLists(convention.classes ?? {}, tools)) {
    // A server may have only some of the tools.
    if (kind === 'contradicts') yield `convention ${convention.name}: ${message}; fix one of them`;
  }
}

function* checkKeyed(operations: readonly Operation[]): Generator<string> {
  for (const { name, effect } of operations) {
    if (takesKey(effect)) {
      yield `${name}: it takes an idempotency key, which requires a ledger; pass createServer ledger: await openLedger('sqlite:FILE'), or context.ledger and start it with --ledger sqlite:FILE`;
    }
  }
}

function* checkReachable(operations: readonly Operation[]): Generator<string> {
  for (const { name, scopes } of operations) {
    if (scopes.length > 0) {
      yield `${name}: it requires ${scopes.join(' ')}, but nobody can sign in; pass createServer an authenticate function, or context.authenticate and start it with --grant`;
    }
  }
}
