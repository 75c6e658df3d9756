/** The tools that a person should say more about than inference can tell; the terminal and the console ask about the same. */
import { dependsOnArguments } from '../../effect/infer/depends-on-arguments.ts';
import type { InferredEffect } from '../../effect/infer/infer-effect.ts';
import type { ReasonSource } from '../../effect/infer/reason.ts';
import type { PinEntry } from './lock.ts';
import { checkPins } from './pins.ts';

/** Below this, inference is more often wrong than a person. */
const SURE = 0.7;

interface Reviewable {
  readonly name: string;
  readonly definition: unknown;
  readonly inferred: InferredEffect;
}

/**
 * In their order, of all tools of a server. One whose tier a person has stated needs no review; one that got riskier than
 * its pin is no question of what it does, but of whether the change is accepted, and is asked where the change is shown.
 */
export function toReview<T extends Reviewable>(
  tools: readonly T[],
  pins: ReadonlyMap<string, PinEntry> | undefined,
): readonly T[] {
  const checks = checkPins(
    pins ?? new Map<string, PinEntry>(),
    tools.map(({ definition }) => definition),
  );
  const times = new Map<string, number>();
  for (const { name } of tools) times.set(name, (times.get(name) ?? 0) + 1);
  return tools.filter(
    ({ name, definition, inferred }) =>
      (inferred.confidence < SURE || asksByGuess(inferred)) &&
      // A pin goes by the name: it must be one that can be read, and that of one tool only.
      /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) &&
      times.get(name) === 1 &&
      // At any confidence: a server can lower it with hints that are not true, to have a tool offered.
      !dependsOnArguments(inferred, inputSchemaOf(definition)) &&
      pins?.get(name)?.stated !== true &&
      checks.get(name)?.quarantined !== true,
  );
}

/**
 * It asks, and its name does not say why: a person may know better than its description, its parameters or its
 * server's warning.
 */
function asksByGuess({ asks, reasons: [first] }: InferredEffect): boolean {
  return asks && first !== undefined && GUESSED_FROM.has(first.source);
}
const GUESSED_FROM: ReadonlySet<ReasonSource> = new Set<ReasonSource>([
  'title',
  'description',
  'schema',
  'annotations',
]);

function inputSchemaOf(definition: unknown): unknown {
  if (typeof definition !== 'object' || definition === null) return undefined;
  return 'inputSchema' in definition ? definition.inputSchema : undefined;
}
