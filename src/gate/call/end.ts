/**
 * The end of every call: what the client is answered, what becomes of its key record and budgets, and
 * the receipt. Settling and recording are one transaction; what happened is reported truthfully even
 * where it cannot be recorded. The only place where a receipt of the gate is made.
 */
import { staysInside } from '../../effect/effect.ts';
import type { Effect } from '../../effect/effect.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Settlement } from '../../ledger/idempotency/key-records.ts';
import { encodeOutcome } from '../../ledger/idempotency/outcome.ts';
import type { Entry } from '../../ledger/ledger.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { newId } from '../../lib/new-id.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ProblemCode } from '../../lib/problem-catalog.ts';
import { PROBLEMS } from '../../lib/problem-catalog.ts';
import type { Price } from '../approvals/card.ts';
import type { GateContext } from '../gate-services.ts';
import { toFailureProblem } from '../protocol/failure-frame.ts';
import type { Caller, Frame, RpcId } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { Held } from './admit.ts';
import { toProblemAnswer } from './answers.ts';
import type { LifeEnd } from './life.ts';
import type { Permit } from './permit.ts';
import { toMoney } from './price.ts';
import type { GateCall } from './read-call.ts';
import type { Attempted } from './send.ts';

/** All that is known of a call when it ends; what it did not get to is absent. */
export interface Ending {
  readonly end: LifeEnd;
  readonly id: RpcId;
  readonly frame: Frame;
  readonly caller: Caller | undefined;
  readonly name: string;
  readonly startedAt: number;
  readonly purpose?: 'estimate';
  readonly call?: GateCall;
  readonly rule?: string;
  readonly permit?: Permit;
  readonly held?: Held;
  readonly price?: Price;
  readonly attempts: number;
  readonly attempted?: Attempted;
  /** The answer, where it was not the server's; `code` is its outcome in the receipt. */
  readonly own?: { readonly frame: Frame; readonly outcome: Receipt['outcome'] };
  /** The key record that a stored answer comes from, or the question that the call waits for. */
  readonly keyRecord?: string;
  readonly approval?: string;
}

/** What the client gets, if it still waits. */
export function toAnswer(ending: Ending): Frame {
  const { own, attempted } = ending;
  if (own !== undefined) return own.frame;
  if (attempted?.kind === 'answer') return attempted.frame;
  return toProblemAnswer(toAsked(ending), toEndProblem(ending));
}

function toAsked({ id, frame, call }: Ending): Parameters<typeof toProblemAnswer>[0] {
  return { id, frame, ...(call !== undefined && { tool: call.tool }) };
}

/** States what is known: not sent, refused by the server, or may have taken effect. */
function toEndProblem({ end, call, name, attempted, held }: Ending): Problem {
  if (end.decision === 'cancelled') return toProblem('cancelled', `${name} was cancelled.`);
  const failure = attempted?.kind === 'failure' ? attempted.failure : undefined;
  const isHarmless = call !== undefined && TIERS[call.effect.tier].readsOnly;
  if (!end.sent || isHarmless) {
    if (end.decision !== 'abandoned' && failure !== undefined) return toFailureProblem(failure);
    const detail = `The gate stopped before ${name} was done. Send the call again.`;
    return toProblem('unavailable', detail, { retryAfter: 1 });
  }
  if (attempted?.kind === 'failure' && attempted.outcome === 'failed') {
    return toFailureProblem(attempted.failure);
  }
  const why = failure === undefined ? 'the gate stopped before the answer came' : failure.detail;
  const detail = `${name} was sent, and ${why}.`;
  return held?.key?.held.effectClass === 'dedup'
    ? toProblem('retry-same-key', detail, { retryAfter: 2 })
    : toProblem('outcome-doubtful', detail);
}

function toOutcome(ending: Ending): Receipt['outcome'] {
  const { own, attempted, end } = ending;
  if (own !== undefined) return own.outcome;
  if (attempted?.kind === 'answer') return readOutcome(attempted.frame);
  const { code } = toEndProblem(ending);
  const isUnknown = code === 'outcome-doubtful' || code === 'retry-same-key';
  return isUnknown && end.sent ? 'unknown' : code;
}

/** What an answer of a server amounts to. */
function readOutcome({ message: { result, error } }: Frame): Receipt['outcome'] {
  if (error !== undefined) return 'internal-error';
  if (!isObject(result)) return 'success';
  if (result['resultType'] === 'input_required') return 'input-required';
  if (result['isError'] !== true) return 'success';
  const problem = result['structuredContent'];
  const code = isObject(problem) ? problem['code'] : undefined;
  return isProblemCode(code) ? code : 'internal-error';
}

function isProblemCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(PROBLEMS, code);
}

/** Whether a server's answer is a question back, which the client answers by sending the call again. */
export function asksBack(attempted: Attempted | undefined): boolean {
  return attempted?.kind === 'answer' && readOutcome(attempted.frame) === 'input-required';
}

export function toReceipt(ending: Ending, { server, services }: GateContext): Receipt {
  const { end, caller, call, name, permit, held, price, attempts } = ending;
  const now = services.now();
  const { act, tier, reach } = call?.effect ?? guessEffect(name);
  const approval = permit !== undefined && permit.basis.kind !== 'policy' ? permit.basis.id : ending.approval;
  const keyRecord = held?.key?.held.id ?? ending.keyRecord;
  const amount = toMoney(price);
  return {
    kind: 'receipt',
    id: newId(now),
    at: new Date(now).toISOString(),
    operation: name,
    act,
    tier,
    reach,
    openWorld: !staysInside(reach),
    via: caller?.via ?? 'mcp-stdio',
    ...(caller !== undefined && { principal: caller.principal.id }),
    ...(caller?.principal.tenant !== undefined && { tenant: caller.principal.tenant }),
    decision: end.decision,
    outcome: toOutcome(ending),
    milliseconds: now - ending.startedAt,
    server: server.name,
    ...(ending.rule !== undefined && { rule: ending.rule }),
    ...(permit !== undefined && { permit: permit.basis.kind }),
    ...(permit?.approver !== undefined && { approver: permit.approver }),
    ...(approval !== undefined && { approval }),
    ...(keyRecord !== undefined && { keyRecord }),
    ...(attempts > 1 && { attempts }),
    ...(end.decision === 'cancelled' && { sent: end.sent }),
    ...(!end.answers && { delivered: false }),
    ...(amount !== undefined && { amount }),
    ...(price !== undefined && price.unit !== '' && { unit: price.unit }),
    ...(ending.purpose !== undefined && { request: ending.purpose }),
  };
}

/** Of a tool that the server does not list, only the name is known. */
function guessEffect(name: string): Effect {
  return inferEffect({ name }, { trusted: false }).effect;
}

/** Settles what admission took and records the call, all or nothing. */
export async function recordEnd(ending: Ending, context: GateContext): Promise<void> {
  const { ledger, budgets } = context.services;
  const { held, call } = ending;
  const settlement = toSettlement(ending);
  const entry: Entry = {
    receipt: toReceipt(ending, context),
    args: call?.args ?? ending.frame.message.params?.['arguments'] ?? {},
    ...(settlement !== undefined && { settlement }),
  };
  const draws = held?.draws ?? [];
  if (draws.length === 0) {
    await ledger.record(entry);
    return;
  }
  await ledger.store.transaction(async (tx) => {
    // A question back has used nothing yet; whoever goes on with it draws again.
    if (!ending.end.sent || asksBack(ending.attempted)) await budgets.release(draws, tx);
    else {
      const computeSeconds = (context.services.now() - ending.startedAt) / 1000;
      const money = toMoney(ending.price);
      await budgets.settle(draws, { computeSeconds, ...(money !== undefined && { money }) }, tx);
    }
    await ledger.record(entry, tx);
  });
}

function toSettlement(ending: Ending): Settlement | undefined {
  const { held, attempted, end, call } = ending;
  if (held?.key === undefined || call === undefined) return undefined;
  const base = { held: held.key.held, rules: held.key.rules, outcome: '' };
  if (!end.sent || asksBack(attempted)) return { ...base, kind: 'release' };
  if (attempted?.kind !== 'answer') {
    const isRefused = attempted?.kind === 'failure' && attempted.outcome === 'failed';
    return { ...base, kind: isRefused ? 'release' : 'doubt' };
  }
  const { result, error } = attempted.frame.message;
  // A protocol error does not prove that there was no effect.
  if (error !== undefined) return { ...base, kind: 'doubt' };
  const outcome = encodeOutcome({ kind: 'result', result: toStored(call, result ?? null) }, end.answers);
  return { ...base, kind: 'succeeded', outcome };
}

/** What a replay will answer: never a secret that was shown once. */
function toStored({ effect, tool }: GateCall, result: JsonValue): JsonValue {
  if (!TIERS[effect.tier].issuesSecrets && effect.secrets.length === 0) return result;
  const text =
    'This call ran before. Its result may hold a one-time secret, was delivered then and is not stored.';
  // A client validates anything but an error against the output schema.
  const isError = tool.definition['outputSchema'] !== undefined;
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}
