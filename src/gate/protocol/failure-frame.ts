/** How the wire's own failures look to a client: JSON-RPC errors that carry a problem. */
import type { JsonValue } from '../../lib/json-value.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Failure } from './channel.ts';
import type { Frame, RpcId } from './frame.ts';
import { toFrame } from './frame.ts';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

export function toFailureFrame(id: RpcId, failure: Failure): Frame {
  return toErrorFrame(id, INTERNAL_ERROR, toFailureProblem(failure));
}

/** Says plainly whether anything can have happened. */
export function toFailureProblem({ kind, detail, retryAfterSeconds }: Failure): Problem {
  if (kind === 'lost') return toProblem('server-stopped', `${detail}.`);
  const fields = retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds };
  return toProblem('unavailable', `${detail}. Nothing was run.`, fields);
}

export function toRefusalFrame(id: RpcId | null, problem: Problem): Frame {
  const code = problem.code === 'malformed-json' ? PARSE_ERROR : INVALID_REQUEST;
  return toErrorFrame(id, code, problem);
}

export function toErrorFrame(id: RpcId | null, code: number, problem: Problem): Frame {
  const data = { ...problem } as unknown as JsonValue; // a problem holds nothing that JSON cannot
  return toFrame({ jsonrpc: '2.0', id, error: { code, message: problem.detail, data } });
}
