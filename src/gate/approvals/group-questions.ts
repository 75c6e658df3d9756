/** Groups questions that are alike, so that many calls of one tool cannot hide the one call of another. Pure. */
import type { Approval } from './approval.ts';

interface QuestionGroup<T> {
  /** Shown each by itself. */
  readonly first: readonly T[];
  /** Folded away. */
  readonly more: readonly T[];
}

const MOST_SHOWN = 3;

/** By caller, server and tool, in the order of the first of each. */
export function groupQuestions<T extends Pick<Approval, 'binding'>>(
  questions: readonly T[],
): readonly QuestionGroup<T>[] {
  const groups = Map.groupBy(questions, ({ binding: { tenant, principal, server, tool } }) =>
    JSON.stringify([tenant, principal, server, tool]),
  );
  return [...groups.values()].map((alike) => ({
    first: alike.slice(0, MOST_SHOWN),
    more: alike.slice(MOST_SHOWN),
  }));
}
