/**
 * Fifth stage: runs the operation. Under a key, the intent is durable before the run and a caller that
 * disconnects no longer stops it. What it throws becomes a problem; causes stay in our log.
 */
import type { Call, SecretIssuer } from '../effect/operation.ts';
import { TIERS } from '../effect/tier.ts';
import type { KeyRecordEnd } from '../ledger/idempotency/key-records.ts';
import { StoreUnavailableError } from '../ledger/store.ts';
import { PROBLEMS } from '../lib/problem-catalog.ts';
import type { Problem } from '../lib/problem.ts';
import { NotSentError, ProblemError, toProblem } from '../lib/problem.ts';
import type { Flow, MovedMoney, Services, Stage, Step, Stop } from './flow.ts';
import { effectOf, go, refuse, stop } from './flow.ts';
import { RECORD_PATIENCE_MS } from './record.ts';

const NEVER = new AbortController().signal;

export const execute: Stage = async (flow, services) => {
  if (flow.signal.aborted)
    return refuse('cancelled', 'The caller disconnected before the work began.');
  if (flow.stopping?.isStopping) return toNotBegun(flow);
  const dispatched = await dispatch(flow, services);
  if (dispatched !== undefined) return dispatched;
  // The ledger may have taken all of the time that running calls were given.
  if (flow.stopping?.isCutOff) return toNotBegun(flow);
  await using _lease = keepLease(flow, services);
  const secrets: string[] = [];
  const moved: MovedMoney = {};
  const ran: Flow = { ...flow, hasRun: true, secrets, moved };
  try {
    // The input stage has just parsed this value with the operation's own schema.
    const run = async (): Promise<unknown> =>
      flow.operation.run(flow.input as never, toCall(ran, services, secrets));
    const answer = await untilCutOff(run, flow);
    return answer === CUT_OFF ? toCutOff(ran) : go({ ...ran, answer });
  } catch (error) {
    return { ...toStop(error, flow, services), flow: ran };
  }
};

function toNotBegun(flow: Flow): Stop {
  const refused = refuse('unavailable', 'The server is stopping. Nothing was run.');
  return { ...refused, flow: { ...flow, stopped: 'abandoned' } };
}

const CUT_OFF = Symbol('cut off');

/** The operation's answer, unless the transport cannot wait for it any longer. */
async function untilCutOff(run: () => Promise<unknown>, { stopping }: Flow): Promise<unknown> {
  if (stopping === undefined) return run();
  const { promise, resolve } = Promise.withResolvers<typeof CUT_OFF>();
  const unsubscribe = stopping.onCutOff(() => resolve(CUT_OFF));
  try {
    return await Promise.race([run(), promise]);
  } finally {
    unsubscribe();
  }
}

/** A read has changed nothing, and a local effect is rolled back; anything else may have happened. */
function toCutOff(flow: Flow): Stop {
  const { name } = flow.operation;
  const effectClass = flow.keyRecord?.held.effectClass;
  if (effectClass === 'local' || TIERS[effectOf(flow).tier].readsOnly) {
    const problem = toProblem('unavailable', `The server stopped before ${name} was done.`);
    return { ...stop(problem, 'release'), flow: { ...flow, stopped: 'abandoned' } };
  }
  const detail = `The server stopped while ${name} was running.`;
  const problem =
    effectClass === 'dedup'
      ? toProblem('retry-same-key', detail, { retryAfter: 1 })
      : toProblem('outcome-doubtful', detail);
  return { ...stop(problem, 'doubt'), flow: { ...flow, stopped: 'unknown' } };
}

/**
 * Makes the intent durable. If that fails, or does not say whether it happened, nothing has been run, and
 * the key record is given back as far as it is still ours. A local effect needs none: it commits with its
 * key record. Without a key, a change runs only if a write has just been committed, since its receipt must
 * follow.
 */
async function dispatch(flow: Flow, services: Services): Promise<Step | undefined> {
  const { keyRecord, operation } = flow;
  const { ledger, report } = services;
  if (keyRecord?.held.effectClass === 'local') return undefined;
  try {
    if (keyRecord === undefined) {
      if (!TIERS[effectOf(flow).tier].readsOnly) await mustBeWritable(services);
      return undefined;
    }
    if (await ledger?.keyRecords?.dispatch(keyRecord.held, keyRecord.rules)) return undefined;
    const detail = `${operation.name} is already running with this key.`;
    return stop(toProblem('in-flight', detail, { retryAfter: 1 }));
  } catch (error) {
    report(`${operation.name} could not be dispatched`, error);
    return refuse('unavailable', 'The ledger cannot be reached. Nothing was run.');
  }
}

