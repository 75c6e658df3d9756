/** Sixth stage: a result leaves only as its operation declared it. */
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import type { Reply } from '../effect/operation.ts';
import type { Stage } from './flow.ts';
import { go, refuse } from './flow.ts';
import { toInputErrors } from './input-errors.ts';

export const validateOutput: Stage = async (flow, services) => {
  const { operation, answer } = flow;
  if (isInputRequiredResult(answer)) return go(flow);
  const value = isReply(answer) ? answer.value : answer;
  if (operation.output === undefined) return go(flow);
  const result = await operation.output['~standard'].validate(value);
  if (result.issues === undefined) {
    return go({
      ...flow,
      answer: isReply(answer) ? { ...answer, value: result.value } : result.value,
    });
  }
  const reference = services.newId();
  services.report(
    `${operation.name} broke its output schema, reference ${reference}`,
    toInputErrors(result.issues),
  );
  return refuse('invalid-output', `${operation.name} gave a result it had not declared.`, {
    reference,
  });
};

export function isReply(answer: unknown): answer is Reply {
  return (
    typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'reply'
  );
}
