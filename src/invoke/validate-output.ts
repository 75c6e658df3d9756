/** Sixth stage: a result is sent only if it fits its operation's declaration. */
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import type { Reply } from '../effect/operation.ts';
import { possibleEffects } from '../effect/effect.ts';
import { Secret } from '../lib/secret.ts';
import { toProblem } from '../lib/problem.ts';
import type { Stage } from './flow.ts';
import { go, stop } from './flow.ts';
import { toInputErrors } from './validate-input.ts';

export const validateOutput: Stage = async (flow, services) => {
  const { operation, answer } = flow;
  if (isInputRequiredResult(answer)) return go(flow);
  const secrets = possibleEffects(operation.effect).flatMap((effect) => effect.secrets);
  const value = reveal(isReply(answer) ? answer.value : answer, secrets);
  if (operation.output === undefined) return go({ ...flow, answer: withValue(answer, value) });
  const result = await operation.output['~standard'].validate(value);
  if (result.issues === undefined) return go({ ...flow, answer: withValue(answer, result.value) });
  const reference = services.newId();
  services.report(
    `${operation.name} broke its output schema, reference ${reference}`,
    toInputErrors(result.issues),
  );
  const detail = `${operation.name} returned a result that does not fit its declared output.`;
  // The work was done, so the key record is settled; only its answer is lost.
  return stop(toProblem('invalid-output', detail, { reference }), 'succeeded');
};

export function isReply(answer: unknown): answer is Reply {
  return (
    typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'reply'
  );
}

function withValue(answer: unknown, value: unknown): unknown {
  return isReply(answer) ? { ...answer, value } : value;
}

/** The one place where a secret is unwrapped: on its way to the caller. */
function reveal(value: unknown, fields: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || fields.length === 0) return value;
  const open: Record<string, unknown> = { ...value };
  for (const field of fields) {
    const secret = open[field];
    if (secret instanceof Secret) open[field] = secret.reveal();
  }
  return open;
}
