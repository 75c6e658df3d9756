/**
 * The moment before a call is sent, in one transaction: its permit is used up, its budgets are drawn on,
 * and where money may move the intent is claimed. Either all of it is durable, or nothing goes out.
 */
import { randomUUID } from 'node:crypto';
import { TIERS } from '../../effect/tier.ts';
import type { KeyRequest, Admission } from '../../ledger/idempotency/key-records.ts';
import { toKeyRecordId, toKeyHint } from '../../ledger/idempotency/key-records.ts';
import type { Tx } from '../../ledger/store.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { toCallBinding } from './ask-person.ts';
import { fingerprintOf } from './find-repeat.ts';
import type { GateCall, Permit } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import type { Draw } from './budgets.ts';
import type { CallerKey } from './read-caller-key.ts';

type Held = Extract<Admission, { readonly kind: 'held' }>;

export type Begun =
  | { readonly kind: 'begun'; readonly draws: readonly Draw[]; readonly keyRecord?: Held }
  | {
      readonly kind: 'standing';
      readonly standing: Extract<Admission, { kind: 'standing' }>['standing'];
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Undoes the transaction and says why. */
class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export async function beginCall(
  call: GateCall,
  permit: Permit,
  key: CallerKey,
  context: GateContext,
): Promise<Begun> {
  const { ledger } = context.services;
  const isKeyed = TIERS[call.effect.tier].retries === 'same-key' || key.kind === 'key';
  let draws: readonly Draw[] = [];
  const spend = async (tx: Tx, keyRecord: string): Promise<void> => {
    await spendPermit(tx, call, permit, keyRecord, context);
    draws = await drawBudgets(tx, call, permit, context);
  };
  try {
    if (isKeyed && !TIERS[call.effect.tier].readsOnly) {
      const request = toClaimRequest(call, permit, key, context);
      const admission = await ledger.keyRecords.begin(request, (tx, { id }) => spend(tx, id));
      if (admission.kind === 'standing') return admission;
      if (admission.kind === 'duplicate') {
        const detail = 'An equal call was made a short while ago.';
        return { kind: 'refused', problem: toProblem('in-flight', detail, { retryAfter: 2 }) };
      }
      return { kind: 'begun', draws, keyRecord: admission };
    }
    const isFree = permit.by.kind === 'policy' && permit.terms.budgets.length === 0;
    if (!isFree) await ledger.store.transaction((tx) => spend(tx, ''));
    return { kind: 'begun', draws };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', problem: error.problem };
    throw error;
  }
}

async function spendPermit(
  tx: Tx,
  call: GateCall,
  { by }: Permit,
  keyRecord: string,
  context: GateContext,
): Promise<void> {
  const { approvals } = context.services;
  if (by.kind === 'policy') return;
  const binding = toCallBinding(call, context);
  const refuse = (): never => {
    const detail = 'The approval does not fit this call, or was used already.';
    throw new Refused(toProblem('approval-expired', detail, { reference: by.id }));
  };
  switch (by.kind) {
    case 'approval':
      if ((await approvals.consume(tx, by.id, binding, keyRecord)).kind === 'refused') refuse();
      break;
    case 'grant':
      if ((await approvals.useGrant(tx, binding)) === undefined) refuse();
      break;
    case 'continuation':
      if (!(await approvals.takeContinuation(tx, by.id, binding, by.continuation))) refuse();
      break;
  }
}

async function drawBudgets(
  tx: Tx,
  { caller, tool }: GateCall,
  { terms, money }: Permit,
  { services }: GateContext,
): Promise<readonly Draw[]> {
  if (terms.budgets.length === 0) return [];
  const amount = { calls: 1, ...(money !== undefined && { money }) } as const;
  const drawn = await services.budgets.reserve(tx, terms.budgets, caller.principal, amount);
  if (drawn.kind === 'reserved') return drawn.draws;
  const detail = `${tool.name} would go beyond the budget ${drawn.budget}.`;
  throw new Refused(toProblem('budget-exhausted', detail, { retryAfter: drawn.retryAfterSeconds }));
}

function toClaimRequest(
  call: GateCall,
  { by }: Permit,
  key: CallerKey,
  context: GateContext,
): KeyRequest {
  const { principal } = call.caller;
  const scope = {
    tenant: principal.tenant ?? '',
    principal: principal.id,
    operation: `${context.server.name}/${call.tool.name}`,
  };
  // The gate holds the key, not the model: one for each yes, else one for each call.
  const own = by.kind === 'policy' || by.kind === 'grant' ? randomUUID() : `approval:${by.id}`;
  const text = key.kind === 'key' ? key.key : own;
  return {
    ...scope,
    id: toKeyRecordId(scope, text),
    keyHint: toKeyHint(text),
    fingerprint: fingerprintOf(call, context),
    effectClass: call.tool.dedups ? 'dedup' : 'opaque',
  };
}
