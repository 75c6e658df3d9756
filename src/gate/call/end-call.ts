/**
 * The moment after a call: says what became of it, settles its key record and its budgets, and keeps the
 * receipt before the answer goes out. What happened is told truly even where it cannot be recorded.
 */
import { TIERS } from '../../effect/tier.ts';
import type { Settlement } from '../../ledger/idempotency/key-records.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Problem } from '../../lib/problem.ts';
import { sealState } from '../approvals/seal.ts';
import type { Begun } from './begin-call.ts';
import { toUnheard } from './find-repeat.ts';
import type { CallPort, GateCall, Permit } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import { readOutcome } from './read-outcome.ts';
import { textAt } from './read-call.ts';
import { toCacheKey } from './to-cache-key.ts';
import type { Run } from './run-with-retries.ts';
import { toProblemAnswer } from './to-answer.ts';
import type { CallEnd } from './to-receipt.ts';
import { toReceipt } from './to-receipt.ts';
import { toFailureProblem } from '../protocol/failure-frame.ts';
import type { Frame } from '../protocol/frame.ts';
import { editText } from '../protocol/json-text.ts';
import { isObject } from '../protocol/read-frame.ts';

interface Ending {
  readonly call: GateCall;
  readonly permit: Permit;
  readonly begun: Extract<Begun, { readonly kind: 'begun' }>;
  readonly run: Run;
  readonly port: CallPort;
  /** Taken from the cache before the call was sent. */
  readonly mark: number;
}

const STATE_SECONDS = 600;

export async function endCall(ending: Ending, context: GateContext): Promise<Frame> {
  const { call, run, permit, begun, mark } = ending;
  const { server, services } = context;
  const { delivery } = run;
  const problem = delivery.kind === 'failure' ? toRunProblem(call, run, begun) : undefined;
  const outcome = delivery.kind === 'answer' ? readOutcome(delivery.frame) : undefined;
  const answer =
    delivery.kind === 'answer'
      ? await toPassedAnswer(ending, delivery.frame, context)
      : toProblemAnswer(call, problem ?? toProblem('internal-error', 'Nothing came back.'));
  const { by, rule } = permit;
  const end: CallEnd = {
    decision: run.end === 'not-sent' ? 'refused' : 'ran',
    outcome: outcome ?? problem?.code ?? 'internal-error',
    ...(begun.keyRecord !== undefined && { keyRecord: begun.keyRecord.held.id }),
    ...(by.kind !== 'policy' && { approval: by.id }),
    ...(run.attempts !== 1 && { attempts: run.attempts }),
  };
  const receipt = toReceipt(call, server.name, rule, end, services.now());
  const settlement = toSettlement(ending);
  try {
    const entry = { receipt, args: call.args, ...(settlement !== undefined && { settlement }) };
    await services.ledger.record(entry);
    if (begun.draws.length > 0) await settleBudgets(ending, context);
  } catch (error) {
    services.report(`${call.tool.name} ran, but its record could not be kept`, error);
  }
  if (delivery.kind === 'answer' && permit.terms.cacheSeconds > 0) {
    const result = Buffer.from(textAt(delivery.frame, ['result']));
    const { cacheSeconds } = permit.terms;
    const terms = { effect: call.effect, cacheSeconds };
    const { message } = delivery.frame;
    services.cache.keep(toCacheKey(call, context), { message, result }, terms, mark);
  }
  return answer;
}

/** A server's question back, in the 2026 revision, is wrapped so that its answer needs no new yes. */
async function toPassedAnswer(
  { call, permit: { by }, port }: Ending,
  frame: Frame,
  { services }: GateContext,
): Promise<Frame> {
  const { result } = frame.message;
  if (by.kind !== 'approval' && by.kind !== 'continuation') return frame;
  if (!isObject(result) || result['resultType'] !== 'input_required') return frame;
  if (port.signal.aborted) return frame;
  const { approvals, ledger, sealKey, now } = services;
  const continuation = await ledger.store.transaction((tx) =>
    approvals.openContinuation(tx, by.id),
  );
  const { requestState: upstream } = result;
  const state = sealState(sealKey, {
    approval: by.id,
    continuation,
    expires: now() + STATE_SECONDS * 1000,
    ...(typeof upstream === 'string' && { upstream }),
  });
  const text = Buffer.from(frame.bytes).toString('utf8');
  const path = ['result', 'requestState'] as const;
  const changed = editText(text, [{ kind: 'set', path, value: state }]);
  return { ...frame, bytes: Buffer.from(changed), about: call.id };
}

function toSettlement({ begun: { keyRecord }, run, call, port }: Ending): Settlement | undefined {
  if (keyRecord === undefined) return undefined;
  const { held, rules } = keyRecord;
  if (run.delivery.kind === 'failure') {
    return { held, rules, kind: run.end === 'unknown' ? 'doubt' : 'release', outcome: '' };
  }
  const { result, error } = run.delivery.frame.message;
  // A question back is no effect yet; a protocol error is no proof that there was none.
  if (error !== undefined) return { held, rules, kind: 'doubt', outcome: '' };
  if (readOutcome(run.delivery.frame) === 'input-required') {
    return { held, rules, kind: 'release', outcome: '' };
  }
  const kept = result ?? null;
  const outcome =
    port.signal.aborted && !TIERS[call.effect.tier].issuesSecrets
      ? toUnheard(kept)
      : JSON.stringify({ result: kept });
  return { held, rules, kind: 'succeeded', outcome };
}

async function settleBudgets(
  { call, begun, run, permit: { money } }: Ending,
  { services }: GateContext,
): Promise<void> {
  const { delivery } = run;
  // A question back is no use of anything yet; whoever goes on draws anew.
  const asksBack = delivery.kind === 'answer' && readOutcome(delivery.frame) === 'input-required';
  if (run.end === 'not-sent' || asksBack) return services.budgets.release(begun.draws);
  const computeSeconds = (services.now() - call.startedAt) / 1000;
  const spent = { computeSeconds, ...(money !== undefined && { money }) };
  return services.budgets.settle(begun.draws, spent);
}

/** Says plainly what is known: not sent, refused, or nobody can tell. */
function toRunProblem(
  { tool, effect }: GateCall,
  run: Run,
  { keyRecord }: Ending['begun'],
): Problem {
  if (run.delivery.kind === 'answer') return toProblem('internal-error', 'It was answered.');
  const { failure } = run.delivery;
  if (run.end === 'unknown' && !TIERS[effect.tier].readsOnly) {
    const detail = `${tool.name} was sent, and ${failure.detail}`;
    const isSafe = keyRecord?.held.effectClass === 'dedup';
    return isSafe
      ? toProblem('retry-same-key', `${detail}.`, { retryAfter: 2 })
      : toProblem('outcome-doubtful', `${detail}.`);
  }
  return toFailureProblem(failure);
}
