/**
 * Last stage, and the only one that makes an outcome ready to send: it writes the receipt and, in the
 * same transaction, settles the key record.
 */
import { worstEffect } from '../effect/combine-effects.ts';
import { staysInside } from '../effect/effect.ts';
import type { Tier } from '../effect/tier.ts';
import { TIERS } from '../effect/tier.ts';
import type { KeyRecordEnd } from '../ledger/idempotency/key-records.ts';
import { encodeOutcome } from '../ledger/idempotency/outcome.ts';
import type { Entry } from '../ledger/ledger.ts';
import type { Receipt } from '../ledger/receipt.ts';
import type { Tx } from '../ledger/store.ts';
import { toProblem } from '../lib/problem.ts';
import type { Flow, Services } from './flow.ts';
import type { Outcome, Recorded } from './outcome.ts';
import { toOutcome } from './outcome.ts';

interface Ending {
  readonly flow: Flow;
  readonly outcome: Outcome;
  readonly startedAt: Date;
  readonly keyRecordEnds: KeyRecordEnd;
}

export async function record(ending: Ending, services: Services): Promise<Recorded> {
  const { flow, outcome, keyRecordEnds } = ending;
  if (services.ledger === undefined) return outcome as Recorded;
  try {
    await services.ledger.record(toEntry(ending, services));
    return outcome as Recorded;
  } catch (error) {
    const reference = services.newId();
    const { name } = flow.operation;
    services.report(`no receipt for ${name}, reference ${reference}`, error);
    // The answer must be true to what happened; the sweeper or the next call repairs the key record.
    if (flow.keyRecord !== undefined && keyRecordEnds === 'succeeded') return outcome as Recorded;
    // When nothing ran, the refusal is complete without a receipt.
    if (flow.hasRun !== true && outcome.kind === 'failure') return outcome as Recorded;
    const problem = toProblem('receipt-lost', `${name} could not be recorded.`, { reference });
    return { kind: 'failure', problem } as Outcome as Recorded;
  }
}

/**
 * The same as part of a transaction that also does the work: a receipt that fails rolls everything
 * back.
 */
export async function recordWithin(tx: Tx, ending: Ending, services: Services): Promise<Recorded> {
  await services.ledger?.record(toEntry(ending, services), tx);
  return ending.outcome as Recorded;
}

function toEntry(ending: Ending, services: Services): Entry {
  const { flow, outcome, keyRecordEnds } = ending;
  return {
    receipt: toReceipt(ending, services),
    args: flow.args,
    ...(flow.keyRecord !== undefined &&
      keyRecordEnds !== 'lost' && {
        settlement: { ...flow.keyRecord, kind: keyRecordEnds, outcome: toStored(flow, outcome) },
      }),
  };
}

/** What a replay will answer. */
function toStored(flow: Flow, outcome: Outcome): string {
  const isSealed = outcome.kind === 'success' && 'sealed' in flow;
  const stored = isSealed ? toOutcome(flow.sealed) : outcome;
  // A question keeps no key record.
  return stored.kind === 'input-required' ? '' : encodeOutcome(stored);
}

function toReceipt({ flow, outcome, startedAt }: Ending, services: Services): Receipt {
  const { operation, principal, keyRecord } = flow;
  // Refused before its arguments were accepted, a call might have had any of the effects.
  const effect = flow.effect ?? worstEffect(operation.effect);
  return Object.freeze({
    kind: 'receipt',
    id: services.newId(),
    at: startedAt.toISOString(),
    operation: operation.name,
    act: effect.act,
    tier: effect.tier,
    reach: effect.reach,
    openWorld: !staysInside(effect.reach),
    via: flow.via,
    ...(principal !== undefined && { principal: principal.id }),
    ...(principal?.tenant !== undefined && { tenant: principal.tenant }),
    ...decisionOf(flow, outcome, effect.tier),
    outcome: outcome.kind === 'failure' ? outcome.problem.code : outcome.kind,
    milliseconds: services.now().getTime() - startedAt.getTime(),
    ...(keyRecord !== undefined && { keyRecord: keyRecord.held.id }),
  });
}

/** A read that was cancelled has done nothing; anything else that was begun has run. */
function decisionOf(
  { hasRun = false, signal }: Flow,
  outcome: Outcome,
  tier: Tier,
): Pick<Receipt, 'decision' | 'sent' | 'delivered'> {
  const undelivered = signal.aborted ? { delivered: false } : {};
  if (outcome.replayed) return { decision: 'replayed', ...undelivered };
  const isCancelled = outcome.kind === 'failure' && outcome.problem.code === 'cancelled';
  if (isCancelled && (!hasRun || TIERS[tier].readsOnly)) {
    return { decision: 'cancelled', sent: hasRun };
  }
  return { decision: hasRun ? 'ran' : 'refused', ...undelivered };
}
