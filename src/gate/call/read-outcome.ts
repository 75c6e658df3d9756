/** What the answer of a server amounts to, for the receipt of its call. */
import { CALL_META_KEYS } from '../../effect/meta-keys.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { PROBLEMS } from '../../lib/problem-catalog.ts';
import type { ProblemCode } from '../../lib/problem-kind.ts';
import type { Frame } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';

export function readOutcome({
  result,
  error,
}: Pick<Frame['message'], 'result' | 'error'>): Receipt['outcome'] {
  if (error !== undefined) return 'tool-error';
  if (!isObject(result)) return 'success';
  if (result['resultType'] === 'input_required') return 'input-required';
  if (result['isError'] !== true) return 'success';
  const { _meta: meta, structuredContent } = result;
  const kept = isObject(meta) ? meta[CALL_META_KEYS.problem.key] : undefined;
  const problem = kept ?? structuredContent;
  const code = isObject(problem) ? problem['code'] : undefined;
  return isProblemCode(code) ? code : 'tool-error';
}

/** In the records of a gate, an internal error is one of the gate, whatever its server says of itself. */
function isProblemCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && code !== 'internal-error' && Object.hasOwn(PROBLEMS, code);
}
