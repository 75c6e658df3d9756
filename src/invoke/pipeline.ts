/**
 * The one path of every call, on every transport. No operation can skip a stage, and every exit goes
 * through the record stage.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { HeldKey } from '../ledger/idempotency/key-record.ts';
import type { KeyRecordEnd, KeyRecords } from '../ledger/idempotency/key-records.ts';
import type { Tx } from '../ledger/store.ts';
import { CommitUnknownError } from '../ledger/store.ts';
import { toProblem } from '../lib/problem.ts';
import { authenticate, authorize } from './authorize.ts';
import { keyRecord } from './reserve-key.ts';
import { execute } from './execute.ts';
import type { CallRequest, Flow, Services, Stage, Step } from './flow.ts';
import { stop } from './flow.ts';
import type { Outcome, Recorded } from './outcome.ts';
import { record, RECORD_PATIENCE_MS, recordWithin } from './record.ts';
import { toOutcome } from './outcome.ts';
import { readStates } from './read-states.ts';
import { validateInput } from './validate-input.ts';
import { validateOutput } from './validate-output.ts';

const ENTRANCE: readonly Stage[] = [authenticate, authorize, validateInput, readStates, keyRecord];
const WORK: readonly Stage[] = [execute, validateOutput];

const LOOK_UP_EVERY_MS = 100;

/** How far a call got: through all stages, or stopped with an outcome. */
type Passed =
  | { readonly kind: 'through'; readonly flow: Flow }
  | (Ended & { readonly kind: 'ended' });

interface Ended {
  readonly flow: Flow;
  readonly outcome: Outcome;
  readonly keyRecordEnds: KeyRecordEnd;
}

export async function invoke(request: CallRequest, services: Services): Promise<Recorded> {
  const startedAt = services.now();
  const entered = await pass(ENTRANCE, request, services);
  if (entered.kind === 'ended') return record({ ...entered, startedAt }, services);
  const { flow } = entered;
  const keyRecords = services.ledger?.keyRecords;
  if (flow.keyRecord?.held.effectClass === 'local' && keyRecords !== undefined) {
    return workLocally({ ...flow, keyRecord: flow.keyRecord }, startedAt, keyRecords, services);
  }
  return record({ ...toEnded(await pass(WORK, flow, services)), startedAt }, services);
}

/** A question is not an outcome: the call that answers it arrives with the same key, and must run. */
function toEnded(passed: Passed): Ended {
  if (passed.kind === 'ended') return passed;
  const { flow } = passed;
  const outcome = toOutcome(flow.answer);
  return { flow, outcome, keyRecordEnds: outcome.kind === 'success' ? 'succeeded' : 'release' };
}

/** Work, key record and receipt in one transaction: all of it happens, or none. */
async function workLocally(
  flow: Flow & { readonly keyRecord: NonNullable<Flow['keyRecord']> },
  startedAt: Date,
  keyRecords: KeyRecords,
  services: Services,
): Promise<Recorded> {
  let recorded: Recorded | undefined;
  const id = services.newId();
  try {
    return await keyRecords.transaction(async (tx: Tx) => {
      const passed = await pass(WORK, { ...flow, transaction: tx }, services);
      const ended = toEnded(passed);
      // What was written before a failure or a question is rolled back.
      if (passed.kind === 'ended' || ended.keyRecordEnds === 'release') throw new RolledBack(ended);
      recorded = await recordWithin(
        tx,
        { ...ended, startedAt, receipt: { id, mayBeStored: false } },
        services,
      );
      return recorded;
    });
  } catch (error) {
    if (error instanceof RolledBack) return record({ ...error.ended, startedAt }, services);
    const ran = { flow: { ...flow, hasRun: true }, startedAt };
    services.report(`${flow.operation.name} could not be committed`, error);
    const isUnknown = error instanceof CommitUnknownError && recorded !== undefined;
    const isSettled = isUnknown ? await lookUp(flow.keyRecord.held, keyRecords, services) : false;
    if (isSettled && recorded !== undefined) return recorded;
    // If it is not known, a retry with the same key finds out.
    const detail =
      isSettled === undefined ? 'Its commit could not be confirmed.' : 'It was not committed.';
    const problem = toProblem('retry-same-key', detail, { retryAfter: 1 });
    const outcome = { kind: 'failure', problem } as const;
    const receipt = { id, mayBeStored: isUnknown };
    return record({ ...ran, outcome, keyRecordEnds: 'release', receipt }, services);
  }
}

/** Whether a commit with an unknown result happened; `undefined` if that could not be found out. */
async function lookUp(
  held: HeldKey,
  keyRecords: KeyRecords,
  { recordPatienceMs = RECORD_PATIENCE_MS }: Services,
): Promise<boolean | undefined> {
  const until = performance.now() + recordPatienceMs;
  while (performance.now() < until) {
    try {
      return await keyRecords.isSettled(held);
    } catch {
      await wait(LOOK_UP_EVERY_MS);
    }
  }
  return undefined;
}

async function pass(stages: readonly Stage[], start: Flow, services: Services): Promise<Passed> {
  let flow = start;
  for (const stage of stages) {
    const step = await enter(stage, flow, services);
    if (step.kind === 'stop') {
      const { outcome, keyRecordEnds = 'release' } = step;
      return { kind: 'ended', flow: step.flow ?? flow, outcome, keyRecordEnds };
    }
    flow = step.flow;
  }
  return { kind: 'through', flow };
}

/** Whatever a stage throws ends the call like any other failure: recorded, and without its cause. */
async function enter(stage: Stage, flow: Flow, services: Services): Promise<Step> {
  try {
    return await stage(flow, services);
  } catch (error) {
    const reference = services.newId();
    const { name } = flow.operation;
    services.report(`${name} failed, reference ${reference}`, error);
    const problem = toProblem('internal-error', `${name} failed.`, { reference });
    return stop(problem, flow.hasRun && flow.transaction === undefined ? 'doubt' : 'release');
  }
}

/** Leaves the transaction without committing, and carries the answer. */
class RolledBack extends Error {
  readonly ended: Ended;

  constructor(ended: Ended) {
    super('rolled back');
    this.ended = ended;
  }
}
