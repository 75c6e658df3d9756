/**
 * Whether one tool does different things by what it is given: an action, a statement, a call of another tool. One
 * tier stated for all of its calls would either ask every time or let the gravest of them run.
 */
import type { InferredEffect } from './infer-effect.ts';
import { CHOOSING } from './read-actions.ts';
import { STATEMENT } from './read-arguments.ts';
import { EMPTIES, GRAVER_WHEN_TRUE } from './read-choices.ts';
import { readParameters } from './read-parameters.ts';
import type { ReasonCode } from './reason.ts';

export function dependsOnArguments(
  { effect: { varies }, reasons }: InferredEffect,
  inputSchema: unknown,
): boolean {
  return (
    varies.length > 0 ||
    reasons.some(({ code }) => DEPENDS.has(code)) ||
    readParameters(inputSchema).all.some(
      ({ key }) => !MODE.test(key) && TELLING.some((pattern) => pattern.test(key)),
    )
  );
}

const DEPENDS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'choice',
  'runs-code',
  'calls-tools',
]);
const TELLING: readonly RegExp[] = [...CHOOSING, STATEMENT, GRAVER_WHEN_TRUE, EMPTIES];
/** Most say how something is done; one with an act among its values is a choice. */
const MODE = /(?:^|_)mode$/;
