/**
 * Mutations whose body is any JSON object, for scripts that know what they do. Nobody can judge such a
 * body before it is run, so they are no tools; each step goes through the operation that is one.
 */
import type { Problem } from 'plimsoll/server';
import { ProblemError } from 'plimsoll/server';
import type { Handler } from './route.ts';
import { Refused, toJson } from './route.ts';

const MOST_STEPS = 100;

export const deleteItems: Handler = async ({ body, call }) => {
  const ids = toSteps((await body())['ids'], 'ids');
  return toJson(await runSteps(ids, (item_id) => call('items.delete', { item_id })));
};

export const runGraph: Handler = async ({ body, call }) => {
  const steps = toSteps((await body())['steps'], 'steps');
  return toJson(
    await runSteps(steps, (step) => call('processing.execute', { ...(step as object) })),
  );
};

interface Ran {
  readonly done: readonly unknown[];
  /** Why the step after those was refused; nothing after it was run. */
  readonly stopped?: Problem;
}

/** In order, up to the first that is refused. Refusing the first one refuses the request. */
async function runSteps(
  steps: readonly unknown[],
  run: (step: unknown) => Promise<unknown>,
): Promise<Ran> {
  const done: unknown[] = [];
  for (const step of steps) {
    try {
      done.push(await run(step));
    } catch (error) {
      if (done.length === 0 || !(error instanceof Refused)) throw error;
      return { done, stopped: error.problem };
    }
  }
  return { done };
}

function toSteps(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= MOST_STEPS) return value as readonly unknown[];
  const detail = `"${name}" must be a list of at most ${MOST_STEPS}. Nothing was run.`;
  throw new ProblemError('invalid-input', detail);
}
