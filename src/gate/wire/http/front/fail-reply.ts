/** Answers a request that got no answer: an error that says whether anything can have happened. */
import type { Failure } from '../../channel.ts';
import { toErrorFrame, toFailureProblem } from '../../failure-frame.ts';
import type { RpcId } from '../../frame.ts';
import type { Reply } from './reply.ts';

const INTERNAL_ERROR = -32_603;

export const CHANNEL_CLOSED: Failure = Object.freeze({
  kind: 'lost',
  detail: 'The connection to the server was closed before it answered',
});

export function failReply(reply: Reply, id: RpcId, failure: Failure): void {
  const problem = toFailureProblem(failure);
  const { retryAfter } = problem;
  const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) };
  reply.answer(toErrorFrame(id, INTERNAL_ERROR, problem).bytes, problem.status, headers);
}
