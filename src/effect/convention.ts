/**
 * A convention: one team's rule from effects to what goes on the wire. Pure; it reads an effect and
 * never another convention's hints. Exceptions are part of the convention and each carries its reason.
 */
import type { Effect } from './effect.ts';
import type { HintName, Hints } from './hints.ts';
import { isHintName } from './hints.ts';
import type { MetaField } from './meta-keys.ts';
import type { ClassLists } from './safety-class.ts';
import type { Tier } from './tier.ts';

export interface Convention {
  readonly name: string;
  /** The rule, for one effect of fixed arguments. */
  readonly hints: (effect: Effect) => Hints;
  /**
   * What is sent for all possible effects of an operation, the base first. By default each promise is
   * made only if every possible effect makes it.
   */
  readonly worstCase?: (effects: readonly Effect[]) => Hints;
  /** The tier that the hints tell by themselves, for lists without `_meta`, if they tell one. */
  readonly tierOf?: (hints: Hints) => Tier | undefined;
  /** Where the human-readable title goes. */
  readonly titleIn: readonly ('tool' | 'annotations')[];
  readonly meta: readonly MetaField[];
  /** Whether output schemas are listed. */
  readonly listsOutputSchema: boolean;
  /** Whether callers see tools for which they lack the scope. */
  readonly lists: 'all' | 'permitted';
  readonly exceptions: readonly ConventionException[];
  /** Which tools the team says in public belong to which class; must agree with what they declare. */
  readonly classes?: ClassLists;
  /** Operations that a server with this convention must have, since exceptions were added for them. */
  readonly expects?: readonly string[];
}

/** One operation for which the convention departs from its own rule. */
export interface ConventionException {
  readonly operation: string;
  readonly hints: Readonly<Partial<Record<HintName, boolean | 'omit'>>>;
  readonly reason: string;
}

export function defineConvention(convention: Convention): Convention {
  for (const { operation, hints, reason } of convention.exceptions) {
    if (reason.trim() === '') {
      throw new TypeError(`${convention.name}: the exception for ${operation} needs a reason`);
    }
    for (const [name, value] of Object.entries(hints)) {
      if (!isHintName(name)) {
        throw new TypeError(
          `${convention.name}: ${name} of ${operation} is not one of the four hints`,
        );
      }
      if (typeof value !== 'boolean' && value !== 'omit') {
        throw new TypeError(
          `${convention.name}: ${name} of ${operation} must be true, false or 'omit', not ${JSON.stringify(value)}`,
        );
      }
    }
    if (hints.readOnlyHint === true && hints.destructiveHint === true) {
      throw new TypeError(
        `${convention.name}: ${operation} cannot be read-only and destructive at once`,
      );
    }
  }
  return Object.freeze(convention);
}

/** The same convention with more exceptions, each for an operation that the server must have. */
export function withExceptions(
  convention: Convention,
  exceptions: readonly ConventionException[],
): Convention {
  const added = exceptions.map(({ operation }) => operation);
  return defineConvention({
    ...convention,
    exceptions: [...convention.exceptions, ...exceptions],
    expects: [...(convention.expects ?? []), ...added],
  });
}

/** The hints after the convention's exceptions for one operation. */
export function applyExceptions(convention: Convention, operation: string, hints: Hints): Hints {
  const result: Partial<Record<HintName, boolean>> = { ...hints };
  for (const exception of convention.exceptions) {
    if (exception.operation !== operation) continue;
    for (const [name, value] of Object.entries(exception.hints) as [HintName, boolean | 'omit'][]) {
      if (value === 'omit') delete result[name];
      else result[name] = value;
    }
  }
  return Object.freeze(result);
}
