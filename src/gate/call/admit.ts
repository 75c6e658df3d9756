/**
 * Fourth step, admit, just before a call is sent, in one transaction: its permit is used up, its budgets are drawn on,
 * and where an effect must not be lost track of its key record is written. Either all of it is durable,
 * or nothing goes out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { someTier } from '../../effect/effect.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Standing } from '../../ledger/idempotency/key-record.ts';
import type { KeyRequest } from '../../ledger/idempotency/key-records.ts';
import {
  newKeyRecordId,
  toKeyHint,
  toKeyRecordId,
} from '../../ledger/idempotency/key-record-id.ts';
import type { KeyScope } from '../../ledger/idempotency/key-record-id.ts';
import type { DecodedOutcome } from '../../ledger/idempotency/outcome.ts';
import { decodeOutcome } from '../../ledger/idempotency/outcome.ts';
import type { Tx } from '../../ledger/store.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { GateContext } from '../gate-services.ts';
import { toStoredAnswer } from './answers.ts';
import type { Draw } from './budgets.ts';
import { toUnrecordable } from './refusals.ts';
import type { Held, Permit, RunningCall } from './running-call.ts';
import type { Price } from '../approvals/card.ts';
import { toMoney } from './read-price.ts';
import type { GateCall } from './read-call.ts';
import { toAnswerTarget } from './identify.ts';
import type { Intent } from './weigh.ts';
import { toKeyScope } from './weigh.ts';
import { toCallBinding, toGrantBinding, toBoundTool } from './call-card.ts';

type Admitted =
  | { readonly kind: 'admitted'; readonly held: Held }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | {
      readonly kind: 'replay';
      readonly outcome: DecodedOutcome;
      readonly keyRecord: string;
    }
  /** An equal call got in between. */
  | { readonly kind: 'duplicate' };

/** Undoes the transaction and says why. */
class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** For a list that has to be loaded again after admission; well within the lease of the key record. */
const LIST_MS = 4000;

/** What was decided on must still hold, before the transaction and after it. */
export function admitCall(call: RunningCall): void {
  const { call: read, permit, weighed, host } = call;
  if (read === undefined || permit === undefined || weighed === undefined) return;
  if (!call.isDecided()) return call.on({ kind: 'decide-again' });
  const { server, services } = host.context;
  if (services.recorder.isFull && !TIERS[read.effect.tier].readsOnly) {
    return call.refuse(permit.rule, toUnrecordable());
  }
  const resting = server.breaker.peek();
  if (resting !== undefined) {
    // Before the permit is used up: it still serves the call that is sent again.
    const detail = 'The server has not been answering. Nothing was run.';
    const retryAfter = resting.retryAfterSeconds;
    return call.refuse(permit.rule, toProblem('unavailable', detail, { retryAfter }));
  }
  const admitted = admit(read, permit, weighed.intent, call.price, host.context);
  return call.later(admitted, (result) => {
    switch (result.kind) {
      case 'admitted':
        call.held = result.held;
        if (call.isCurrent()) return call.on({ kind: 'admitted' });
        // The yes is used up by now: only a tool that really changed may cost it.
        return call.later(
          Promise.race([host.tools.load(call.frame), sleep(LIST_MS, undefined, { ref: false })]),
          () => {
            if (call.isCurrent()) return call.on({ kind: 'admitted' });
            releaseCall(call);
            return call.on({ kind: 'decide-again' });
          },
        );
      case 'duplicate':
        call.isAlike = true;
        return call.on({ kind: 'decide-again' });
      case 'replay':
        call.keyRecord = result.keyRecord;
        call.own = toStoredAnswer(toAnswerTarget(call), result.outcome);
        return call.on({ kind: 'known', as: 'replayed' });
      case 'refused':
        return call.refuse(permit.rule, result.problem);
    }
  });
}

/** Gives back what admission took from a call that certainly was not sent. */
export function releaseCall(call: RunningCall): void {
  const { held } = call;
  const { ledger, budgets } = call.host.context.services;
  call.held = undefined;
  if (held === undefined) return;
  const { key, draws } = held;
  const released = ledger.store.transaction(async (tx) => {
    if (draws.length > 0) await budgets.release(draws, tx);
    if (key === undefined) return;
    await ledger.keyRecords.settle(tx, { ...key, kind: 'release', outcome: '' });
  });
  call.host.follow(`${call.name} could not be released`, released);
}

