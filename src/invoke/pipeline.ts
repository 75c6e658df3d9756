/**
 * The one path of every call, on every transport. No operation can leave out a stage, and every
 * way out goes through the record stage.
 */
import type { KeyRecordEnd, KeyRecords } from '../ledger/idempotency/key-records.ts';
import type { Tx } from '../ledger/store.ts';
import { CommitUnknownError } from '../ledger/store.ts';
import { toProblem } from '../lib/problem.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { keyRecord } from './reserve-key.ts';
import { execute } from './execute.ts';
import type { CallRequest, Flow, Services, Stage } from './flow.ts';
import type { Outcome, Recorded } from './outcome.ts';
import { record, recordWithin } from './record.ts';
import { sealSecrets } from './seal-secrets.ts';
import { toOutcome } from './outcome.ts';
import { validateInput } from './validate-input.ts';
import { validateOutput } from './validate-output.ts';

const ENTRANCE: readonly Stage[] = [authenticate, authorize, validateInput, keyRecord];
const WORK: readonly Stage[] = [execute, validateOutput, sealSecrets];

interface Passed {
  readonly flow: Flow;
  /** Absent while the call goes on. */
  readonly outcome?: Outcome;
  readonly keyRecordEnds: KeyRecordEnd;
}

export async function invoke(request: CallRequest, services: Services): Promise<Recorded> {
  const startedAt = services.now();
  const end = ({ flow, outcome, keyRecordEnds }: Passed): Promise<Recorded> =>
    record(
      { flow, outcome: outcome ?? toOutcome(flow.answer), startedAt, keyRecordEnds },
      services,
    );

  const entered = await pass(ENTRANCE, request, services);
  if (entered.outcome !== undefined) return end(entered);
  const { flow } = entered;
  const keyRecords = services.ledger?.keyRecords;
  if (flow.keyRecord?.held.effectClass === 'local' && keyRecords !== undefined) {
    return workLocally({ ...flow, keyRecord: flow.keyRecord }, startedAt, keyRecords, services);
  }
  return end(await pass(WORK, flow, services));
}

/** Work, key record and receipt in one transaction: all of it happens, or none. */
async function workLocally(
  flow: Flow & { readonly keyRecord: NonNullable<Flow['keyRecord']> },
  startedAt: Date,
  keyRecords: KeyRecords,
  services: Services,
): Promise<Recorded> {
  let recorded: Recorded | undefined;
  try {
    return await keyRecords.transaction(async (tx: Tx) => {
      const done = await pass(WORK, { ...flow, transaction: tx }, services);
      if (done.outcome !== undefined) throw new RolledBack(done.outcome, done.keyRecordEnds);
      const outcome = toOutcome(done.flow.answer);
      const ending = { flow: done.flow, outcome, startedAt, keyRecordEnds: 'succeeded' } as const;
      recorded = await recordWithin(tx, ending, services);
      return recorded;
    });
  } catch (error) {
    const ran = { flow: { ...flow, hasRun: true }, startedAt };
    if (error instanceof RolledBack) return record({ ...ran, ...error.ending }, services);
    services.report(`${flow.operation.name} could not be committed`, error);
    if (error instanceof CommitUnknownError && recorded !== undefined) {
      // Where even that cannot be told, the same key will tell.
      const isSettled = await keyRecords.isSettled(flow.keyRecord.held).catch(() => false);
      if (isSettled) return recorded;
    }
    const problem = toProblem('retry-same-key', 'It was not committed.', { retryAfter: 1 });
    const outcome = { kind: 'failure', problem } as const;
    return record({ ...ran, outcome, keyRecordEnds: 'release' }, services);
  }
}

async function pass(stages: readonly Stage[], start: Flow, services: Services): Promise<Passed> {
  let flow = start;
  for (const stage of stages) {
    if (stage === execute) flow = { ...flow, hasRun: true };
    const step = await stage(flow, services);
    if (step.kind === 'stop') {
      return { flow, outcome: step.outcome, keyRecordEnds: step.keyRecordEnds ?? 'release' };
    }
    flow = step.flow;
  }
  return { flow, keyRecordEnds: 'succeeded' };
}

/** Leaves the transaction without committing, and tells what to answer. */
class RolledBack extends Error {
  readonly ending: { readonly outcome: Outcome; readonly keyRecordEnds: KeyRecordEnd };

  constructor(outcome: Outcome, keyRecordEnds: KeyRecordEnd) {
    super('rolled back');
    this.ending = { outcome, keyRecordEnds };
  }
}
