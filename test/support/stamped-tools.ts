/** Tools as one convention would send them: one for each act and way of repeating, none with an exception. */
import type { Act } from '../../src/effect/act.ts';
import { ACTS } from '../../src/effect/act.ts';
import { BUILDERS } from '../../src/effect/acts.ts';
import type { Reach } from '../../src/effect/effect.ts';
import type { Convention } from '../../src/effect/convention.ts';
import { stamp } from '../../src/effect/stamp.ts';

export function stampedTools(convention: Convention): readonly unknown[] {
  const acts = Object.keys(ACTS) as Act[]; // the record's keys are exactly the union
  const reaches: readonly Reach[] = ['own-store', 'third-party'];
  return acts.flatMap((act) =>
    reaches.map((reach) => {
      const effect = BUILDERS[act]('note', { reach });
      const name = `${act}_note_${reach}`;
      return {
        name,
        ...stamp({ name, title: `Do ${name}`, effect, scopes: [], produces: [] }, convention),
      };
    }),
  );
}
