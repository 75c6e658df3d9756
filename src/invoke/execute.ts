/**
 * Fifth stage: runs the operation. Under a key, the intent is durable before the run and a caller that
 * disconnects no longer stops it. What it throws becomes a problem; causes stay in our log.
 */
import type { Call } from '../effect/operation.ts';
import { NotSentError, ProblemError, toProblem } from '../lib/problem.ts';
import type { ProblemCode } from '../lib/problem-catalog.ts';
import type { Flow, Services, Stage, Step, Stop } from './flow.ts';
import { go, refuse, stop } from './flow.ts';

/** Temporary refusals: the same key may try again. */
const PASSING: ReadonlySet<ProblemCode> = new Set(['rate-limited', 'unavailable']);

const NEVER = new AbortController().signal;

export const execute: Stage = async (flow, services) => {
  if (flow.signal.aborted)
    return refuse('cancelled', 'The caller disconnected before the work began.');
  const dispatched = await dispatch(flow, services);
  if (dispatched !== undefined) return dispatched;
  await using _lease = keepLease(flow, services);
  try {
    // The input stage has just parsed this value with the operation's own schema.
    const answer = await flow.operation.run(flow.input as never, toCall(flow, services));
    return go({ ...flow, hasRun: true, answer });
  } catch (error) {
    return { ...toStop(error, flow, services), hasRun: true };
  }
};

/** Makes the intent durable. A local effect needs none: it commits with its key record. */
async function dispatch(flow: Flow, { ledger, report }: Services): Promise<Step | undefined> {
  const { keyRecord, operation } = flow;
  if (keyRecord === undefined || keyRecord.held.effectClass === 'local') return undefined;
  try {
    if (await ledger?.keyRecords?.dispatch(keyRecord.held, keyRecord.rules)) return undefined;
    const problem = toProblem('in-flight', `${operation.name} is already running with this key.`, {
      retryAfter: 1,
    });
    return stop(problem, 'lost');
  } catch (error) {
    report(`${operation.name} could not be dispatched`, error);
    return stop(toProblem('unavailable', 'The ledger cannot be reached. Nothing was run.'), 'lost');
  }
}

function toCall(flow: Flow, { ledger }: Services): Call {
  const { principal, progress, mcp, keyRecord, transaction } = flow;
  const secrets = ledger?.secrets?.issuerFor(principal, transaction);
  return {
    signal: keyRecord === undefined ? flow.signal : NEVER,
    progress,
    ...(principal !== undefined && { principal }),
    ...(keyRecord !== undefined && { key: keyRecord.held.partnerKey }),
    ...(secrets !== undefined && { secrets }),
    ...(transaction !== undefined && { transaction }),
    ...(mcp !== undefined && { mcp }),
  };
}

function toStop(error: unknown, flow: Flow, services: Services): Stop {
  const { operation, keyRecord, signal } = flow;
  if (error instanceof ProblemError) {
    const { problem } = error;
    // An earlier attempt may have taken effect, however this one ended.
    if (keyRecord?.held.isResend) return stop(problem, 'doubt');
    return stop(problem, PASSING.has(problem.code) ? 'release' : 'failed');
  }
  if (keyRecord === undefined && signal.aborted) {
    return refuse('cancelled', 'The caller disconnected while the work was running.');
  }
  const reference = services.newId();
  services.report(`${operation.name} failed, reference ${reference}`, error);
  if (error instanceof NotSentError) {
    const detail = `${operation.name} could not reach its partner. Nothing was sent.`;
    return stop(toProblem('unavailable', detail, { reference }), 'release');
  }
  switch (keyRecord?.held.effectClass) {
    case undefined:
    case 'local':
      return stop(
        toProblem('internal-error', `${operation.name} failed.`, { reference }),
        'release',
      );
    case 'dedup': {
      const detail = `${operation.name} was interrupted.`;
      return stop(toProblem('retry-same-key', detail, { reference, retryAfter: 1 }), 'doubt');
    }
    case 'lookup':
    case 'opaque': {
      const detail = `${operation.name} was interrupted after it had begun.`;
      return stop(toProblem('outcome-doubtful', detail, { reference }), 'doubt');
    }
  }
}

/** Renews the lease of a key record while its work runs, so that it is not taken for abandoned. */
function keepLease({ keyRecord }: Flow, { ledger, report }: Services): AsyncDisposable {
  if (keyRecord === undefined || keyRecord.held.effectClass === 'local') {
    return { [Symbol.asyncDispose]: async () => {} };
  }
  const beat = setInterval(() => {
    ledger?.keyRecords
      ?.extend(keyRecord.held, keyRecord.rules)
      .catch((error: unknown) => report('a lease could not be extended', error));
  }, keyRecord.rules.leaseMs / 3);
  beat.unref();
  return { [Symbol.asyncDispose]: async () => clearInterval(beat) };
}
