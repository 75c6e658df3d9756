/**
 * What every golden test of a convention shares: writing a declaration in one line, and comparing what
 * the convention stamps with what was recorded, omissions included.
 */
import type { Declaration, Effect, Convention, HintName } from 'plimsoll';
import { stamp } from 'plimsoll';

export interface Recorded {
  readonly name: string;
  readonly hints: Readonly<Partial<Record<HintName, boolean>>>;
}

/** One declaration, without the half that runs. */
export function declare(
  name: string,
  title: string,
  effect: Effect,
  scopes: readonly string[] = [],
  produces: readonly string[] = [],
): Declaration {
  return { name, title, effect, scopes, produces };
}

/** The stamped hints alone, by operation name. */
export function hintsByName(
  declarations: readonly Declaration[],
  convention: Convention,
): Record<string, Recorded['hints']> {
  return Object.fromEntries(
    declarations.map((declaration) => {
      const { title: _, ...hints } = stamp(declaration, convention).annotations;
      return [declaration.name, hints];
    }),
  );
}
