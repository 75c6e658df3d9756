/** Last stage, and the only one that makes an outcome fit to be sent: it leaves the receipt. */
import { narrowEffect } from '../effect/effect.ts';
import { staysInside } from '../effect/reach.ts';
import type { Receipt } from '../ledger/receipt.ts';
import { toProblem } from '../lib/problem.ts';
import type { Flow, Services } from './flow.ts';
import type { Outcome, Recorded } from './outcome.ts';

export async function record(
  flow: Flow,
  outcome: Outcome,
  startedAt: Date,
  services: Services,
): Promise<Recorded> {
  const { ledger } = services;
  if (ledger === undefined) return outcome as Recorded;
  try {
    await ledger.record(toReceipt(flow, outcome, startedAt, services));
    return outcome as Recorded;
  } catch (error) {
    const reference = services.newId();
    services.report(`no receipt for ${flow.operation.name}, reference ${reference}`, error);
    const problem = toProblem('receipt-lost', `${flow.operation.name} could not be recorded.`, {
      reference,
    });
    return { kind: 'failure', problem } as Outcome as Recorded;
  }
}

function toReceipt(flow: Flow, outcome: Outcome, startedAt: Date, services: Services): Receipt {
  const { operation, principal } = flow;
  const effect = narrowEffect(operation.effect, toArguments(flow));
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
    outcome: outcome.kind === 'failure' ? outcome.problem.code : outcome.kind,
    milliseconds: services.now().getTime() - startedAt.getTime(),
  });
}

/** Effects vary by what the schema accepted; before that, by whatever was sent. */
function toArguments(flow: Flow): Readonly<Record<string, unknown>> {
  const args = flow.input ?? flow.args;
  if (typeof args !== 'object' || args === null) return {};
  return args as Record<string, unknown>; // arguments come out of JSON, with string keys only
}
