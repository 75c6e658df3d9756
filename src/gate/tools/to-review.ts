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
  return sortForReview(tools, pins).flatMap(({ tool, leftOut }) =>
    leftOut === undefined ? [tool] : [],
  );
}

/** Why a tool is not up for review. `certain`: by its name, or since it is a plain thing to do. */
export type LeftOut =
  | 'no-name'
  | 'listed-twice'
  | 'by-arguments'
  | 'stated'
  | 'riskier'
  | 'certain';

export interface Sorted<T> {
  readonly tool: T;
  /** Absent for one that is to be reviewed. */
  readonly leftOut?: LeftOut;
}

export function sortForReview<T extends Reviewable>(
  tools: readonly T[],
  pins: ReadonlyMap<string, PinEntry> | undefined,
): readonly Sorted<T>[] {
  const checks = checkPins(
    pins ?? new Map<string, PinEntry>(),
    tools.map(({ definition }) => definition),
  );
  const times = new Map<string, number>();
  for (const { name } of tools) times.set(name, (times.get(name) ?? 0) + 1);
  const whyNot = ({ name, definition, inferred }: T): LeftOut | undefined => {
    // A pin goes by the name: it must be one that can be read, and that of one tool only.
    if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) return 'no-name';
    if (times.get(name) !== 1) return 'listed-twice';
    if (checks.get(name)?.quarantined === true) return 'riskier';
    if (pins?.get(name)?.stated === true) return 'stated';
    // At any confidence: a server can lower it with hints that are not true, to have a tool offered.
    if (dependsOnArguments(inferred, inputSchemaOf(definition))) return 'by-arguments';
    return inferred.confidence < SURE || asksByGuess(inferred) ? undefined : 'certain';
  };
  return tools.map((tool) => {
    const leftOut = whyNot(tool);
    return leftOut === undefined ? { tool } : { tool, leftOut };
  });
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