/** Rejects unless the ledger commits a write in time. */
async function mustBeWritable({ ledger, newId, recordPatienceMs }: Services): Promise<void> {
  if (ledger?.store === undefined) return;
  const row = { name: `probe ${newId()}`, value: 0 };
  const written = ledger.store.transaction(async (tx) => {
    await tx.insert('counters', row);
    await tx.remove('counters', row);
  });
  const { promise: late, reject } = Promise.withResolvers<never>();
  const ms = recordPatienceMs ?? RECORD_PATIENCE_MS;
  const timer = setTimeout(() => reject(new Error(`nothing was written within ${ms} ms`)), ms);
  try {
    await Promise.race([written, late]);
  } finally {
    clearTimeout(timer);
    // When it is too late, its own failure is of no interest.
    written.catch(() => {});
  }
}

function toCall(flow: Flow, services: Services, minted: string[]): Call {
  const { ledger } = services;
  const { principal, progress, mcp, keyRecord, transaction } = flow;
  const issuer = ledger?.secrets?.issuerFor(principal, transaction);
  const secrets = issuer && noting(issuer, minted);
  return {
    signal: keyRecord === undefined ? flow.signal : NEVER,
    progress,
    moved: (amount, unit) => noteMoney(flow, services, amount, unit),
    ...(principal !== undefined && { principal }),
    ...(keyRecord !== undefined && { key: keyRecord.held.partnerKey }),
    ...(secrets !== undefined && { secrets }),
    ...(transaction !== undefined && { transaction }),
    ...(mcp !== undefined && { mcp }),
  };
}

/** A wrong note is reported and left out: by now the money has moved, and the call must not fail for it. */
function noteMoney(flow: Flow, { report }: Services, amount: number, given?: string): void {
  const { moved = {}, operation } = flow;
  const unit = given ?? effectOf(flow).money?.unit ?? '';
  const { total = { amount: 0, unit } } = moved;
  if (!Number.isFinite(amount) || amount < 0 || unit === '' || unit !== total.unit) {
    const cause = new TypeError(
      `${amount} ${unit} cannot be added to ${total.amount} ${total.unit}`,
    );
    return report(`${operation.name} noted money that cannot be recorded`, cause);
  }
  moved.total = { amount: total.amount + amount, unit };
}

/** What a call minted must not be stored with its answer. */
function noting(issuer: SecretIssuer, minted: string[]): SecretIssuer {
  return {
    ...issuer,
    mint: async (init) => {
      const issued = await issuer.mint(init);
      minted.push(issued.secret.reveal());
      return issued;
    },
  };
}

function toStop(error: unknown, flow: Flow, services: Services): Stop {
  const { operation, keyRecord, signal } = flow;
  if (isA(ProblemError, error)) {
    const problem = toPlain(error.problem);
    return stop(problem, toKeyRecordEnd(problem, keyRecord));
  }
  if (keyRecord === undefined && signal.aborted) {
    return refuse('cancelled', 'The caller disconnected while the work was running.');
  }
  const reference = services.newId();
  services.report(`${operation.name} failed, reference ${reference}`, error);
  if (isA(NotSentError, error)) {
    const detail = `${operation.name} could not reach its partner. Nothing was sent.`;
    return stop(toProblem('unavailable', detail, { reference }), 'release');
  }
  switch (keyRecord?.held.effectClass) {
    case undefined:
    case 'local':
      // Its statements are rolled back, whatever else it has done.
      if (flow.transaction !== undefined && isA(StoreUnavailableError, error)) {
        const detail = `The ledger cannot be used. Nothing of ${operation.name} was kept.`;
        return stop(toProblem('unavailable', detail, { reference }), 'release');
      }
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

/** Anything can be thrown, also what cannot be examined. */
function isA<T>(kind: abstract new (...args: never[]) => T, error: unknown): error is T {
  try {
    return error instanceof kind;
  } catch {
    return false;
  }
}

/** Without the fields if JSON cannot hold them. */
function toPlain(problem: Problem): Problem {
  try {
    JSON.stringify(problem);
    return problem;
  } catch {
    return toProblem(problem.code, problem.detail);
  }
}

function toKeyRecordEnd({ code }: Problem, keyRecord: Flow['keyRecord']): KeyRecordEnd {
  // An earlier attempt may have taken effect, however this one ended.
  if (keyRecord?.held.isResend) return 'doubt';
  switch (PROBLEMS[code].key) {
    case 'kept':
      return keyRecord?.isDerived ? 'release' : 'failed';
    case 'freed':
      return 'release';
    case 'doubt':
      return keyRecord?.held.effectClass === 'local' ? 'release' : 'doubt';
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
