/**
 * Last stage, and the only one that makes an outcome ready to send: it writes the receipt and, in the
 * same transaction, settles the key record.
 */
import { staysInside } from '../effect/effect.ts';
import type { Tier } from '../effect/tier.ts';
import { TIERS } from '../effect/tier.ts';
import type { KeyRecordEnd } from '../ledger/idempotency/key-records.ts';
import { encodeOutcome } from '../ledger/idempotency/outcome.ts';
import type { Entry } from '../ledger/ledger.ts';
import type { Receipt } from '../ledger/receipt.ts';
import type { Tx } from '../ledger/store.ts';
import { PROBLEMS } from '../lib/problem-catalog.ts';
import { toProblem } from '../lib/problem.ts';
import type { Flow, Services } from './flow.ts';
import { effectOf } from './flow.ts';
import type { Outcome, Recorded } from './outcome.ts';
import { sealOutcome } from './seal-secrets.ts';

interface Ending {
  readonly flow: Flow;
  readonly outcome: Outcome;
  readonly startedAt: Date;
  readonly keyRecordEnds: KeyRecordEnd;
  /** Names the receipt where a commit with an unknown result may already have stored it. */
  readonly receipt?: { readonly id: string; readonly mayBeStored: boolean };
}

/** How long the answer of a call that may have changed something waits for its record. */
export const RECORD_PATIENCE_MS = 5000;

export async function record(ending: Ending, services: Services): Promise<Recorded> {
  const { flow, outcome } = ending;
  const { ledger, recorder } = services;
  const { name } = flow.operation;
  if (ledger === undefined) return outcome as Recorded;
  const entry = toEntry(ending, services);
  const { tier } = entry.receipt;
  const isChange = flow.hasRun === true && !TIERS[tier].readsOnly;
  const ms = services.recordPatienceMs ?? RECORD_PATIENCE_MS;
  const patience = { ms, retries: isChange || entry.settlement !== undefined };
  const didNothing = flow.hasRun !== true && entry.settlement === undefined;
  if (await recorder.keep(name, async () => ledger.record(entry), { patience, didNothing })) {
    return outcome as Recorded;
  }
  if (outcome.kind === 'failure') {
    // When nothing ran, the refusal is complete without a receipt; and doubt is what remains here too.
    const isHonest = flow.hasRun !== true || PROBLEMS[outcome.problem.code].key === 'doubt';
    if (isHonest) return outcome as Recorded;
  }
  const detail = flow.keyRecord
    ? `${name} has run, but its outcome could not be recorded yet. Once it is, the same key returns it.`
    : `${name} has run, but could not be recorded.`;
  const problem = toProblem('receipt-lost', detail);
  return { kind: 'failure', problem } as Outcome as Recorded;
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
    ...(ending.receipt?.mayBeStored && { mayBeStored: true }),
    ...(flow.keyRecord !== undefined && {
      settlement: {
        held: flow.keyRecord.held,
        rules: flow.keyRecord.rules,
        kind: keyRecordEnds,
        outcome: toStored(flow, outcome),
      },
    }),
  };
}

/** What a replay will answer. */
function toStored(flow: Flow, outcome: Outcome): string {
  // A question keeps no key record.
  if (outcome.kind === 'input-required') return '';
  return encodeOutcome(sealOutcome(outcome, flow.operation, flow.secrets));
}

function toReceipt(ending: Ending, services: Services): Receipt {
  const { flow, outcome, startedAt } = ending;
  const { operation, principal, keyRecord } = flow;
  const effect = effectOf(flow);
  return Object.freeze({
    kind: 'receipt',
    id: ending.receipt?.id ?? services.newId(),
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
    outcome: outcomeOf(flow, outcome),
    milliseconds: services.now().getTime() - startedAt.getTime(),
    ...(keyRecord !== undefined && { keyRecord: keyRecord.held.id }),
    ...flow.moved?.total,
  });
}

function outcomeOf({ stopped }: Flow, outcome: Outcome): Receipt['outcome'] {
  if (stopped === 'unknown') return 'unknown';
  return outcome.kind === 'failure' ? outcome.problem.code : outcome.kind;
}

/** A read that was cancelled has done nothing; anything else that was begun has run. */
function decisionOf(
  { hasRun = false, signal, stopped }: Flow,
  outcome: Outcome,
  tier: Tier,
): Pick<Receipt, 'decision' | 'sent' | 'delivered'> {
  const undelivered = signal.aborted ? { delivered: false } : {};
  if (stopped === 'abandoned') return { decision: stopped, ...undelivered };
  if (outcome.replayed) return { decision: 'replayed', ...undelivered };
  const isCancelled = outcome.kind === 'failure' && outcome.problem.code === 'cancelled';
  if (isCancelled && (!hasRun || TIERS[tier].readsOnly)) {
    return { decision: 'cancelled', sent: hasRun };
  }
  return { decision: hasRun ? 'ran' : 'refused', ...undelivered };
}
