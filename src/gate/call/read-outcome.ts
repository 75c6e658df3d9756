/** What an answer of a server amounts to, for the record and for those who keep results. */
import { CALL_META_KEYS } from '../../effect/meta-keys.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { PROBLEMS } from '../../lib/problem-catalog.ts';
import type { ProblemCode } from '../../lib/problem-catalog.ts';
import type { Frame } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';

export function readOutcome({ message: { result, error } }: Frame): Receipt['outcome'] {
  if (error !== undefined) return 'internal-error';
  if (!isObject(result)) return 'success';
  if (result['resultType'] === 'input_required') return 'input-required';
  if (result['isError'] !== true) return 'success';
  const { _meta: meta } = result;
  const kept = isObject(meta) ? meta[CALL_META_KEYS.problem.key] : undefined;
  const problem = kept ?? result['structuredContent'];
  const code = isObject(problem) ? problem['code'] : undefined;
  return isProblemCode(code) ? code : 'internal-error';
}

function isProblemCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(PROBLEMS, code);
}