async function admit(
  call: GateCall,
  permit: Permit,
  intent: Intent,
  price: Price | undefined,
  context: GateContext,
): Promise<Admitted> {
  const { ledger } = context.services;
  let draws: readonly Draw[] = [];
  const take = async (tx: Tx, keyRecord: string): Promise<void> => {
    await usePermit(tx, call, permit, keyRecord, context);
    draws = await drawBudgets(tx, call, permit, price, context);
  };
  try {
    if (!isTracked(call, intent)) {
      const isFree = permit.basis.kind === 'policy' && permit.terms.budgets.length === 0;
      if (!isFree) await ledger.store.transaction((tx) => take(tx, ''));
      return { kind: 'admitted', held: { draws } };
    }
    const request = toKeyRequest(call, permit, intent, context);
    const admission = await ledger.keyRecords.begin(request, (tx, { id }) => take(tx, id));
    switch (admission.kind) {
      case 'held':
        return { kind: 'admitted', held: { draws, key: admission } };
      case 'duplicate':
        return { kind: 'duplicate' };
      case 'standing':
        return toStanding(call, admission.standing, request.id);
    }
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', problem: error.problem };
    throw error;
  }
}

/** Whether it must be known afterwards what became of it, also when this process does not live to see it. */
function isTracked({ effect }: GateCall, { key }: Intent): boolean {
  const { readsOnly, asks, retries } = TIERS[effect.tier];
  return !readsOnly && (asks || retries === 'same-key' || key.kind === 'key');
}

async function usePermit(
  tx: Tx,
  call: GateCall,
  { basis }: Permit,
  keyRecord: string,
  context: GateContext,
): Promise<void> {
  const { approvals } = context.services;
  if (basis.kind === 'policy') return;
  const binding = toCallBinding(call, context);
  const refuse = (): never => {
    const detail = 'The approval does not fit this call, or was used already.';
    throw new Refused(toProblem('approval-expired', detail, { reference: basis.id }));
  };
  switch (basis.kind) {
    case 'approval':
      if ((await approvals.consume(tx, basis.id, binding, keyRecord)).kind === 'refused') refuse();
      break;
    case 'grant': {
      const tool = basis.lasts ? toBoundTool(call, context) : undefined;
      const used = await approvals.useGrant(tx, toGrantBinding(call, context), tool);
      if (used === undefined) refuse();
      break;
    }
    case 'continuation':
      if (!(await approvals.takeContinuation(tx, basis.id, binding, basis.continuation))) refuse();
      break;
  }
}

async function drawBudgets(
  tx: Tx,
  { caller, tool }: GateCall,
  { terms }: Permit,
  price: Price | undefined,
  { services }: GateContext,
): Promise<readonly Draw[]> {
  if (terms.budgets.length === 0) return [];
  const amount = { calls: 1, money: (unit?: string) => toMoney(price, unit) } as const;
  const drawn = await services.budgets.reserve(tx, terms.budgets, caller.principal, amount);
  if (drawn.kind === 'reserved') return drawn.draws;
  const detail = `${tool.name} would exceed the budget ${drawn.budget}.`;
  throw new Refused(toProblem('budget-exhausted', detail, { retryAfter: drawn.retryAfterSeconds }));
}

function toKeyRequest(
  call: GateCall,
  { basis }: Permit,
  { key, fingerprint, duplicateMs, resumes }: Intent,
  { server }: GateContext,
): KeyRequest {
  const scope = toKeyScope(call, server.name);
  // The gate holds the key, not the model: for what costs one for each yes, else one for each call.
  const isOnce =
    someTier(call.effect, ({ retries }) => retries === 'same-key') &&
    (basis.kind === 'approval' || basis.kind === 'continuation');
  const once = isOnce ? `approval:${basis.id}` : undefined;
  const text = key.kind === 'key' ? key.key : once;
  return {
    ...scope,
    ...toRecordId(scope, text),
    ...(resumes !== undefined && { id: resumes, isNew: false }),
    fingerprint,
    address: server.address,
    effectClass: call.tool.dedups ? 'dedup' : 'opaque',
    ...(duplicateMs > 0 && resumes === undefined && { duplicates: { withinMs: duplicateMs } }),
  };
}

function toRecordId(scope: KeyScope, key: string | undefined): RecordId {
  if (key === undefined) return { ...newKeyRecordId(), isNew: true };
  return { id: toKeyRecordId(scope, key), keyHint: toKeyHint(key) };
}

type RecordId = Pick<KeyRequest, 'id' | 'keyHint' | 'isNew'>;

function toStanding({ tool: { name } }: GateCall, standing: Standing, keyRecord: string): Admitted {
  const refuse = (problem: Problem): Admitted => ({ kind: 'refused', problem });
  switch (standing.kind) {
    case 'replay':
      return { kind: 'replay', outcome: decodeOutcome(standing.outcome), keyRecord };
    case 'key-reused':
      return refuse(toProblem('key-reused', `This key belongs to another call of ${name}.`));
    case 'in-flight': {
      const retryAfter = Math.max(1, Math.ceil(standing.retryAfterMs / 1000));
      const detail = `${name} is already in progress with this key.`;
      return refuse(toProblem('in-flight', detail, { retryAfter }));
    }
    case 'outcome-unknown': {
      const detail = `An earlier ${name} with this key may have taken effect.`;
      return refuse(toProblem('outcome-unknown', detail, { reference: keyRecord }));
    }
    case 'key-expired':
      return refuse(toProblem('key-expired', `The answer of ${name} with this key has expired.`));
  }
}
